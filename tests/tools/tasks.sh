#!/bin/sh
# SPDX-License-Identifier: MIT
# tasks.sh PROGRAM MAKE_SAMPLE_BLOB HAS_TBB: every job system of tools/example keeps the contract of
# platform/task.h and steps the world to the bits of the serial task system. HAS_TBB (0 or 1) says
# whether oneTBB is built in.
set -u
command=$1
make_blob=$2
has_tbb=$3
. "$(dirname "$0")/expect.sh"

names="serial threads jobs enkits"
[ "$has_tbb" -eq 0 ] || names="$names tbb"

"$make_blob" "$folder/stout.tlw" stout 12 >"$folder/out" 2>&1 || fail "make_sample_blob fails"
expect 0 "serial " "$folder/stout.tlw"
# shellcheck disable=SC2086
printf '%s\n' $names >"$folder/wanted"
awk '{ print $1 }' "$folder/out" | cmp -s - "$folder/wanted" || fail "not one line for each of: $names"
# The program compares the hashes itself; this shows that it does.
awk 'NR == 1 { hash = $5 } length($5) != 16 || $5 != hash { exit 1 }' "$folder/out" || fail "hashes differ"

expect 2 "usage: tallow-tasks BLOB.tlw"
expect 2 "usage: tallow-tasks BLOB.tlw" "$folder/stout.tlw" twice
expect 1 "cannot read '$folder/nowhere.tlw'" "$folder/nowhere.tlw"
printf '%0100d' 7 >"$folder/bad.tlw"
expect 1 "the blob is damaged" "$folder/bad.tlw"
echo "ok"
