#!/bin/sh
# SPDX-License-Identifier: MIT
# demo.sh PROGRAM BACKEND [DANCE]: tallow-demo prints the same hash for every instruction set and for tasks,
# writes a trace with zones of its threads, and names mistakes. With DANCE, a character dances first: every
# pass has its row, the tissue deviates at a sudden stop and has settled a second later, and there is a
# picture.
set -u
demo=$1
profiling=$2
command=$demo
. "$(dirname "$0")/expect.sh"
"$demo" "$folder" >"$folder/out" 2>&1 || fail "exit code $?"
hashes=$(grep -oE ' [0-9a-f]{16}$' "$folder/out")
[ "$(printf '%s\n' "$hashes" | wc -l)" -ge 2 ] || fail "fewer than two hashes"
[ "$(printf '%s\n' "$hashes" | sort -u | wc -l)" -eq 1 ] || fail "the hashes differ"
if [ "$profiling" = builtin ]; then # other backends write no trace
    grep -q '"name":"follow"' "$folder/demo.trace.json" || fail "the trace has no zone 'follow'"
fi
if [ $# -gt 2 ]; then
    for pass in skin predict stretch volume regions goal limit velocity embed; do
        [ "$(grep -cE "^  $pass +[0-9.]+ +[0-9.]+% +[0-9.]+%\$" "$folder/out")" -eq 2 ] || fail "pass $pass has not its two rows"
    done
    grep -q '^dance, 600 frames at 60 Hz' "$folder/out" || fail "the dance does not take ten seconds"
    grep 'tissue was off by' "$folder/out" | tail -n 1 |
        awk '{ exit !($5 > 5 * $12 && $5 > 10) }' || fail "tissue does not lag and settle"
    head -c 4 "$folder/dance.png" | grep -q PNG || fail "dance.png is no PNG"
fi
"$demo" >"$folder/out" 2>&1
[ $? -eq 2 ] || fail "no argument does not exit with 2"
"$demo" "$folder/nowhere" >"$folder/out" 2>&1
[ $? -eq 6 ] || fail "a folder that is not there does not exit with 6"
grep -qF "cannot write '$folder/nowhere/demo.trace.json'" "$folder/out" || fail "the path is not named"
echo "ok"
