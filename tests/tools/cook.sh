#!/bin/sh
# SPDX-License-Identifier: MIT
# cook.sh TALLOW-COOK TALLOW-SAMPLE: the command line of tallow-cook. Every mistake has its exit code and one
# line; on failure nothing is written and an old blob stays; bytes do not depend on threads.
set -u
cook=$1
sample=$2
command=$cook
. "$(dirname "$0")/expect.sh"

"$sample" --variant bunny -o "$folder/bunny.glb" || fail "no sample"
printf '{"resolution": 16}\n' >"$folder/small.json"

expect 2 "there is no 'INPUT'"
expect 2 "there is no '-o'" "$folder/bunny.glb"
expect 2 "unknown option '--nonsense'" --nonsense
expect 2 "something must follow '-o'" "$folder/bunny.glb" -o
expect 2 "--threads takes 1 to 256, not '0'" "$folder/bunny.glb" -o x --threads 0
expect 2 "--threads takes 1 to 256, not 'two'" "$folder/bunny.glb" -o x --threads two
expect 0 "usage: tallow-cook" --help

blob=$folder/bunny.tlw
echo "the old blob" >"$blob"
cp "$blob" "$folder/old"
printf 'not a glb' >"$folder/bad.glb"
printf '{"resolution": 1}' >"$folder/one.json"
printf '{"resolutoin": 32}' >"$folder/typo.json"
printf '{"parts": [{"joint": "tentacle", "layers": {"fat": {"stiffness": 1}}}]}' >"$folder/part.json"
printf '{"limits": {"voxels": 100}}' >"$folder/limit.json"
expect 3 "nowhere.glb" "$folder/nowhere.glb" -o "$blob"
expect 3 "nowhere.json" "$folder/bunny.glb" -r "$folder/nowhere.json" -o "$blob"
expect 4 "bad.glb: " "$folder/bad.glb" -o "$blob"
expect 5 "resolution: an integer from 2 to 1024" "$folder/bunny.glb" -r "$folder/one.json" -o "$blob"
expect 5 'did you mean "resolution"' "$folder/bunny.glb" -r "$folder/typo.json" -o "$blob"
expect 5 'there is no joint "tentacle"' "$folder/bunny.glb" -r "$folder/part.json" -o "$blob"
expect 5 "voxels; the recipe allows 100" "$folder/bunny.glb" -r "$folder/limit.json" -o "$blob"
expect 6 "cannot write '$folder/no/where.tlw'" "$folder/bunny.glb" -r "$folder/small.json" \
    -o "$folder/no/where.tlw"
expect 6 "cannot write '$folder/no/report.json'" "$folder/bunny.glb" -r "$folder/small.json" \
    -o "$blob" --depfile "$folder/early.d" --report "$folder/no/report.json"
[ ! -e "$folder/early.d" ] || fail "a depfile was left by a cook that failed"
cmp -s "$blob" "$folder/old" || fail "a failed cook changed the old blob"
[ -z "$(find "$folder" -name '.tlw-*')" ] || fail "a temporary was left behind"

for threads in 1 2 8; do
    "$cook" "$folder/bunny.glb" -r "$folder/small.json" -o "$folder/$threads.tlw" --quiet \
        --threads $threads >"$folder/out" 2>&1 || fail "$threads threads"
    [ ! -s "$folder/out" ] || fail "--quiet says something"
    cmp -s "$folder/1.tlw" "$folder/$threads.tlw" || fail "$threads threads give other bytes than 1"
done

mkdir "$folder/a b"
cp "$folder/bunny.glb" "$folder/a b/in put.glb"
"$cook" "$folder/a b/in put.glb" -r "$folder/small.json" -o "$blob" --depfile "$folder/d" \
    --report "$folder/report.json" >"$folder/out" 2>&1 || fail "the good cook"
cmp -s "$folder/1.tlw" "$blob" || fail "the same asset in another folder gives other bytes"
grep -qF "a\\ b/in\\ put.glb" "$folder/d" || fail "the depfile does not escape spaces"
grep -qF "small.json" "$folder/d" || fail "the depfile does not name the recipe"
grep -q '"voxels": [0-9]' "$folder/report.json" || fail "the report has no voxels"
echo "ok"
