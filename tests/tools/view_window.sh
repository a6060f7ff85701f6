#!/bin/sh
# SPDX-License-Identifier: MIT
# view_window.sh TALLOW-VIEW TALLOW-SAMPLE: the window under a virtual display, with a mouse and keys that
# xdotool moves. Sliders change what they name and nothing else, pulling moves the tissue under the cursor,
# pause freezes, undo restores, and a saved recipe opened again gives the same values and, after 60 frames, the
# same hash. The window tells where its controls are, and its state, by --layout.
# TLW_TEST_FULL=1 also loads the character 100 times, resizes and hides the window, and watches the memory.
# TLW_TEST_PICTURES=FOLDER keeps a picture of each step, where ImageMagick's import is there.
# Skipped without Xvfb, xdotool or a driver.
set -u
view=$1
sample=$2
command=$view
. "$(dirname "$0")/expect.sh"

# The page has a row for every key, word for word.
source=$(dirname "$0")/../../tools/view
: >"$folder/out"
{ cat "$source/panels.h" && tr -d '\n\\' <"$source/options.h"; } |
    grep -oE '(X\(SDLK_[A-Za-z0-9_]+, "[^"]+", "[^"]+"|X\([a-z]+, "[a-z]+", *"[a-z]", *"[^"]+"\))' |
    sed -E 's/^X\([^"]*"([a-z]+)", *"([a-z])", *"([^"]+)"\)$/| `\2` | \3 |/; s/^X\(SDLK[^"]*"([^"]+)", "([^"]+)"$/| `\1` | \2 |/' \
        >"$folder/keys"
[ "$(wc -l <"$folder/keys")" -gt 30 ] || fail "the table of keys is not found"
while read -r row; do
    grep -qxF -- "$row" "$source/README.md" || fail "tools/view/README.md has no row $row"
done <"$folder/keys"

for tool in Xvfb xdotool; do
    command -v $tool >/dev/null || {
        echo "skipped: there is no $tool (Debian: xvfb, xdotool)"
        exit 77
    }
done
. "$(dirname "$0")/../../tools/view/screen.sh"
open_screen 1280x720 || {
    echo "skipped: Xvfb does not start: $(tail -n 1 "$folder/xvfb")"
    exit 77
}

# Names are short, because some are typed.
absolute() {
    echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
}
view=$(absolute "$view")
sample=$(absolute "$sample")
cd "$folder" || exit 1
lay=layout
glb=man.glb
"$sample" --variant athletic -o $glb --recipe whole.json >out 2>&1 || fail "no sample"
sed 's/"resolution": 48/"resolution": 24/' whole.json >man.json

# ---- What the window says

complain() {
    [ ! -f "$lay" ] || grep -vE '^(Tissue|View)' "$lay" >>out
    fail "$@"
}

# Waits until the layout has a line that matches.
until_line() { # PATTERN WHAT
    tries=0
    until [ -f "$lay" ] && grep -qE "$1" "$lay"; do
        tries=$((tries + 1))
        [ $tries -lt "${patience:-200}" ] || complain "$2"
        kill -0 "$window" 2>/dev/null || complain "the window ended: $2"
        sleep 0.05
    done
}

# The layout of a frame that begins from now on: the second file that is written.
fresh() {
    for turn in 1 2; do
        before=$(stat -c %i:%Y:%Z "$lay")
        tries=0
        while [ "$(stat -c %i:%Y:%Z "$lay")" = "$before" ]; do
            tries=$((tries + 1))
            [ $tries -lt 400 ] || complain "the window stands still"
            sleep 0.02
        done
    done
}

tab=$(printf '\t')
shown() { # PATH: what the control shows
    awk -F"$tab" -v path="$1" '$1 == path { print $6 }' "$lay"
}

place() { # PATH SHARE: a place in the control, at that percentage of its width
    awk -F"$tab" -v path="$1" -v share="$2" '$1 == path && $4 > 0 && $5 > 0 {
        printf "%d %d\n", $2 + $4 * share / 100, $3 + $5 / 2 }' "$lay"
}

state() { # NAME: what follows it in a line of state
    awk -F"$tab" -v name="$1" '$1 == "state" { for (i = 2; i < NF; i++) if ($i == name) print $(i + 1) }' "$lay"
}

values() {
    grep -E '^(material|settings)' "$lay"
}

# ---- What a hand does

click() { # PATH
    at=$(place "$1" 50)
    [ -n "$at" ] || complain "there is no '$1' to click"
    # shellcheck disable=SC2086 # two numbers
    xdotool mousemove $at click 1
    fresh
}

drag() { # PATH FROM TO: shares of a slider's width in percent
    from=$(place "$1" "$2")
    to=$(place "$1" "$3")
    [ -n "$from" ] || complain "there is no slider '$1'"
    # shellcheck disable=SC2086
    xdotool mousemove $from mousedown 1 sleep 0.05 mousemove $to sleep 0.05 mouseup 1
    fresh
}

key() { # KEY...: over the picture, so that no control has the keyboard
    xdotool mousemove 660 60 key --delay 2 "$@"
    fresh
}

picture() { # NAME
    [ -z "${TLW_TEST_PICTURES:-}" ] || ! command -v import >/dev/null || {
        sleep 0.2
        import -window root "$TLW_TEST_PICTURES/$1.png"
    }
}

start() { # ARGUMENTS...
    rm -f "$lay"
    "$view" "$@" --layout "$lay" >said 2>&1 &
    window=$!
    tries=0
    until grep -q "^state${tab}loading${tab}0" "$lay" 2>/dev/null && grep -q '^Tissue/save' "$lay"; do
        tries=$((tries + 1))
        if ! kill -0 "$window" 2>/dev/null; then
            window=
            cp said out
            grep -qE 'OpenGL 3.3 is needed|no window|no display' said || fail "the window does not open"
            echo "skipped: $(cat said)"
            exit 77
        fi
        [ $tries -lt 1200 ] || complain "the character is not there after 60 s"
        sleep 0.05
    done
    fresh
}

stop() { # by the key; its exit code must be 0
    xdotool mousemove 660 60 key Escape
    tries=0
    while kill -0 "$window" 2>/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || complain "escape does not end the window"
        sleep 0.05
    done
    wait "$window"
    status=$?
    window=
    cp said out
    [ $status -eq 0 ] || fail "the window ends with $status"
    [ ! -s said ] || fail "the window complains"
}

sixty_frames() { # from the beginning, one at a time
    [ "$(state paused)" = 1 ] || key space
    key r
    # shellcheck disable=SC2046
    key $(yes period | head -n 60)
    until_line "^state${tab}steps${tab}60${tab}" "sixty single steps are not sixty"
}

# ---- Sliders change what they name, and nothing else

# Lines of values with the number that may change taken out: column COLUMN of the line that begins with LINE.
others() { # LINE COLUMN
    values | awk -F"$tab" -v OFS="$tab" -v line="$1" -v column="$2" '
        index($0, line) == 1 { $column = "" } { print }'
}

number() { # LINE COLUMN
    values | awk -F"$tab" -v line="$1" -v column="$2" 'index($0, line) == 1 { print $column; exit }'
}

slide() { # PATH FROM TO LINE COLUMN
    others "$4" "$5" >others
    old=$(number "$4" "$5")
    drag "$1" "$2" "$3"
    new=$(number "$4" "$5")
    [ -n "$new" ] && [ "$old" != "$new" ] || complain "slider '$1' does not change $4, which is $old"
    others "$4" "$5" | cmp -s - others || complain "slider '$1' also changes something else"
    awk -v shown="$(shown "$1")" -v is="$new" 'BEGIN { d = shown - is; exit !(d * d <= 1e-4 * is * is + 1e-6) }' ||
        complain "slider '$1' shows $(shown "$1"), and the character has $new"
}

start $glb:flex -r man.json
cp man.json first.json
fat="material${tab}whole character/fat$tab"
values >cooked
slide "Tissue/whole character/fat stiffness" 5 48 "$fat" 3
slide "Tissue/whole character/fat damping" 50 30 "$fat" 4
slide "Tissue/whole character/fat anchor" 25 40 "$fat" 5
slide "Tissue/whole character/fat limit" 25 40 "$fat" 6
picture slider
click "Tissue/whole character"
click "Tissue/Forces"
slide "Tissue/gravity" 50 33 "settings${tab}gravity$tab" 3
slide "Tissue/wind x" 50 60 "settings${tab}gravity$tab" 5
click "Tissue/Forces"
click "Tissue/Flex"
slide "Tissue/Flex/biceps_l" 2 70 "settings${tab}tension${tab}0$tab" 4
click "Tissue/Flex"

# ---- Undo restores, step by step, and redo comes back

values >changed
key u
[ "$(number "settings${tab}tension${tab}0$tab" 4)" = 0 ] || complain "undo does not take the tension back"
key u u u u u u
values | cmp -s - cooked || complain "seven times undo is not the character that was cooked"
[ "$(shown Tissue/undo)" = disabled ] || complain "there is more to undo than was done"
picture undo
key y y y y y y y
values | cmp -s - changed || complain "redo does not come back to what was changed"

key Escape
until_line "^state${tab}saved${tab}values were changed and not saved" "escape loses values without a word"

# ---- Pause freezes

key space
until_line "${tab}paused${tab}1" "space does not pause"
until_line "^state${tab}saved${tab}$" "the warning stays when somebody goes on"
fresh
frozen=$(state hash)
xdotool mousemove 660 300 # which is no reason to go on
sleep 0.4
fresh
[ "$(state hash)" = "$frozen" ] || complain "a paused character moves"
picture pause
key period
[ "$(state hash)" != "$frozen" ] || complain "a single step changes nothing"

# ---- Pulling moves the tissue under the cursor towards it

key r e # in plain clay, at rest
# shellcheck disable=SC2046 # two numbers
set -- $(awk -F"$tab" '$1 == "state" && $2 == "picture" {
    printf "%d %d\n", $3 + 0.485 * $5, $4 + 0.44 * $6 }' "$lay")
belly_x=$1
belly_y=$2
hand_x=$((belly_x + 100))
hand_y=$((belly_y + 20))
xdotool mousemove $belly_x $belly_y mousedown 1
until_line "^state${tab}pull" "there is no tissue under the cursor"
fresh
grep "^state${tab}pull" "$lay" >grabbed
xdotool mousemove $((belly_x + 50)) $((belly_y + 10)) sleep 0.1 mousemove $hand_x $hand_y
xdotool key --delay 2 period period period period period period period period period period
fresh
grep "^state${tab}pull" "$lay" >pulled
picture pull
cat grabbed pulled >out
awk -F"$tab" -v x="$belly_x" -v y="$belly_y" -v hx=$hand_x -v hy=$hand_y 'function far(a, b, c, d) { return sqrt((a - c) ^ 2 + (b - d) ^ 2) }
    NR == 1 && far($3, $4, x, y) > 30 { print "what was taken is not under the cursor"; exit 1 }
    NR == 1 { fromx = $3; fromy = $4 }
    NR == 2 && far($5, $6, hx, hy) > 3 { print "it is not pulled to the cursor"; exit 1 }
    NR == 2 && ($3 - fromx < 8 || far($3, $4, hx, hy) > far(fromx, fromy, hx, hy) - 8) {
        print "tissue does not follow"; exit 1 }' grabbed pulled >>out ||
    fail "pulling does not pull"
xdotool mouseup 1
fresh
! grep -q "^state${tab}pull" "$lay" || complain "tissue that was let go is still pulled"

# ---- Saving

key w
until_line "^state${tab}saved${tab}saved 'man.json'" "w does not save"
picture save
values >saved
sixty_frames
hash=$(state hash)
sleep 1.2 # in which a changed file would be cooked again
fresh
[ "$(state reloads)" = 0 ] || complain "saving cooks the character again"
[ "$(state hash)" = "$hash" ] || complain "saving changes the state"
grep -q '"view"' man.json || complain "the recipe has no view"

# Under another name, by the field: a file that is there is only replaced when asked twice.
cp first.json other.json
click "Tissue/recipe"
xdotool key ctrl+a type --delay 2 other.json
xdotool key Return
until_line "^Tissue/recipe.*other.json" "the field does not take a name"
click "Tissue/save"
until_line "^state${tab}saved.*is there already; save once more" "another file is replaced without asking"
cmp -s other.json first.json || complain "another file was replaced after all"
click "Tissue/save"
until_line "^state${tab}saved${tab}saved 'other.json'" "a file cannot be replaced"
cmp -s other.json man.json || complain "two recipes of the same values differ"
click "Tissue/recipe"
xdotool key ctrl+a type --delay 2 no/man.json
xdotool key Return
click "Tissue/save"
until_line "^state${tab}saved${tab}not saved: .*no/man" "a folder that is not there is not named"
picture refused
stop

# Opened again, and in a run without a window
start $glb:flex -r man.json
values | cmp -s - saved || {
    values | diff saved - >out
    fail "the saved recipe has other values"
}
sixty_frames
picture again
[ "$(state hash)" = "$hash" ] || complain "the saved recipe does not come to the hash $hash"
"$view" $glb:flex -r man.json --frames 61 --every 61 --size 64x64 --hash --png %d.png \
    >out 2>&1 || fail "a run without a window fails"
grep -q "^hash $hash" out || fail "a run without a window does not come to the hash $hash"

# ---- A profile that the recipe's view names is shown as if the recipe said nothing else, and names that the
# character does not have are said

cat >soft.json <<'JSON'
{"resolution": 16, "profiles": {"soft": {"layers": {"fat": {"stiffness": 0.1, "anchor_hz": 2}}}},
 "view": {"profile": "soft", "tensions": {"bicpes": 1}, "clip": "polka"}}
JSON
echo '{"resolution": 16, "layers": [{"name": "bone"}, {"name": "muscle"},
 {"name": "fat", "stiffness": 0.1, "anchor_hz": 2}, {"name": "skin"}]}' >plain.json
for name in soft plain; do
    "$view" $glb -r $name.json --frames 31 --every 31 --size 64x64 --hash --png %d.png >$name.said 2>&1 ||
        fail "a run without a window fails"
done
cat soft.said plain.said >out
[ "$(grep ^hash soft.said)" = "$(grep ^hash plain.said)" ] || fail "the view's profile is not what is shown"
grep -q "view.tensions: there is no muscle 'bicpes'" soft.said || fail "a muscle that is not there is not named"
grep -q "there is no clip 'polka'" soft.said || fail "a clip that is not there is not named"

# ---- Memory: 100 times loaded, resized and hidden

resident() { # kB
    awk '/^VmRSS/ { print $2 }' "/proc/$window/status"
}

if [ -n "${TLW_TEST_FULL:-}" ]; then
    id=$(xdotool search --name "^man" | head -n 1)
    for i in $(seq 100); do
        [ "$i" -ne 21 ] || early=$(resident)
        key F5
        patience=1200 until_line "^state${tab}loading${tab}0${tab}reloads${tab}$i$tab" "reload $i does not come"
    done
    late=$(resident)
    echo "resident after 20 reloads $early kB, after 100 $late kB" | tee out
    [ "$late" -lt $((early + early / 20)) ] || fail "memory grows with reloads"
    # Each of 35 sizes twice. The driver keeps some memory for the next picture, so that the most of the first
    # round is compared with the least of the second.
    objects=
    early=0
    late=
    for i in $(seq 70); do
        xdotool windowsize --sync "$id" $((650 + i % 7 * 90)) $((400 + i % 5 * 60))
        fresh
        xdotool windowunmap --sync "$id"
        sleep 0.1
        xdotool windowmap --sync "$id" windowfocus "$id"
        fresh
        now=$(resident)
        if [ "$i" -le 35 ]; then
            early=$((now > early ? now : early))
            objects=$(state objects)
        else
            late=$((now < ${late:-$now} ? now : ${late:-$now}))
        fi
    done
    echo "resident with 35 sizes at most $early kB, again at least $late kB" | tee out
    [ "$late" -lt $((early + early / 50)) ] || fail "memory grows with sizes"
    [ "$(state objects)" = "$objects" ] || complain "there were $objects objects of OpenGL"
    xdotool windowsize --sync "$id" 1280 720
    fresh
fi
stop

# ---- A window of one pixel: what is shared out there does not send the camera away

start $glb -r plain.json --size 900x500
id=$(xdotool search --sync --name "^man" | head -n 1) # once it has a title
far=$(awk -F"$tab" '$2 == "picture" { print $10 }' "$lay")
xdotool windowsize --sync "$id" 1 1
until_line "^state${tab}picture${tab}[^${tab}]*${tab}[^${tab}]*${tab}1[.]0${tab}1[.]0" "the window is not small"
key s
key s
xdotool windowsize --sync "$id" 900 500
until_line "^state${tab}picture${tab}320[.]0" "the picture does not come back between the panels"
[ "$(awk -F"$tab" '$2 == "picture" { print $10 }' "$lay")" = "$far" ] || complain "the camera was $far m away"
stop

# ---- The second of two that cannot be loaded has no values: the panels go on showing those of the first

echo '{"resolution": 1}' >bad.json
start $glb --compare plain.json bad.json
tries=0
until grep -q "resolution" said; do
    tries=$((tries + 1))
    [ $tries -lt 400 ] || complain "the second recipe is not named"
    sleep 0.05
done
key 1
[ "$(shown Tissue/character)" = "A, on the left" ] || complain "values of a character are shown that is not there"
kill -TERM "$window"
wait "$window" || fail "a window with one good character of two ends with an error"
window=

echo "ok"
