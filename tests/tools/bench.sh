#!/bin/sh
# SPDX-License-Identifier: MIT
# bench.sh PROGRAM: tallow-bench's command line. Every mistake is one line, usage, and exit code 2; a
# file that cannot be written is named before anything is measured, and the old one stays.
set -u
bench=$1
command=$bench
. "$(dirname "$0")/expect.sh"

expect 2 "unknown section 'nonsense'" nonsense
grep -q '^usage: tallow-bench' "$folder/out" || fail "no usage after a mistake"
expect 2 "unknown option '--nonsense'" --nonsense
expect 2 "a file name must follow '--json'" --json
expect 0 "usage: tallow-bench" --help
expect 6 "cannot write '$folder/nowhere/a.json'" --quick --json "$folder/nowhere/a.json"
expect 0 "tallow-bench" profiling --quick --json "$folder/a.json"
grep -q '"profiling": {' "$folder/a.json" || fail "the JSON has no section 'profiling'"
grep -q '"median": ' "$folder/a.json" || fail "the JSON has no medians"
if command -v python3 >/dev/null; then
    python3 -m json.tool "$folder/a.json" >"$folder/out" 2>&1 || fail "the JSON does not parse"
fi
echo "ok"
