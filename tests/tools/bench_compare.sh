#!/bin/sh
# SPDX-License-Identifier: MIT
# bench_compare.sh PROGRAM: tallow-bench compare and its related commands, on results files made here. A
# figure that is worse by more than the noise band gives exit code 1; a file that is not a results file
# gives one line and exit code 2.
set -u
command=$1
. "$(dirname "$0")/expect.sh"

# MEDIAN MIN SPEEDUP NOISY FIGURE-NOISY [LOAD]: a results file
results() {
    cat <<RESULTS
{"format": "tallow-bench 1", "load": ${6:-0}, "cpu": "a CPU", "cores": 2, "isa": "avx2", "compiler": "a compiler",
 "commit": "0123abc", "quick": false, "noisy": $4,
 "table1": [{"character": "bunny", "voxels": 3671, "d_r": 3, "ms": 0.4756, "paper_ms": 19.47},
            {"character": "low", "voxels": 922, "d_r": 2, "ms": null, "paper_ms": 5.47}],
 "table1_shares": [{"character": "bunny", "skin": 0.25, "regions": 0.75},
                   {"character": "low", "skin": 0.5, "another": 0.5}],
 "sections": {"step": {
    "step_ns_per_voxel": {"unit": "ns", "samples": 9, "min": $2, "median": $1, "p95": 120, "p99": 120,
                          "worst": 130, "target_at_most": 45, "is_met": false, "noisy": $5},
    "speedup": {"unit": "x", "value": $3},
    "voxels": {"unit": "voxels", "value": $1},
    "difference": {"unit": "ns", "value": $2},
    "gone": {"unit": "ns", "value": null}}}}
RESULTS
}

results 100 90 6 false false >"$folder/old.json"
old=$folder/old.json new=$folder/new.json

compare() { # EXIT-CODE MEDIAN MIN SPEEDUP NOISY FIGURE-NOISY [OPTION...]
    wanted=$1
    results "$2" "$3" "$4" "$5" "$6" >"$new"
    shift 6
    expect "$wanted" "cpu       a CPU" compare "$old" "$new" "$@"
}

compare 0 100 90 6 false false
grep -q '^4 figures, 0 worse and 0 better beyond 10%$' "$folder/out" || fail "the same file differs"
compare 1 120 108 6 false false
grep -q 'step_ns_per_voxel .* 100 .* 120 .* 1.200 .*WORSE' "$folder/out" || fail "no ratio of the slower step"
grep -q '^4 figures, 1 worse' "$folder/out" || fail "a count of voxels or a difference was judged"
compare 0 108 97 6 false false       # within the band
compare 0 120 108 6 false false --band 25
compare 1 108 97 6 false false --band 5
compare 0 150 90 6 false false       # a disturbance: the best sample is unchanged
compare 0 80 72 6 false false
grep -q '1 better' "$folder/out" || fail "a faster step is not called better"
compare 1 100 90 5 false false       # a speedup lost
compare 0 100 90 7 false false
compare 0 115 104 6 true false       # a noisy run: twice the band, and it says so
grep -q '(noisy)' "$folder/out" || fail "a noisy figure does not say so"
grep -q '(a noisy run: twice that)' "$folder/out" || fail "a noisy run does not say so"
compare 0 115 104 6 false true       # a noisy figure
compare 1 115 104 5 false true       # another figure is not noisy
compare 1 130 117 6 true false
results 100 90 6 false false 4 >"$new"
expect 0 "cpu       a CPU" compare "$old" "$new"
grep -q '^busy processes beside the section jobs: 0 -> 4 ' "$folder/out" || fail "a run under load does not say so"
results 100 90 6 false false | sed 's/"speedup"/"speedup_by_another_name"/' >"$new"
expect 0 "cpu       a CPU" compare "$old" "$new"
grep -q "^1 figures of '$old' are not in '$new'$" "$folder/out" || fail "a figure is gone, and nothing says so"

expect 2 "cannot read '$folder/none.json'" compare "$old" "$folder/none.json"
one_line
expect 2 "cannot read '$folder/none.json'" compare "$folder/none.json" "$old"
one_line
echo '{"format": "tallow-bench 1",' >"$new"
expect 2 "'$new', line" compare "$old" "$new"
one_line
for other in '[]' '{}' '{"format": "tallow-bench 2", "sections": {}}' '{"format": "tallow-bench 1"}' \
    '{"format": "tallow-bench 1", "sections": []}' '{"format": 1, "sections": {}}'; do
    echo "$other" >"$new"
    expect 2 "'$new' is no results file" compare "$old" "$new"
    one_line
    expect 2 "'$new' is no results file" table "$new"
done
echo '{"format": "tallow-bench 1", "sections": {"step": {"else": {"unit": "ns", "value": 1}}}}' >"$new"
"$command" compare "$old" "$new" >"$folder/out" 2>&1
[ $? -eq 2 ] || fail "no figure in common is no mistake"
grep -q 'have no figure in common' "$folder/out" || fail "no figure in common, and nothing says so"
expect 2 "--band takes a percentage, not 'wide'" compare "$old" "$old" --band wide
expect 2 "--band takes a percentage, not '-1'" compare "$old" "$old" --band -1
for arguments in compare "compare $old" "compare $old $old $old" "compare $old $old --nonsense" \
    "compare $old $old --band" table "machine $old"; do
    # shellcheck disable=SC2086
    expect 2 "usage: tallow-bench ${arguments%% *}" $arguments
    one_line
done

# The Markdown: digits in groups, the paper's digits unchanged, a dash for a missing value.
expect 0 "a CPU, 2 cores, avx2; a compiler; commit 0123abc" table "$old" figures
grep -q '^| substep of one character, one core | 100 ns per voxel; .* takes - times as long | at most 45 |$' "$folder/out" ||
    fail "no line of the step"
expect 0 "Ours: one core, a CPU with avx2. The paper's: 3.4 GHz Intel Core i7-3770" table "$old" table1
grep -q '^| character | voxels | region width | ms per frame | paper, ms |$' "$folder/out" || fail "no heads in words"
grep -q '^| bunny | 3,671 | 3 | 0.476 | 19.47 |$' "$folder/out" || fail "no line of the bunny"
grep -q '^| low | 922 | 2 | - | 5.47 |$' "$folder/out" || fail "no line of the second character"
expect 2 "there is no table 'nonsense'" table "$old" nonsense
expect 0 ".json" machine
grep -qE '^[a-z0-9-]+\.json$' "$folder/out" || fail "the results file's name has more than letters, digits and dashes"

# The picture, if the program can draw pictures.
if "$command" --help | grep -q 'tallow-bench shares'; then
    "$command" shares "$old" "$folder/shares.png" >"$folder/out" 2>&1 || fail "no picture"
    [ "$(head -c 4 "$folder/shares.png" | tail -c 3)" = PNG ] || fail "the picture is no PNG"
    expect 2 "'$new' has no table1 with shares" shares "$new" "$folder/shares.png"
    one_line
    expect 6 "cannot write '$folder/nowhere/a.png'" shares "$old" "$folder/nowhere/a.png"
    expect 2 "usage: tallow-bench shares" shares "$old"
fi
echo "ok"
