#!/bin/sh
# SPDX-License-Identifier: MIT
# sim.sh TALLOW-SIM TALLOW-SAMPLE MAKE_SAMPLE_BLOB: the command line of tallow-sim. Every mistake gives one
# line and its exit code, files are replaced atomically, the dump holds what its documentation says, and
# hashes do not depend on workers or instruction sets.
set -u
sim=$1
sample=$2
make_blob=$3
command=$sim
. "$(dirname "$0")/expect.sh"

blob=$folder/bunny.tlw
glb=$folder/bunny.glb
"$make_blob" "$blob" bunny 16 >"$folder/out" 2>&1 || fail "make_sample_blob fails"
"$sample" --variant bunny -o "$glb" >"$folder/out" 2>&1 || fail "no sample"

everything=$folder/everything.tlw # ring normals, radial basis functions, limbs and a profile too
"$make_blob" "$everything" bunny 16 all >"$folder/out" 2>&1 || fail "make_sample_blob all fails"
bare=$folder/bare.tlw # no skinned volume
"$make_blob" "$bare" bunny 16 bare >"$folder/out" 2>&1 || fail "make_sample_blob bare fails"
muscled=$folder/muscled.tlw # a biceps in each arm
"$make_blob" "$muscled" bunny 16 muscles >"$folder/out" 2>&1 || fail "make_sample_blob muscles fails"

# Usage
usage "a blob must be named"
usage "there is no '--motion'" "$blob" --frames 3
usage "there is no '--frames'" "$blob" --motion "$glb"
usage "unknown option '--nonsense'" "$blob" --nonsense
usage "more than one blob: 'second.tlw'" "$blob" second.tlw
for option in --motion --frames --hz --workers --isa --preset --embedding --normals --order \
    --smoothing --volume --fade --gravity --wind --time-scale --limbs --press --tension --dump --picture --columns --yaw \
    --export --export-every; do
    usage "something must follow '$option'" "$blob" $option
done
usage "given twice: '--frames'" "$blob" --frames 3 --frames 4
usage "--motion takes a file, not ''" "$blob" --motion ''
usage "--motion takes a file, not ':dance'" "$blob" --motion :dance
for frames in 0 -1 ten 1.5 '' 1000001 99999999999999999999; do
    usage "--frames takes 1 to 1000000, not '$frames'" "$blob" --frames "$frames"
done
for hz in 0 -60 nan inf 60Hz '' 1001; do
    usage "--hz takes 1 to 1000, not '$hz'" "$blob" --hz "$hz"
done
usage "--workers takes 1 to 256, not '0'" "$blob" --workers 0
usage "--workers takes 1 to 256, not '257'" "$blob" --workers 257
usage "unknown instruction set 'mmx'" "$blob" --isa mmx
usage "unknown preset 'jelly'" "$blob" --preset jelly
usage "--embedding takes auto, delta, fit, rbf or frames, not 'trilinear'" "$blob" --embedding trilinear
usage "--normals takes gradient or ring, not 'rings'" "$blob" --normals rings
usage "--order takes source or cooked, not ''" "$blob" --order ''
for smoothing in -0.1 1.1 nan much ''; do
    usage "--smoothing takes 0 to 1, not '$smoothing'" "$blob" --smoothing "$smoothing"
done
usage "--volume takes on or off, not 'half'" "$blob" --volume half
for fade in firm firm: :1 firm:-1 firm:nan firm:1@ firm:1@-1 firm:1@2@3 ''; do
    usage "--fade takes NAME:SECONDS or NAME:SECONDS@T, not '$fade'" "$blob" --fade "$fade"
done
for gravity in 1 1,2 1,2,3,4 1,,3 1,2,x 1,2,nan 2e6,0,0 ''; do
    usage "--gravity takes X,Y,Z, not '$gravity'" "$blob" --gravity "$gravity"
done
for wind in 1,2 1,2,3: 1,2,3:-1 1,2,3:x 1:2,3,4 ''; do
    usage "--wind takes X,Y,Z or X,Y,Z:DRAG, not '$wind'" "$blob" --wind "$wind"
done
usage "--time-scale takes 0 to 10, not '11'" "$blob" --time-scale 11
usage "--limbs takes on or off, not 'half'" "$blob" --limbs half
for press in 0 -1 nan deep 1001; do
    usage "--press takes above 0 to 1000, not '$press'" "$blob" --press "$press"
done
for tension in biceps_l biceps_l: :1 biceps_l:-0.1 biceps_l:1.001 biceps_l:nan biceps_l:inf biceps_l:hard ''; do
    usage "--tension takes NAME:T with T from 0 to 1, not '$tension'" "$muscled" --tension "$tension"
done
usage "option '--lines' goes with --picture" "$muscled" --motion "$glb" --frames 1 --lines
usage "option '--picture' goes with vertices in the order of the source" \
    "$blob" --motion "$glb" --frames 1 --order cooked --picture "$folder/a.png"
usage "--columns takes 1 to 16, not '17'" "$blob" --columns 17
usage "--yaw takes -360 to 360, not 'left'" "$blob" --yaw left
for name in a.obj glb .glb a.glb.txt ''; do
    usage "--export takes a file that ends in .pc2 or .glb, not '$name'" "$blob" --export "$name"
done
usage "--export-every takes 1 to 1000000, not '0'" "$blob" --export a.glb --export-every 0
usage "option '--export-every' goes with --export" "$blob" --motion "$glb" --frames 1 --export-every 2
usage "option '--export' goes with vertices in the order of the source" \
    "$blob" --motion "$glb" --frames 1 --order cooked --export "$folder/a.glb"
usage "exported twice: 'a.glb'" "$blob" --motion "$glb" --frames 1 --export a.glb --export b.glb --export a.glb
usage "more than 8 files to export: '9.glb'" "$blob" --motion "$glb" --frames 1 --export 1.glb --export 2.glb \
    --export 3.glb --export 4.glb --export 5.glb --export 6.glb --export 7.glb --export 8.glb --export 9.glb
for isa in scalar sse2 avx2 neon; do # at least one of them is not available here
    "$sim" "$blob" --motion "$glb" --frames 1 --isa $isa --hash >"$folder/out" 2>&1 && continue
    usage "this machine or build does not run '$isa'" "$blob" --motion "$glb" --frames 1 --isa $isa
done
expect 0 "usage: tallow-sim" --help
exit_codes_are_documented
expect 2 "there is no clip 'polka'; there are: idle, walk, dance" "$blob" --motion "$glb:polka" --frames 1
one_line

# What the recipe did not ask for
expect 2 "'bunny' has no radial basis functions, which need " "$blob" --motion "$glb" --frames 1 --embedding rbf
one_line
expect 2 "'bunny' has no ring normals, which need " "$blob" --motion "$glb" --frames 1 --normals ring
one_line
expect 2 "'bare' has no bends, which need \"volume\" in the recipe" "$bare" --motion "$glb" --frames 1 --volume on
one_line
expect 0 "bare: " "$bare" --motion "$glb" --frames 1 --volume off
expect 2 "'bunny' has no limbs, which need \"limbs\": true in the recipe" "$blob" --motion "$glb" --frames 1 --limbs on
one_line
expect 0 "bunny: " "$blob" --motion "$glb" --frames 1 --limbs off
usage "the blob has no profile 'fat'; tallow-inspect lists" "$everything" --motion "$glb" --frames 1 --fade fat:1
expect 2 "'bunny' has no muscles, which need \"muscles\" in the recipe" "$blob" --motion "$glb" --frames 1 --tension all:1
one_line
expect 2 "'bunny' has no muscles, which need " "$blob" --motion "$glb" --frames 1 --lines --picture "$folder/never.png"
one_line
usage "the blob has no muscle 'bicep_l'; did you mean 'biceps_l'?" "$muscled" --motion "$glb" --frames 1 --tension bicep_l:1
usage "the blob has no muscle 'calf'; tallow-inspect lists" "$muscled" --motion "$glb" --frames 1 \
    --tension biceps_l:1 --tension calf:1
expect 0 "everything: " "$everything" --motion "$glb" --frames 2 --embedding rbf --normals ring --order cooked

# Files that cannot be read, or are not what they should be
expect 3 "cannot read '$folder/nowhere.tlw': " "$folder/nowhere.tlw" --motion "$glb" --frames 1
one_line
expect 3 "$folder/nowhere.glb: " "$blob" --motion "$folder/nowhere.glb" --frames 1
one_line
expect 3 "c:dance: " "$blob" --motion c:dance --frames 1 # as a drive letter, not as a file 'c'
mkdir "$folder/a:b"
cp "$glb" "$folder/a:b/c.glb"
expect 0 "bunny: " "$blob" --motion "$folder/a:b/c.glb" --frames 1
expect 0 "bunny: " "$blob" --motion "$folder/a:b/c.glb:walk" --frames 1
printf '%0100d' 7 >"$folder/bad.tlw"
expect 4 "bad blob '$folder/bad.tlw': header or table, element 0, byte 0: magic: expected " \
    "$folder/bad.tlw" --motion "$glb" --frames 1
one_line
cp "$blob" "$folder/bad.tlw"
printf '\377' | dd of="$folder/bad.tlw" bs=1 seek=1000 conv=notrunc 2>/dev/null
expect 4 "content hash: expected " "$folder/bad.tlw" --motion "$glb" --frames 1
printf 'not a glb' >"$folder/bad.glb"
expect 4 "$folder/bad.glb: " "$blob" --motion "$folder/bad.glb" --frames 1
one_line
sed 's/"ear_tip_l"/"ear_tap_l"/g' "$glb" >"$folder/other.glb"
expect 4 "'$folder/other.glb' has no node 'ear_tip_l', which is joint " \
    "$blob" --motion "$folder/other.glb" --frames 1
one_line

# Files that cannot be written; the old file stays
for option in --dump --picture; do
    expect 6 "cannot write '$folder/nowhere/a': " "$blob" --motion "$glb" --frames 2 $option "$folder/nowhere/a"
    one_line
done
echo "old" >"$folder/old"
cp "$folder/old" "$folder/dump"
expect 6 "cannot write '$folder/nowhere/a': " "$blob" --motion "$glb" --frames 2 --dump "$folder/dump" \
    --picture "$folder/nowhere/a"
cmp -s "$folder/old" "$folder/dump" || fail "a failed run changed the old dump"
for kind in pc2 glb; do
    expect 6 "cannot write '$folder/nowhere/a.$kind': " "$blob" --motion "$glb" --frames 2 \
        --export "$folder/dump.glb" --export "$folder/nowhere/a.$kind"
    one_line
    [ ! -e "$folder/dump.glb" ] || fail "a failed run wrote an export"
done
expect 6 "cannot write '$folder/large.glb': 1000000 frames need " \
    "$blob" --motion "$glb" --frames 1000000 --export "$folder/large.glb"
one_line
[ -z "$(find "$folder" -name '.tlw-*')" ] || fail "a temporary was left behind"
if [ -c /dev/full ] && [ "$(uname)" = Linux ]; then
    for option in --dump --picture; do
        expect 6 "cannot write '/dev/full': " "$blob" --motion "$glb" --frames 2 $option /dev/full
    done
    for kind in pc2 glb; do
        ln -s /dev/full "$folder/full.$kind"
        expect 6 "cannot write '$folder/full.$kind': " "$blob" --motion "$glb" --frames 2 --export "$folder/full.$kind"
        one_line
    done
    for option in --hash ''; do
        # shellcheck disable=SC2086 # may be empty
        "$sim" "$blob" --motion "$glb" --frames 2 $option >/dev/full 2>"$folder/out"
        [ $? -eq 6 ] || fail "'$option' to a full standard output does not exit with 6"
        one_line
    done
fi

# The table
expect 0 "bunny: " "$blob" --motion "$glb:dance" --frames 61
for part in '^  clip  *dance, 4 s' '^  frames  *61 at 60 Hz, 1 s' '^  substeps  *60$' '^  flags seen ' \
    '^  bounds  *-' '^  regions  *[0-9]' '^  embed  *[0-9]' 'frames over the budget of'; do
    grep -q "$part" "$folder/out" || fail "the table has no line '$part'"
done
expect 0 "bunny: " "$blob" --motion "$glb" --frames 21 --hz 8
grep -q '^  clip  *idle, ' "$folder/out" || fail "without a name it is not the first clip"
grep -q '^  substeps  *120$' "$folder/out" || fail "frames of 1/8 s are not cut to 6 substeps"
grep -q '^  flags seen  *dropped time' "$folder/out" || fail "dropped time is not told"

grep -q '^  touched' "$folder/out" && fail "a contact is told where nothing is pressed"
expect 0 "bunny: " "$blob" --motion "$glb" --frames 61 --press 0.05
grep -qE '^  touched  *[1-9][0-9.]* mm deep at voxel [0-9]+$' "$folder/out" || fail "--press touches nothing"
expect 0 "bunny: " "$blob" --motion "$glb" --frames 61 --time-scale 0.5
grep -q '^  substeps  *30$' "$folder/out" || fail "--time-scale 0.5 does not halve the substeps"

# Muscles: tension, elongation at the end, least and greatest
grep -q '^  muscles  *tension' "$folder/out" && fail "muscles are listed where there are none"
row() { # MUSCLE PATTERN ARGUMENTS...
    muscle=$1
    pattern=$2
    shift 2
    expect 0 "muscled: " "$muscled" --motion "$glb:dance" --frames 61 "$@"
    grep -qE "^    $muscle  *$pattern( *[01]\.[0-9]{3}){3}\$" "$folder/out" || fail "$* does not make $muscle $pattern"
}
row biceps_l '0\.[0-9]*' # follows the elbow
row biceps_l 0.900 --tension biceps_l:0.9
row biceps_r '0\.[0-8][0-9]*' --tension biceps_l:0.9
row biceps_r 1.000 --tension all:1
row biceps_r 0.900 --tension '*:1' --tension biceps_r:0.9
row biceps_l 1.000 --tension '*:1' --tension biceps_r:0.9
awk '$1 == "biceps_l" && !($4 <= $3 && $3 <= $5 && $4 < $5) { exit 1 }' "$folder/out" ||
    fail "the elongation at the end is not between the least and the greatest"

# The dump: header, size, and no other output
frames=7
"$sim" "$blob" --motion "$glb:dance" --frames $frames --hz 30 --dump "$folder/dump" >"$folder/out" 2>&1 ||
    fail "--dump fails"
[ ! -s "$folder/out" ] || fail "--dump is not silent"
[ "$(head -c 8 "$folder/dump")" = TLWDUMP1 ] || fail "the dump does not start with TLWDUMP1"
# shellcheck disable=SC2046 # three numbers
set -- $(od -An -tu4 -j8 -N12 "$folder/dump")
[ "$1" -eq $frames ] || fail "the dump has $1 frames, not $frames"
"$sim" "$blob" --motion "$glb" --frames 1 >"$folder/out" 2>&1
grep -q ": $2 voxels of .* mm, $3 vertices" "$folder/out" || fail "the dump says $2 voxels and $3 vertices"
size=$(wc -c <"$folder/dump")
[ "$size" -eq $((20 + frames * ($2 + $3) * 12)) ] || fail "the dump has $size bytes"

# Exports: both kinds at once, and their frames are those of the dump
"$sim" "$blob" --motion "$glb:dance" --frames $frames --hz 30 --export "$folder/a.pc2" --export "$folder/a.glb" \
    --export "$folder/every.pc2" >"$folder/out" 2>&1 || fail "--export fails"
[ ! -s "$folder/out" ] || fail "--export is not silent"
cmp -s "$folder/a.pc2" "$folder/every.pc2" || fail "the same export twice is not the same"
frame_bytes=$((($2 + $3) * 12))
for frame in 0 $((frames - 1)); do
    tail -c +$((33 + frame * $3 * 12)) "$folder/a.pc2" | head -c $(($3 * 12)) >"$folder/exported"
    tail -c +$((21 + frame * frame_bytes + $2 * 12)) "$folder/dump" | head -c $(($3 * 12)) >"$folder/dumped"
    cmp -s "$folder/exported" "$folder/dumped" || fail "frame $frame of the point cache is not that of the dump"
done
[ "$(head -c 4 "$folder/a.glb")" = glTF ] || fail "a.glb is no GLB"
grep -qa '"name":"dance"' "$folder/a.glb" || fail "the animation is not named by the clip"
"$sim" "$blob" --motion "$glb:dance" --frames $frames --hz 30 --export "$folder/every.pc2" --export-every 3 \
    >"$folder/out" 2>&1 || fail "--export-every fails"
[ "$(wc -c <"$folder/every.pc2")" -eq $((32 + 3 * $3 * 12)) ] || fail "every 3rd of $frames frames are not 3"
tail -c $(($3 * 12)) "$folder/every.pc2" | cmp -s - "$folder/dumped" || fail "the third is not frame 6"

# What is written depends on how it is embedded; the order changes places and nothing else
dump() { # OUT ARGUMENTS...
    out=$1
    shift
    "$sim" "$everything" --motion "$glb:dance" --frames 9 --dump "$folder/$out" "$@" >"$folder/out" 2>&1 ||
        fail "--dump $*"
}
dump auto
dump rbf --embedding rbf
cmp -s "$folder/auto" "$folder/rbf" || fail "auto is not rbf where that was cooked"
dump source --embedding fit
dump quarter --embedding fit --smoothing 0.25
cmp -s "$folder/source" "$folder/quarter" || fail "the smoothing is not 0.25"
dump cooked --embedding fit --order cooked
[ "$(od -An -v -tx4 -w12 -j20 "$folder/source" | sort | cksum)" = \
    "$(od -An -v -tx4 -w12 -j20 "$folder/cooked" | sort | cksum)" ] || fail "the order changes more than places"
dump rough --embedding fit --smoothing 0
dump delta --embedding delta
dump frames --embedding frames
for one in rbf source cooked rough delta frames; do
    for other in rbf source cooked rough delta frames; do
        [ $one = $other ] || ! cmp -s "$folder/$one" "$folder/$other" || fail "$one and $other are the same"
    done
done

# Skinned volume is on where it was cooked, and can be turned off; a fade begins when it is told to
dump on --volume on
cmp -s "$folder/auto" "$folder/on" || fail "skinned volume is not on by default"
dump off --volume off
! cmp -s "$folder/auto" "$folder/off" || fail "skinned volume is on where it is off"
dump at_once --fade firm:0
dump later --fade firm:0@0.1
dump slowly --fade firm:0.2
dump never --fade firm:1@9
cmp -s "$folder/auto" "$folder/never" || fail "a fade that has not begun changes something"
for one in auto at_once later slowly; do
    for other in auto at_once later slowly; do
        [ $one = $other ] || ! cmp -s "$folder/$one" "$folder/$other" || fail "$one and $other are the same"
    done
done

# Contact and forces change the motion, each in its own way; without a force everything stays
dump limbs --limbs on
cmp -s "$folder/auto" "$folder/limbs" || fail "own limbs are not on where they were cooked"
dump nothing --gravity 0,0,0 --wind 0,0,-9:0 --time-scale 1
cmp -s "$folder/auto" "$folder/nothing" || fail "forces of 0 change something"
dump gravity --gravity 0,-9.81,0
dump wind --wind 0,0,-10
dump gale --wind 0,0,-10:0.3
dump slow --time-scale 0.5
dump filter --filter
dump press --press 0.2
for one in auto gravity wind gale slow filter press; do
    for other in auto gravity wind gale slow filter press; do
        [ $one = $other ] || ! cmp -s "$folder/$one" "$folder/$other" || fail "$one and $other are the same"
    done
done
dump calm --wind 0,0,-10:0.1
cmp -s "$folder/wind" "$folder/calm" || fail "the drag of the wind is not 0.1"

# Hashes
hash() { # OUT ARGUMENTS...
    out=$1
    shift
    "$sim" "$blob" --motion "$glb:sudden_stop" --hash "$@" >"$folder/$out" 2>"$folder/out" || fail "--hash $*"
}
hash first --frames 90
[ "$(wc -l <"$folder/first")" -eq 91 ] || fail "--hash has not a line a frame and one more"
grep -qE '^frame 0 [0-9a-f]{16}$' "$folder/first" || fail "no line for frame 0"
grep -qE '^frame 89 [0-9a-f]{16}$' "$folder/first" || fail "no line for frame 89"
tail -n 1 "$folder/first" | grep -qE ' [0-9a-f]{16}$' || fail "the last word is no hash"
[ "$(sort -k3 -u "$folder/first" | wc -l)" -ge 85 ] || fail "frames of a motion have the same hash"
for workers in 1 2 5; do
    for isa in scalar sse2 avx2 neon; do
        "$sim" "$blob" --motion "$glb" --frames 1 --isa $isa --hash >"$folder/out" 2>&1 || continue
        hash again --frames 90 --workers $workers --isa $isa
        cmp -s "$folder/first" "$folder/again" || {
            diff "$folder/first" "$folder/again" | head -n 3 >"$folder/out"
            fail "$workers workers on $isa give another hash"
        }
    done
done
hash again --frames 90 --preset smurf
cmp -s "$folder/first" "$folder/again" && fail "a preset changes nothing"
hash again --frames 60
head -n 60 "$folder/first" | cmp -s - "$folder/again" && fail "the last line is missing"
head -n 60 "$folder/first" >"$folder/cut"
head -n 60 "$folder/again" | cmp -s - "$folder/cut" || fail "fewer frames are not the first of more"
# The hash of all frames, computed a second time here.
if command -v python3 >/dev/null; then
    python3 - "$folder/first" >"$folder/out" <<'PYTHON' || fail "the hash of all is not XXH64 of the hashes"
import struct, sys
M = (1 << 64) - 1
P = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
rotated = lambda x, n: (x << n | x >> (64 - n)) & M
mix = lambda a, x: rotated((a + x * P[1]) & M, 31) * P[0] & M
lines = [line.split() for line in open(sys.argv[1])]
words = [int(line[2], 16) for line in lines[:-1]]
size = len(words) * 8
if size >= 32:
    lanes = [(P[0] + P[1]) & M, P[1], 0, -P[0] & M]
    while len(words) >= 4:
        lanes = [mix(lanes[i], words[i]) for i in range(4)]
        words = words[4:]
    h = sum(rotated(lanes[i], (1, 7, 12, 18)[i]) for i in range(4)) & M
    for lane in lanes:
        h = ((h ^ mix(0, lane)) * P[0] + P[3]) & M
else:
    h = P[4]
h = (h + size) & M
for word in words:
    h = (rotated(h ^ mix(0, word), 27) * P[0] + P[3]) & M
h = (h ^ h >> 33) * P[1] & M
h = (h ^ h >> 29) * P[2] & M
print("%016x" % (h ^ h >> 32), "expected,", lines[-1][-1], "found")
sys.exit("%016x" % (h ^ h >> 32) != lines[-1][-1])
PYTHON
fi

# Pictures
"$sim" "$blob" --motion "$glb:dance" --frames 30 --picture "$folder/a.png" --columns 3 --yaw 90 \
    >"$folder/out" 2>&1 || fail "--picture fails"
[ ! -s "$folder/out" ] || fail "--picture is not silent"
head -c 4 "$folder/a.png" | grep -q PNG || fail "a.png is no PNG"
for depth in 0.001 0.1; do
    "$sim" "$blob" --motion "$glb" --frames 31 --press $depth --picture "$folder/$depth.png" --columns 1 \
        >"$folder/out" 2>&1 || fail "--press $depth --picture fails"
done
for lines in '' --lines; do
    # shellcheck disable=SC2086 # may be empty
    "$sim" "$muscled" --motion "$glb:dance" --frames 31 $lines --picture "$folder/muscled$lines.png" --columns 1 \
        >"$folder/out" 2>&1 || fail "$lines --picture fails"
done
cmp -s "$folder/muscled.png" "$folder/muscled--lines.png" && fail "the picture does not show lines"
cmp -s "$folder/0.001.png" "$folder/0.1.png" && fail "the picture does not show what is pressed"
echo "ok"
