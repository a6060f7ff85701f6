#!/bin/sh
# SPDX-License-Identifier: MIT
# demo.sh PROGRAM BACKEND: tallow-demo prints one hash for every instruction set and for tasks, leaves a trace with
# zones of its threads, and names its mistakes.
set -u
demo=$1
profiling=$2
command=$demo
. "$(dirname "$0")/expect.sh"
"$demo" "$folder" >"$folder/out" 2>&1 || fail "exit code $?"
hashes=$(grep -oE ' [0-9a-f]{16}$' "$folder/out")
[ "$(printf '%s\n' "$hashes" | wc -l)" -ge 2 ] || fail "fewer than two hashes"
[ "$(printf '%s\n' "$hashes" | sort -u | wc -l)" -eq 1 ] || fail "the hashes differ"
if [ "$profiling" = builtin ]; then # otherwise zones go elsewhere, or nowhere
    grep -q '"name":"follow"' "$folder/demo.trace.json" || fail "the trace has no zone 'follow'"
fi
"$demo" >"$folder/out" 2>&1
[ $? -eq 2 ] || fail "no argument does not exit with 2"
"$demo" "$folder/nowhere" >"$folder/out" 2>&1
[ $? -eq 6 ] || fail "a folder that is not there does not exit with 6"
grep -qF "cannot write '$folder/nowhere/demo.trace.json'" "$folder/out" || fail "the path is not named"
echo "ok"
