#!/bin/sh
# SPDX-License-Identifier: MIT
# demo.sh PROGRAM BACKEND: tallow-demo. The character dances for ten seconds, and every pass has its row; tissue is
# far off at a sudden stop and has settled at the end; the girth of an arm that bends grows, and more where it is
# tense; there are pictures, and with the built-in profiler a trace of the dance. Mistakes are named.
set -u
demo=$1
profiling=$2
command=$demo
. "$(dirname "$0")/expect.sh"
"$demo" "$folder" >"$folder/out" 2>&1 || fail "exit code $?"
passes=$(sed -n 's/^ *X([A-Z_]*, "\([a-z_]*\)", 0x.*/\1/p' "$(dirname "$0")/../../runtime/include/runtime/passes.h")
[ -n "$passes" ] || fail "runtime/passes.h has no table of passes"
for pass in $passes; do
    [ "$(grep -cE "^  $pass +[0-9.]+ +[0-9.]+% +[0-9.]+%\$" "$folder/out")" -eq 2 ] || fail "pass $pass does not have its two rows"
done
grep -q '^dance, 600 frames at 60 Hz' "$folder/out" || fail "the dance does not take ten seconds"
grep 'tissue was off by' "$folder/out" | tail -n 1 |
    awk '{ exit !($5 > 5 * $12 && $5 > 10) }' || fail "tissue does not lag and settle"
# Rows: round, seconds, s, elongation, tension, girth by skinning, cm, girth with muscles, cm, growth, ...
girth='/^  (relaxed|tensed) / { grown[$1, ++rows[$1]] = $10 + 0 }'
awk "$girth"' END { exit !(rows["relaxed"] == 3 && rows["tensed"] == 3) }' "$folder/out" || fail "six moments of the flexing arm"
awk "$girth"' END { exit !(grown["relaxed", 3] > 5 && grown["relaxed", 1] < 1) }' "$folder/out" ||
    fail "an arm does not thicken as it bends"
awk "$girth"' END { for (i = 1; i <= 3; ++i) if (grown["tensed", i] < grown["relaxed", i] + 0.5) exit 1 }' "$folder/out" ||
    fail "an arm does not thicken where it is tense"
for picture in dance flex; do
    head -c 4 "$folder/$picture.png" | grep -q PNG || fail "$picture.png is no PNG"
done
if [ "$profiling" = builtin ]; then # otherwise zones go elsewhere, or nowhere
    for name in 'bunny 0' regions frame; do
        grep -q "\"name\":\"$name\"" "$folder/demo.trace.json" || fail "the trace has no '$name'"
    done
fi
expect 0 "usage: tallow-demo" --help
exit_codes_are_documented
expect 2 "a folder must be named"
expect 2 "unknown option '--nonsense'" --nonsense
expect 2 "more than one folder: 'b'" a b
expect 6 "cannot write '$folder/nowhere/dance.png'" "$folder/nowhere"
echo "ok"
