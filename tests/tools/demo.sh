#!/bin/sh
# SPDX-License-Identifier: MIT
# demo.sh PROGRAM BACKEND: tallow-demo. The character dances for ten seconds, and every pass has its row; tissue is
# far off at a sudden stop and has settled at the end; there is a picture, and with the built-in profiler a trace of
# the dance. Mistakes are named.
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
head -c 4 "$folder/dance.png" | grep -q PNG || fail "dance.png is no PNG"
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
