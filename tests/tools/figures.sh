#!/bin/sh
# SPDX-License-Identifier: MIT
# figures.sh TALLOW-FIGURES SOURCE: the command line of tallow-figures. Every mistake gives one line and its exit
# code; every figure of the table is listed; a small one is drawn and is a PNG of the stated size whose chunks and
# streams an independent reader accepts, the same bytes again the second time; and the pages show every picture.
set -u
figures=$1
source=$2
command=$figures
. "$(dirname "$0")/expect.sh"

usage "a figure must be named"
usage "there is no '--output'" table-1
usage "unknown option '--nonsense'" --nonsense
usage "unknown figure 'figure-99'; there are: all, moving, figure-4-10, figure-5" figure-99 -o "$folder"
for option in --output -o --models --height; do
    usage "something must follow '$option'" table-1 $option
done
usage "given twice: '--output'" table-1 -o a --output b
for height in 23 401 tall 50.5 ''; do
    usage "--height takes 24 to 400, not '$height'" table-1 -o "$folder" --height "$height"
done
usage "--models must be given for 'fox'" fox -o "$folder"
usage "--models must be given for 'auto'" auto -o "$folder"
expect 0 "usage: tallow-figures" --help
exit_codes_are_documented
expect 3 "$folder/nowhere/Fox.glb: " fox -o "$folder" --models "$folder/nowhere"
one_line
printf 'not a glb' >"$folder/Fox.glb"
expect 4 "$folder/Fox.glb: " fox -o "$folder" --models "$folder"
one_line
[ ! -e "$folder/fox.png" ] || fail "a figure that failed left a file"
expect 6 "cannot write '$folder/nowhere/table-1.png': " table-1 -o "$folder/nowhere"
one_line

# The list has every row of the table in figures.h, and nothing else.
"$figures" --list >"$folder/list" 2>&1 || fail "--list exits with $?"
names=$(sed -n 's/^ *X("\([a-z0-9-]*\)", [a-z]*, \(true\|false\),.*/\1/p' "$source/tools/figures/figures.h")
[ -n "$names" ] || fail "figures.h has no table"
for name in $names; do
    grep -q "^$name  *[A-Za-z]" "$folder/list" || fail "--list does not have $name"
done
[ "$(echo "$names" | wc -l)" -eq "$(wc -l <"$folder/list")" ] || fail "--list has other lines"

# The body of Table 1 of Luo et al. is as large as the paper's, and every row of the table is there.
"$figures" --rbf-table >"$folder/out" 2>&1 || fail "--rbf-table exits with $?"
grep -q "5103 vertices, 10202 triangles, 6 domains" "$folder/out" || fail "the body has another size"
for row in 'initialise, single' 'initialise, six' 'run, single' 'run, six'; do
    [ "$(grep -c "^| $row.*|\$" "$folder/out")" -ge 2 ] || fail "--rbf-table has no row '$row' of ours"
done

# The breast of Aubel and Thalmann is as large as theirs, and sags as far each time.
"$figures" --fat-table >"$folder/out" 2>&1 || fail "--fat-table exits with $?"
for row in 'soft voxels | 904 (254 anchored) | 903 | 903 |' 'mean sag, mm | | 11.5 |'; do
    grep -q "^| $row" "$folder/out" || fail "--fat-table has no row '$row'"
done

# One small figure: cells of 36 by 36 pixels, which give a sheet of the least width.
"$figures" table-1 -o "$folder" --height 24 >"$folder/out" 2>&1 || fail "table-1 exits with $?"
grep -q "^$folder/table-1.png: Table 1" "$folder/out" || fail "the picture is not named"
size=$(od -A n -t u1 -j 16 -N 8 "$folder/table-1.png" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')
[ "$size" = "960 344" ] || fail "table-1.png is $size, not 960 344"
cp "$folder/table-1.png" "$folder/first.png"
"$figures" table-1 -o "$folder" --height 24 >"$folder/out" 2>&1 || fail "table-1 exits with $?"
cmp "$folder/first.png" "$folder/table-1.png" || fail "the same figure has other bytes"

# Python's zlib reads what we compressed: this picture, and the animation that the README shows.
reader='
import struct, sys, zlib
for path in sys.argv[1:]:
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "signature"
    at, told, controls, sequence, size, stream = 8, 0, 0, 0, None, b""
    def check(stream, size):
        assert len(zlib.decompress(stream)) == (size[0] + 1) * size[1], "size of a frame"
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(name + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0], name
        at += 12 + length
        if name == b"IHDR":
            size = struct.unpack(">II", body[:8])
        elif name == b"acTL":
            told = struct.unpack(">II", body)[0]
        elif name == b"fcTL":
            number, width, height = struct.unpack(">III", body[:12])
            assert number == sequence, "sequence"
            sequence, controls, size = sequence + 1, controls + 1, (width, height)
        elif name == b"IDAT":
            check(body, size)
        elif name == b"fdAT":
            assert struct.unpack(">I", body[:4])[0] == sequence, "sequence"
            sequence += 1
            check(body[4:], size)
    assert name == b"IEND" and told == controls, (told, controls)
    print(path, told)
'
if command -v python3 >/dev/null 2>&1; then
    python3 -c "$reader" "$folder/table-1.png" "$source"/tools/figures/pictures/*.png >"$folder/out" 2>&1 ||
        fail "an independent reader refuses a picture: $(tail -n 1 "$folder/out")"
fi

# The pictures that are kept are shown somewhere, and are small.
for picture in "$source"/tools/figures/pictures/*.png; do
    name=$(basename "$picture")
    grep -q "pictures/$name" "$source/README.md" "$source/runtime/MODEL.md" "$source/tools/figures/README.md" ||
        fail "no page shows $name"
    [ "$(wc -c <"$picture")" -le 3000000 ] || fail "$name is larger than 3 MB"
done
total=$(cat "$source"/tools/figures/pictures/*.png | wc -c)
[ "$total" -le 5000000 ] || fail "all pictures together are $total bytes, more than 5 MB"
echo "ok"
