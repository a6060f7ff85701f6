#!/bin/sh
# SPDX-License-Identifier: MIT
# inspect.sh PROGRAM MAKE_SAMPLE_BLOB: tests tallow-inspect's command line. A mistake gives one line, the
# usage and exit code 2; a missing file exit code 3; a damaged blob exit code 4 and one line with the
# place of the damage; a file that cannot be written exit code 6, and the old file stays.
set -u
inspect=$1
make_blob=$2
command=$inspect
. "$(dirname "$0")/expect.sh"

blob=$folder/stout.tlw
"$make_blob" "$blob" stout 10 >"$folder/out" 2>&1 || fail "make_sample_blob fails"

usage "a blob must be named"
usage "unknown option '--nonsense'" "$blob" --nonsense
usage "more than one blob: 'second.tlw'" "$blob" second.tlw
usage "a file name must follow '--json'" "$blob" --json
usage "a file name must follow '--layers'" "$blob" --layers
usage "an axis and a file name must follow '--slice'" "$blob" --slice
usage "an axis and a file name must follow '--bends'" "$blob" --bends
usage "not x, y or z, or one of them with ':' and a number: 'w'" "$blob" --bends w a.png
usage "a file name must follow 'x:2'" "$blob" --slice x:2
for slice in w '' X x: x:- x:1a xy:1 x:-1 x:99999999999999; do
    usage "not x, y or z, or one of them with ':' and a number: '$slice'" "$blob" --slice "$slice" a.png
done
usage "given twice: '--json'" "$blob" --json "$folder/a" --json "$folder/b"
usage "the blob has layers y:0 to y:" "$blob" --slice y:5000 "$folder/a.png"
usage "the blob has layers y:0 to y:" "$blob" --bends y:5000 "$folder/a.png"
[ ! -e "$folder/a.png" ] || fail "a slice that is not there was written"
expect 0 "usage: tallow-inspect" --help
exit_codes_are_documented

expect 3 "cannot read '$folder/nowhere.tlw': " "$folder/nowhere.tlw"
one_line
expect 3 "cannot read '$folder': " "$folder"
one_line

# Damage: an empty file, a file that is not a blob, a blob cut short, a changed byte after the header.
: >"$folder/bad.tlw"
expect 4 "header or table, element 0, byte 0: size of the header: expected 64 (0x40), found 0" "$folder/bad.tlw"
one_line
printf '%0100d' 7 >"$folder/bad.tlw"
expect 4 "header or table, element 0, byte 0: magic: expected " "$folder/bad.tlw"
one_line
head -c 5000 "$blob" >"$folder/bad.tlw"
expect 4 "total size: expected 5000 (0x1388), found " "$folder/bad.tlw"
one_line
cp "$blob" "$folder/bad.tlw"
printf '\377' | dd of="$folder/bad.tlw" bs=1 seek=1000 conv=notrunc 2>/dev/null
expect 4 "content hash: expected " "$folder/bad.tlw" --json "$folder/never.json"
one_line
[ ! -e "$folder/never.json" ] || fail "JSON of a bad blob was written"
cp "$blob" "$folder/bad.tlw" # the last reserved byte of the header
printf '\001' | dd of="$folder/bad.tlw" bs=1 seek=63 conv=notrunc 2>/dev/null
expect 4 "header or table, element 0, component 15, byte 63: reserved byte: expected 0 (0x0), found 1" "$folder/bad.tlw"
one_line

for option in --json '--slice z' '--bends z' --layers; do
    # shellcheck disable=SC2086 # two words
    expect 6 "cannot write '$folder/nowhere/a': " "$blob" $option "$folder/nowhere/a"
    one_line
done
if [ -c /dev/full ] && [ "$(uname)" = Linux ]; then
    for option in --json '--slice z' '--bends z' --layers; do
        # shellcheck disable=SC2086
        expect 6 "cannot write '/dev/full': " "$blob" $option /dev/full
        one_line
    done
    for arguments in '' '--json -'; do
        # shellcheck disable=SC2086
        "$inspect" "$blob" $arguments >/dev/full 2>"$folder/out"
        [ $? -eq 6 ] || fail "'$arguments' to a full standard output does not exit with 6"
        one_line
    done
fi

format=$(sed -n 's/^#define TLW_BLOB_FORMAT_VERSION \([0-9]*\)u$/\1/p' \
    "$(dirname "$0")/../../runtime/include/runtime/blob.h")
[ -n "$format" ] || fail "runtime/blob.h has no format version"
expect 0 "$blob: format $format, " "$blob"
for part in '^1 meshes, [0-9]* bound vertices of [0-9.]* bytes; eight share [0-9.]* voxels and [0-9.]* joints; no ring normals, no rbf$' \
    '^memory needed: [0-9]' '^  bone  *[0-9]' '^  skin  *[0-9].* 0.6  *0.65  *3.5  *0.874$' \
    'weights, linear skinning$' '^  forearm_l  *[0-9]*  *[0-9.]*  *[0-9.]*  *[0-9.]*$' '^  [0-9]* pairs of bends share voxels$' \
    '^  -  *[0-9]*  whole character  0 0 0 (1.000), 2 0.4 6 (0.674), 0.03 0.7 3.5 (0.874), 0.6 0.65 3.5 (0.874)$' \
    '^  head  *[0-9]*  firm by name  *2 0.1 12 (0.206), 2 0.1 12 (0.206), 2 0.1 12 (0.206), 2 0.1 12 (0.206)$' '^ *1 hips ' '^  VOXEL_CELL '; do
    grep -q "$part" "$folder/out" || fail "the summary has no line '$part'"
done
"$inspect" "$blob" --json "$folder/a.json" --slice x "$folder/x.png" --layers "$folder/l.png" \
    --bends z "$folder/b.png" >"$folder/out" 2>&1 || fail "four files at once fail"
[ ! -s "$folder/out" ] || fail "writing files is not silent"
"$inspect" "$blob" --json - >"$folder/b.json" 2>"$folder/out" || fail "--json - fails"
cmp -s "$folder/a.json" "$folder/b.json" || fail "the JSON differs between a file and the standard output"
for axis in x y z; do
    "$inspect" "$blob" --slice $axis:0 "$folder/$axis.png" >"$folder/out" 2>&1 || fail "--slice $axis:0 fails"
done
for picture in x y z l b; do
    head -c 4 "$folder/$picture.png" | grep -q PNG || fail "$picture.png is no PNG"
done
if command -v python3 >/dev/null; then
    python3 -m json.tool "$folder/a.json" >"$folder/out" 2>&1 || fail "the JSON does not parse"
fi

# Muscles
usage "the blob has no muscles: 'z'" "$blob" --muscles z "$folder/never.png"
muscled=$folder/muscled.tlw
"$make_blob" "$muscled" bunny 16 muscles >"$folder/out" 2>&1 || fail "make_sample_blob muscles fails"
usage "the blob has layers z:0 to z:8, not 'z:9'" "$muscled" --muscles z:9 "$folder/never.png"
expect 0 "$muscled: format $format, " "$muscled"
grep -qE '^  biceps_l  *[1-9][0-9]*  *4  *1  *[0-9.]+  *[0-9.]+  *1  *1  forearm_l, 0 to 90 degrees$' "$folder/out" ||
    fail "the summary does not list a muscle"
"$inspect" "$muscled" --muscles y "$folder/m.png" --slice y "$folder/s.png" --bends y "$folder/b.png" >"$folder/out" 2>&1 ||
    fail "--muscles fails"
[ ! -s "$folder/out" ] || fail "--muscles is not silent"
head -c 4 "$folder/m.png" | grep -q PNG || fail "the picture of muscles is no PNG"
cmp -s "$folder/m.png" "$folder/s.png" && fail "--muscles draws what --slice draws"
cmp -s "$folder/m.png" "$folder/b.png" && fail "--muscles draws what --bends draws"
echo "ok"
