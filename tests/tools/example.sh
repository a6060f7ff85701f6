#!/bin/sh
# SPDX-License-Identifier: MIT
# example.sh PROGRAM MAKE_SAMPLE_BLOB SOURCE: the integration example runs, its tissue overshoots, it names a
# file that it cannot open, and the README's snippet consists of its lines.
set -u
example=$1
make_blob=$2
source=$3
command=$example
. "$(dirname "$0")/expect.sh"

"$make_blob" "$folder/stout.tlw" stout 16 >"$folder/out" 2>&1 || fail "make_sample_blob fails"
expect 0 "the front ran " "$folder/stout.tlw"
[ "$(wc -l <"$folder/out")" -eq 1 ] || fail "more than one line"
awk '{ exit !($4 > 0.5 && $4 < 500) }' "$folder/out" || fail "the front did not run past"
cp "$folder/out" "$folder/first"
expect 0 "" "$folder/stout.tlw"
cmp -s "$folder/out" "$folder/first" || fail "a second run says something else"
expect 1 "the file cannot be read"
expect 1 "the file cannot be read" "$folder/nowhere.tlw"
printf '%0100d' 7 >"$folder/bad.tlw"
expect 1 "the blob is damaged" "$folder/bad.tlw"

# Every line of the snippet must be in the example, in the same order; from run() on with none between.
awk '/^### .*Integrate/ { inside = 1 } inside && /^```c/ { code = 1; next } code && /^```/ { exit } code' \
    "$source/README.md" | sed 's/^ *//' | grep -v '^$' >"$folder/snippet"
[ "$(wc -l <"$folder/snippet")" -ge 15 ] || fail "the README has no snippet below 'Integrate'"
sed 's/^ *//' "$source/tools/example/main.c" | awk '
    NR == FNR { wanted[++count] = $0; next }
    $0 == "" { next }
    at < count && $0 == wanted[at + 1] { at++; in_run = in_run || /^static float run/; next }
    at < count && in_run { exit 1 } # a line between two of the snippet
    END { if (at < count) { print "not in the example, or not in this order: " wanted[at + 1]; exit 1 } }
' "$folder/snippet" - >"$folder/out" || fail "the README and the example differ"
echo "ok"
