#!/bin/sh
# SPDX-License-Identifier: MIT
# view.sh TALLOW-VIEW TALLOW-COOK TALLOW-SAMPLE: the command line of tallow-view. Every mistake gives one
# line and its exit code. Where a driver is there, a run without a window writes the same pictures twice,
# with the character in the middle.
set -u
view=$1
cook=$2
sample=$3
command=$view
. "$(dirname "$0")/expect.sh"

glb=$folder/bunny.glb
blob=$folder/bunny.tlw
"$sample" --variant bunny -o "$glb" >"$folder/out" 2>&1 || fail "no sample"
echo '{"resolution": 16}' >"$folder/coarse.json"
"$cook" "$glb" -r "$folder/coarse.json" -o "$blob" >"$folder/out" 2>&1 || fail "the sample cannot be cooked"

# Usage
usage "a blob or an asset must be named"
usage "unknown option '--nonsense'" "$blob" --nonsense
usage "more than one character: 'second.tlw'" "$blob" second.tlw
usage "no file's name: ':dance'" :dance
for option in -r --motion --size --camera --show --png --frames --every --voxel --cut --text-scale; do
    usage "something must follow '$option'" "$blob" $option
done
usage "given twice: '--size'" "$blob" --size 64x64 --size 64x64
usage "-r takes a file, not ''" "$blob" -r ''
usage "--motion takes a file, not ':dance'" "$blob" --motion :dance
for size in 640 640x 15x64 64x4097 64X64 ''; do
    usage "--size takes WxH, 16 to 4096 each, not '$size'" "$blob" --size "$size"
done
for camera in 30,12 30,90,4 30,12,0 a,b,c ''; do
    usage "--camera takes YAW,PITCH,DISTANCE" "$blob" --camera "$camera"
    grep -qF ", not '$camera'" "$folder/out" || fail "the camera is not named"
done
usage "--show takes colours and marks that --help lists, or none, not 'bones'" "$blob" --show bones
usage "--show takes colours and marks that --help lists, or none, not 'layer,part'" "$blob" --show layer,part
for pattern in out.png out_%s.png %d_%d.png 100%.png ''; do
    usage "--png takes a pattern with one number, such as out_%04d.png, not '$pattern'" "$blob" --png "$pattern"
done
usage "--frames takes 1 to 1000000, not '0'" "$blob" --frames 0
usage "--every takes 1 to 1000000, not 'x'" "$blob" --every x
usage "there is no '--frames'" "$blob" --png out_%d.png
usage "option '--frames' goes with --png" "$blob" --frames 3
usage "option '--every' goes with --png" "$blob" --every 3
usage "option '--hash' goes with --png" "$blob" --hash
usage "option '--layout' goes with a window" "$blob" --layout where --png %d.png --frames 1
usage "--layout would replace what is read: '$blob'" "$blob" --layout "$blob"
usage "--layout would replace what is read: '$folder/coarse.json'" "$glb" --compare "$folder/coarse.json" "$folder/coarse.json" \
    --layout "$folder/coarse.json"
usage "option '--text-scale' goes with a window" "$blob" --text-scale 2 --png %d.png --frames 1
usage "--text-scale takes 0.75 to 3, not '4'" "$blob" --text-scale 4
for cut in x xy,1 w,1 x,2 x, ''; do
    usage "--cut takes AXIS,SHARE: x, y or z, and 0 to 1, not '$cut'" "$blob" --cut "$cut"
done
usage "--voxel takes the number of a voxel, from 0, not '-1'" "$blob" --voxel -1
usage "option '-r' does not go with --compare" "$glb" -r a.json --compare b.json c.json
usage "--compare takes two files, not only 'b.json'" "$glb" --compare b.json
usage "a blob is cooked already; there is no use for 'a.json'" "$blob" -r a.json --png %d.png --frames 1
exit_codes_are_documented

# The page has a row for every key, colour and mark of the tables in the sources.
sources=$(dirname "$0")/../../tools/view
{
    sed -n 's/^    X(SDLK_[A-Za-z0-9]*, "\([^"]*\)", "\([^"]*\)", .*/| `\1` | \2 |/p' "$sources/panels.h"
    sed -n 's/^    X([A-Z]*, "\([a-z]*\)", "\([^"]*\)").*/| `\1` | \2 |/p' "$sources/options.h"
    sed -n 's/^    X([a-z]*, "\([a-z]*\)", "\([a-z]\)", "\([^"]*\)").*/| `\1` | `\2` | \3 |\n| `\2` | \3 |/p' "$sources/options.h"
} >"$folder/rows"
[ "$(wc -l <"$folder/rows")" -gt 50 ] || fail "the tables are not found"
while read -r row; do
    grep -qF -- "$row" "$sources/README.md" || fail "tools/view/README.md has no row: $row"
done <"$folder/rows"

# Files, with the messages and exit codes of the cooker
pictures() { # EXIT-CODE FIRST-LINE-PART FILE ARGUMENTS...
    expect "$@" --frames 1 --size 64x64 --png "$folder/never_%d.png"
    one_line
}
echo nonsense >"$folder/bad.tlw"
echo nonsense >"$folder/bad.glb"
echo '{"resolution": 1}' >"$folder/bad.json"
pictures 3 "cannot read '$folder/nowhere.tlw'" "$folder/nowhere.tlw"
pictures 4 "bad blob '$folder/bad.tlw'" "$folder/bad.tlw"
pictures 3 "nowhere.json" "$glb" -r "$folder/nowhere.json"
pictures 2 "there is no voxel 1000000; there are " "$blob" --voxel 1000000
pictures 2 "there is no clip 'polka'; there are: " "$glb:polka" -r "$folder/coarse.json"
pictures 2 "there is no clip 'polka'; there are: " "$blob" --motion "$glb:polka"
pictures 3 "nowhere.glb" "$blob" --motion "$folder/nowhere.glb"
for mistake in "nowhere.glb" "bad.glb" "bunny.glb -r $folder/bad.json"; do
    # shellcheck disable=SC2086 # words
    "$cook" "$folder"/$mistake -o "$folder/never.tlw" >"$folder/cooked" 2>&1
    status=$?
    message=$(head -n 1 "$folder/cooked")
    # shellcheck disable=SC2086 # words
    pictures $status "${message#tallow-cook: }" "$folder"/$mistake
done

# No display: one line that names --png. No driver, or one that is too old: one line, too.
unset DISPLAY WAYLAND_DISPLAY
expect 1 "no display: neither DISPLAY nor WAYLAND_DISPLAY is set; --png writes pictures without one" "$blob"
one_line

# Pictures
run() { # NAME ARGUMENTS...
    name=$1
    shift
    "$view" "$@" --size 320x240 --png "$folder/${name}_%02d.png" >"$folder/out" 2>&1
}
if ! run first "$blob" --motion "$glb:dance" --frames 3; then
    grep -qE 'no EGL driver|OpenGL 3.3 is needed' "$folder/out" || fail "no pictures"
    one_line
    echo "pictures are skipped: $(cat "$folder/out")"
    exit 77
fi
grep -qE '^3 frames, .* 3 pictures, ' "$folder/out" || fail "the run does not say what it drew"
run again "$blob" --motion "$glb:dance" --frames 3 || fail "a second run fails"
for frame in 00 01 02; do
    cmp -s "$folder/first_$frame.png" "$folder/again_$frame.png" || fail "picture $frame is another one in a second run"
done
[ ! -e "$folder/first_03.png" ] || fail "there are more pictures than frames"
! cmp -s "$folder/first_00.png" "$folder/first_02.png" || fail "nothing moves"
run every "$blob" --motion "$glb:dance" --frames 3 --every 2 || fail "--every fails"
cmp -s "$folder/first_02.png" "$folder/every_01.png" || fail "--every 2 does not draw the third frame second"
run turned "$blob" --motion "$glb:dance" --frames 1 --camera 120,10,4 || fail "--camera fails"
! cmp -s "$folder/first_00.png" "$folder/turned_00.png" || fail "the camera changes nothing"
run plain "$blob" --motion "$glb:dance" --frames 3 --show none || fail "--show none fails"
run ghost "$blob" --motion "$glb:dance" --frames 3 --show ghost || fail "--show ghost fails"
run cut "$blob" --motion "$glb:dance" --frames 1 --show voxels --cut x,0.5 || fail "--cut fails"
run whole "$blob" --motion "$glb:dance" --frames 1 --show voxels || fail "--show voxels fails"
! cmp -s "$folder/cut_00.png" "$folder/whole_00.png" || fail "--cut cuts nothing away"
run voxel "$blob" --motion "$glb:dance" --frames 1 --show none --voxel 40 || fail "--voxel fails"
! cmp -s "$folder/plain_00.png" "$folder/voxel_00.png" || fail "a picked voxel is not marked"
expect 6 "cannot write" "$blob" --frames 1 --size 64x64 --png "$folder/nowhere/%d.png"
if MESA_GL_VERSION_OVERRIDE=2.1 run old "$blob" --frames 1; then
    echo "the driver is not Mesa's: that an old one is named is not tested"
else
    grep -q 'OpenGL 3.3 is needed, and the driver has OpenGL 2.1' "$folder/out" || fail "an old driver is not named"
    one_line
fi
# The middle is warm, as clay is; the corner and the edge are the backdrop's dark blue. The ghost and the
# deviation change pixels above the legend.
if command -v python3 >/dev/null; then
    run deviation "$blob" --motion "$glb:dance" --frames 3 || fail "deviation fails"
    python3 - "$folder/plain_02.png" "$folder/ghost_02.png" "$folder/deviation_02.png" >"$folder/out" <<'PYTHON' ||
import struct, sys, zlib
width, height = 320, 240
def rows_of(path):
    data, at, packed = open(path, "rb").read(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    raw, rows, last = zlib.decompress(packed), [], bytearray(width * 3)
    for y in range(height):
        start = y * (width * 3 + 1)
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + width * 3])
        for i in range(width * 3):
            a, b, c = row[i - 3] if i > 2 else 0, last[i], last[i - 3] if i > 2 else 0
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            row[i] = (row[i] + (0, a, b, (a + b) // 2, nearest)[kind]) & 255
        rows.append(row)
        last = row
    return rows
plain, ghost, deviation = [rows_of(path) for path in sys.argv[1:]]
pixel = lambda x, y: tuple(plain[y][x * 3:x * 3 + 3])
warm = lambda p: p[0] > p[2] + 8 and p[0] > 80
changed = lambda other: sum(plain[y][i] != other[y][i] for y in range(30, 200) for i in range(width * 3))
middle, corner, edge = pixel(width // 2, height // 2), pixel(width - 4, 4), pixel(4, height // 2)
print("middle", middle, "corner", corner, "edge", edge, "ghost", changed(ghost), "deviation", changed(deviation))
sys.exit(not (warm(middle) and not warm(corner) and not warm(edge) and min(changed(ghost), changed(deviation)) > 200))
PYTHON
        fail "the character is not in the middle, or has no ghost or deviation"
fi
echo "ok"
