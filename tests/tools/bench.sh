#!/bin/sh
# SPDX-License-Identifier: MIT
# bench.sh PROGRAM [step]: the command line of tallow-bench. Every mistake gives one line, usage and exit
# code 2. A file that cannot be written is named before anything is measured, and the old one stays. With
# `step` that section runs too: the reference must agree with the runtime, and every figure must be there.
set -u
bench=$1
command=$bench
. "$(dirname "$0")/expect.sh"

expect 2 "unknown section 'nonsense'" nonsense
grep -q '^usage: tallow-bench' "$folder/out" || fail "no usage after a mistake"
expect 2 "unknown option '--nonsense'" --nonsense
expect 2 "a file name must follow '--json'" --json
expect 2 "1 to 256 must follow '--load'" jobs --load
expect 2 "option '--load' goes with the section jobs alone" --load 2
expect 2 "option '--load' goes with the section jobs alone" jobs profiling --load 2
expect 0 "usage: tallow-bench" --help
exit_codes_are_documented
# The busy processes of --load run beside the rows, and end with the bench even when it is killed.
busy_processes() { # PARENT
    awk -v parent="$1" '/^Pid:/ { pid = $2 } /^PPid:/ && $2 == parent { print pid }' /proc/[0-9]*/status 2>/dev/null
}
if [ -r /proc/self/status ]; then
    "$bench" jobs --quick --load 2 --json "$folder/load.json" >"$folder/out" 2>&1 &
    parent=$! busy="" tries=0
    while [ "$(echo $busy | wc -w)" -ne 2 ]; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || fail "--load 2 has not started two processes but: $busy"
        sleep 0.1
        busy=$(busy_processes $parent)
    done
    kill -9 $parent
    wait $parent 2>/dev/null
    for process in $busy; do
        tries=0
        while kill -0 "$process" 2>/dev/null; do
            tries=$((tries + 1))
            [ $tries -lt 100 ] || fail "process $process of --load runs after the bench was killed"
            sleep 0.1
        done
    done
fi
expect 6 "cannot write '$folder/nowhere/a.json'" --quick --json "$folder/nowhere/a.json"
expect 0 "tallow-bench" profiling --quick --json "$folder/a.json"
grep -q '"profiling": {' "$folder/a.json" || fail "the JSON has no section 'profiling'"
grep -q '"median": ' "$folder/a.json" || fail "the JSON has no medians"
if command -v python3 >/dev/null; then
    python3 -m json.tool "$folder/a.json" >"$folder/out" 2>&1 || fail "the JSON does not parse"
fi
if [ "${2:-}" = step ]; then
    expect 2 "unknown section 'stepp'" step stepp
    expect 2 "unknown option '--quickly'" step --quickly
    expect 0 "tallow-bench" step --quick --json "$folder/step.json"
    grep -q "reference .* and runtime agree within" "$folder/out" || fail "the reference was not checked"
    grep -q "the embeddings of reference and runtime agree within" "$folder/out" ||
        fail "the reference of the embedding was not checked"
    for name in step_ns_per_voxel reference_ns_per_voxel step_speedup_over_reference \
        pass_regions_ns_per_voxel embed_ns_per_vertex embed_normals_ns_per_vertex large_over_small \
        crowd_100_over_one state_bytes_per_voxel scratch_bytes_per_voxel blob_bytes_per_voxel \
        embed_speedup embed_normals_speedup embed_delta_ns_per_vertex embed_delta_speedup \
        embed_delta_normals_ns_per_vertex embed_delta_normals_speedup blob_bytes_per_vertex pass_bends_ns_per_voxel bends_bytes_per_voxel; do
        grep -q "\"$name\": {" "$folder/step.json" || fail "the JSON has no '$name'"
    done
    grep -q '"target_at_most": 45, "is_met": ' "$folder/step.json" || fail "the JSON has no targets"
    grep -q '^  "noisy": ' "$folder/step.json" || fail "the JSON does not say whether it was noisy"
    expect 0 "tallow-bench" skinning --quick --json "$folder/skinning.json"
    grep -q '"target_at_most": 0.25, "is_met": ' "$folder/skinning.json" || fail "bends have no target"
    grep -q '"target_at_most": 1.6' "$folder/skinning.json" || fail "dual skinning has no target"
    expect 0 "tallow-bench" contact --quick --json "$folder/contact.json"
    for target in capsules_apart:1.15 capsules_together:1.15 capsules_far:1.02 limbs_still:1.25 limbs_dance:1.25 \
        asleep:0.02; do
        grep -q "\"${target%:*}\": {.*\"target_at_most\": ${target#*:}, \"is_met\": " "$folder/contact.json" ||
            fail "contact has no target '$target'"
    done
    for name in boxes plane limbs_off room_unused drag drags wind rest_gravity filter; do
        grep -q "\"$name\": {" "$folder/contact.json" || fail "the JSON has no '$name'"
    done
    grep -q '"contact_ns_without_shapes": {.*"value": 0, "target_at_most": 0, "is_met": true' "$folder/contact.json" ||
        fail "pass contact took time where nothing can touch"
    expect 0 "tallow-bench" muscles --quick --json "$folder/muscles.json"
    for target in lines_8_lines_over_step:0.02 lines_8_bellies_over_step:0.1 fat_and_skin_lame_over_step:0.4; do
        grep -q "\"${target%:*}\": {.*\"target_at_most\": ${target#*:}, \"is_met\": " "$folder/muscles.json" ||
            fail "muscles have no target '$target'"
    done
    for name in muscles_ns_without_muscles lame_ns_without_layers; do
        grep -q "\"$name\": {.*\"value\": 0, \"target_at_most\": 0, \"is_met\": true" "$folder/muscles.json" ||
            fail "a pass took time where nothing is cooked: $name"
    done
    if command -v python3 >/dev/null; then
        python3 -m json.tool "$folder/step.json" >"$folder/out" 2>&1 || fail "the JSON does not parse"
    fi
fi
echo "ok"
