#!/bin/sh
# SPDX-License-Identifier: MIT
# pictures.sh TALLOW-VIEW TALLOW-SAMPLE FOLDER: draws the pictures of the README and of tools/view/README.md, on
# characters of our own: windowless ones, and the window under a virtual display, where xdotool moves the mouse and
# presses keys. Controls are found by the file that --layout writes, and numbered as the page's tables are. Needs
# Xvfb, xdotool and ImageMagick (Debian: xvfb, xdotool, imagemagick).
set -u
view=$(realpath "$1")
sample=$(realpath "$2")
out=$(realpath "$3")
for tool in Xvfb xdotool import convert montage; do
    command -v $tool >/dev/null || {
        echo "pictures.sh: there is no $tool (Debian: xvfb, xdotool, imagemagick)" >&2
        exit 1
    }
done
folder=$(mktemp -d "${TMPDIR:-/tmp}/tallow_pictures_XXXXXX") || exit 1
. "$(dirname "$(realpath "$0")")/screen.sh"
fail() {
    echo "pictures.sh: $*" >&2
    cat said >&2
    exit 1
}

# Names are shown as they are given.
cd "$folder" || exit 1
"$sample" --all . >said 2>&1 || fail "no samples"
man="athletic.glb:flex -r athletic.json"
echo '{"limbs": true}' >limbs.json
echo '{"resolution": 31}' >stout.json
echo '{"preset": "heavy"}' >heavy.json
echo '{"preset": "athletic"}' >athlete.json

# Few colours make small files; they are dithered, so that smooth shades stay smooth.
keep() { # NAME [CONVERT-ARGUMENT...]: $folder/shot.png, or what the arguments make of it
    name=$1
    shift
    convert shot.png "$@" -strip -dither FloydSteinberg -colors 255 -define png:compression-level=9 \
        "PNG8:$out/$name.png" || fail "$name cannot be written"
    echo "$out/$name.png $(wc -c <"$out/$name.png")"
}
keep_all_colours() { # NAME
    convert shot.png -strip -define png:compression-level=9 "$out/$1.png" || fail "$1 cannot be written"
    echo "$out/$1.png $(wc -c <"$out/$1.png")"
}

# ---- Without a window

still() { # NAME SIZE FRAME ARGUMENTS...: one frame of a run, as $folder/NAME.png
    name=$1
    size=$2
    frame=$3
    shift 3
    "$view" "$@" --size "$size" --frames "$frame" --every "$((frame - 1))" --png "${name}_%d.png" \
        >said 2>&1 || fail "no picture of $name"
    mv "${name}_1.png" "$name.png"
}

sheet() { # NAME COLUMNS PICTURE...
    name=$1
    columns=$2
    shift 2
    for picture in "$@"; do
        set -- "$@" "$picture.png"
        shift
    done
    montage "$@" -tile "${columns}x" -geometry +2+2 -background '#16191f' shot.png || fail "no sheet $name"
    keep "$name"
}

# shellcheck disable=SC2086 # words
{
    still plain 400x300 40 bunny.glb:dance --show plain
    still deviation 400x300 40 bunny.glb:dance --show deviation
    still stretch 400x300 40 bunny.glb:dance --show stretch
    still volume 400x300 40 bunny.glb:dance --show volume
    still layer 400x300 40 bunny.glb:dance --show layer
    still part 400x300 40 bunny.glb:dance --show part
    still muscle 400x300 80 $man --show muscle
    still ghost 400x300 80 $man --show plain,ghost
    still muscles 400x300 80 $man --show plain,muscles
    still skeleton 400x300 80 $man --show plain,skeleton
    still limbs 400x300 40 bunny.glb:dance -r limbs.json --show plain,limbs
    still voxels 400x300 80 $man --show voxels --cut z,0.52
    still picked 400x300 40 bunny.glb:dance --show plain --voxel 900 --camera 30,10,3
    still skinning 600x300 80 $man --show deviation,skinning
    still compare 600x300 70 stout.glb:dance --compare heavy.json athlete.json
}

# ---- The window

tab=$(printf '\t')
lay=layout

start() { # SIZE ARGUMENTS...
    rm -f "$lay"
    size=$1
    shift
    open_screen "$size" || fail "Xvfb does not start: $(tail -n 1 xvfb)"
    "$view" "$@" --size "$size" --text-scale 1 --layout "$lay" >said 2>&1 &
    window=$!
    for i in $(seq 600); do
        grep -q "^state${tab}loading${tab}0" "$lay" 2>/dev/null && grep -q '^Tissue/save' "$lay" && return
        kill -0 "$window" 2>/dev/null || fail "the window ends"
        sleep 0.1
    done
    fail "the window shows no character"
}

stop() {
    kill -TERM "$window"
    wait "$window"
    window=
    kill "$server"
    wait "$server"
    server=
}

fresh() { # the layout of a frame that begins from now on
    rm -f "$lay"
    until [ -s "$lay" ]; do sleep 0.02; done
    rm -f "$lay"
    until [ -s "$lay" ]; do sleep 0.02; done
}

keys() { # KEY...: over the picture
    xdotool mousemove 660 60 key --delay 20 "$@"
    fresh
}

frames() { # COUNT: single steps from the beginning
    grep -q "${tab}paused${tab}1" "$lay" || keys space
    keys r
    # shellcheck disable=SC2046 # words
    keys $(yes period | head -n "$1")
    fresh
}

click() { # PATH
    at=$(awk -F"$tab" -v path="$1" '$1 == path && $5 > 0 { printf "%d %d\n", $2 + $4 / 2, $3 + $5 / 2 }' "$lay")
    [ -n "$at" ] || fail "there is no $1"
    # shellcheck disable=SC2086 # two numbers
    xdotool mousemove $at click 1
    fresh
}

shoot() { # whole window, the mouse out of the way
    xdotool mousemove 640 4
    fresh
    sleep 0.3
    import -window root shot.png || fail "no picture of the window"
}

# A number for each control: rows of NUMBER PATH on stdin. Numbers stand in a margin to the left, those of one row
# beside each other in the order of their controls.
number_controls() { # NAME X WIDTH HEIGHT
    awk -F"$tab" -v lay="$lay" '
        BEGIN { while ((getline line < lay) > 0) { split(line, f, "\t"); y[f[1]] = f[3]; h[f[1]] = f[5] } }
        { split($0, f, " "); path = substr($0, length(f[1]) + 2)
          if (!(h[path] > 0)) { print "pictures.sh: no control " path >"/dev/stderr"; next }
          number[++count] = f[1]; row[count] = int(y[path] + h[path] / 2); ++in_row[row[count]] }
        END { for (i = 1; i <= count; ++i) {
            at = 84 - 21 * (in_row[row[i]] - ++used[row[i]])
            printf "fill #f0e442 circle %d,%d %d,%d fill #10131a text %d,%d \"%s\"\n", at, row[i], at + 9, row[i],
                at - (length(number[i]) > 1 ? 7 : 4), row[i] + 4, number[i] } }
    ' >marks || fail "no numbers for $1"
    convert shot.png -crop "$3x$4+$2+0" +repage -background '#16191f' -gravity west -splice 96x0 +gravity \
        -font DejaVu-Sans-Bold -pointsize 12 -draw "$(cat marks)" numbered.png || fail "no $1"
    mv numbered.png shot.png
    keep "$1"
}

steps() { # COUNT: single steps, the mouse where it is
    # shellcheck disable=SC2046 # words
    xdotool key --delay 20 $(yes period | head -n "$1")
    fresh
}

# The whole window: a rabbit dances, a voxel of its belly is watched, and the mouse pulls beside it.
start 1280x720 stout.glb:dance -r stout.json --show deviation
xdotool mousemove 680 350 key z
sleep 4
frames 60
xdotool mousemove 590 300 mousedown 1 mousemove 560 290 mousemove 470 250
steps 25
sleep 0.3
import -window root shot.png
xdotool mouseup 1
keep_all_colours window
keys h
shoot
keep keys
stop

# What touches: the mouse pulls, and a capsule is pressed in.
start 1280x720 stout.glb:idle -r stout.json --show deviation
keys space F2 r
xdotool mousemove 640 350 mousedown 1 mousemove 700 330 mousemove 800 300
steps 40
import -window root pull.png
stop
start 1280x720 stout.glb:idle -r stout.json --show contact --camera 65,8,4
keys space r c
click View/Touch
at=$(awk -F"$tab" '$1 == "View/capsule z" { printf "%d %d\n", $2 + $4 / 2, $3 + $5 / 2 }' "$lay")
# shellcheck disable=SC2086 # two numbers
xdotool mousemove $at keydown ctrl click 1 keyup ctrl sleep 0.5 type 0.44
xdotool key Return
fresh
xdotool mousemove 660 60
fresh
keys F2
steps 40
import -window root press.png
stop
montage pull.png press.png -crop 640x640+320+48 +repage -resize 480x -tile 2x -geometry +2+2 \
    -background '#16191f' shot.png || fail "no sheet of what touches"
keep touch
convert press.png -crop 800x600+240+60 +repage -resize 400x300 contact.png || fail "no contact"

# The panels, as tall as they are.
# shellcheck disable=SC2086 # words
start 1280x1400 $man
for control in Tissue/Flex Tissue/Forces "Tissue/Solver and poses" View/Touch View/voxels View/plane View/capsule \
    "View/limit frames"; do
    click "$control"
done
shoot
cp shot.png panels.png
number_controls tissue 0 320 1210 <<'CONTROLS'
1 Tissue/preset
2 Tissue/undo
3 Tissue/redo
4 Tissue/as cooked
5 Tissue/save
6 Tissue/recipe
7 Tissue/stop test
8 Tissue/whole character
9 Tissue/whole character/muscle stiffness
10 Tissue/whole character/muscle anchor
11 Tissue/whole character/muscle damping
12 Tissue/whole character/muscle limit
13 Tissue/head
14 Tissue/Flex/biceps_l
15 Tissue/gravity
16 Tissue/wind x
17 Tissue/wind drag
18 Tissue/time scale
19 Tissue/rotation iterations
20 Tissue/repeats
21 Tissue/skinned volume
22 Tissue/pose filter
CONTROLS
cp panels.png shot.png
number_controls view 1000 280 1030 <<'CONTROLS'
1 View/clip
2 View/pause
3 View/step
4 View/restart
5 View/speed
6 View/limit frames
7 View/steps per second
8 View/root motion
9 View/noise
10 View/colours
11 View/ghost
12 View/muscles
13 View/skeleton
14 View/limbs
15 View/voxels
16 View/skinning
17 View/cut across
18 View/cut at
19 View/quality
20 View/letters
21 View/compare
22 View/ball
23 View/plane
24 View/plane height
25 View/capsule
26 View/capsule x
27 View/capsule turn
28 View/##frames
29 View/graphs
CONTROLS
stop

sheet colours 4 plain deviation stretch volume layer part contact muscle
sheet marks 3 ghost muscles skeleton limbs voxels picked
sheet pair 2 skinning compare
