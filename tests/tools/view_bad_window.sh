#!/bin/sh
# SPDX-License-Identifier: MIT
# view_bad_window.sh TALLOW-VIEW TALLOW-COOK TALLOW-SAMPLE: what the window does with bad input, under a virtual
# display. A character that cannot be loaded is named in the window and on stderr, and the window ends with the
# cooker's exit code. A cook that fails later keeps the character, and shows the message until the file is good
# again. A driver without OpenGL 3.3 is named with its version. Without EGL, pictures come from a hidden window.
# The window tells its state by --layout. TLW_TEST_FULL=1 gives it more bad files. Skipped without Xvfb or a
# driver.
set -u
view=$1
cook=$2
sample=$3
command=$view
. "$(dirname "$0")/expect.sh"

command -v Xvfb >/dev/null || {
    echo "skipped: there is no Xvfb (Debian: xvfb)"
    exit 77
}
. "$(dirname "$0")/../../tools/view/screen.sh"
open_screen 640x480 || {
    echo "skipped: Xvfb does not start: $(tail -n 1 "$folder/xvfb")"
    exit 77
}

lay=$folder/layout
glb=$folder/bunny.glb
good='{"resolution": 12}'
"$sample" --variant bunny -o "$glb" >"$folder/out" 2>&1 || fail "no sample"
echo "$good" >"$folder/good.json"
"$cook" "$glb" -r "$folder/good.json" -o "$folder/good.tlw" >"$folder/out" 2>&1 || fail "the sample cannot be cooked"

# ---- The window

open_window() { # ARGUMENTS...
    rm -f "$lay"
    "$view" "$@" --size 320x240 --layout "$lay" >"$folder/out" 2>&1 &
    window=$!
}

# Waits until the layout has a line that matches, and in it a text.
until_line() { # PATTERN WHAT [TEXT]
    tries=0
    until [ -f "$lay" ] && grep -E "$1" "$lay" | grep -qF -- "${3:-}"; do
        tries=$((tries + 1))
        if [ $tries -ge 400 ] || ! kill -0 $window 2>/dev/null; then
            [ ! -f "$lay" ] || cat "$lay" >>"$folder/out"
            fail "$2"
        fi
        sleep 0.05
    done
}

# Asks the window to end, as a desktop does. The result is its exit code.
close_window() {
    kill -TERM $window
    wait $window
    status=$?
    window=
    return $status
}

tab=$(printf '\t')

# A driver is needed. One that is too old is named, with its version and in one line.
open_window "$folder/good.tlw"
for i in $(seq 200); do
    [ ! -f "$lay" ] && kill -0 $window 2>/dev/null || break
    sleep 0.05
done
if [ ! -f "$lay" ]; then
    wait $window
    window=
    one_line
    echo "skipped: $(cat "$folder/out")"
    exit 77
fi
until_line "^state${tab}steps${tab}[1-9]" "a good blob does not move"
close_window || fail "a good blob ends with an error"
[ ! -s "$folder/out" ] || fail "a good blob is complained about"
if MESA_GL_VERSION_OVERRIDE=2.1 "$view" "$folder/good.tlw" --png "$folder/never_%d.png" --frames 1 >"$folder/out" 2>&1; then
    echo "the driver is not Mesa's: that an old one is named is not tested"
else
    export MESA_GL_VERSION_OVERRIDE=2.1
    expect 1 "OpenGL 3.3 is needed, and the driver has OpenGL 2.1" "$folder/good.tlw"
    one_line
    grep -q -- --png "$folder/out" && fail "an old driver is not mended by --png"
    unset MESA_GL_VERSION_OVERRIDE
fi

# A character that cannot be loaded: the cooker's message and exit code, or those of a blob.
echo nonsense >"$folder/bad.glb"
echo nonsense >"$folder/bad.tlw"
echo '{"resolution": 1}' >"$folder/bad.json"
shows_mistake() { # EXIT-CODE MESSAGE-PART ARGUMENTS...
    wanted=$1
    part=$2
    shift 2
    open_window "$@"
    until_line "^state${tab}message${tab}" "the window does not show: $part" "$part"
    grep -q "^Messages${tab}.*${tab}open$" "$lay" || fail "the message is in no panel"
    close_window
    [ $status -eq "$wanted" ] || fail "the window ends with $status, not $wanted"
    grep -qF "tallow-view: " "$folder/out" && grep -qF "$part" "$folder/out" || fail "not said: $part"
}
shows_mistake 4 "bad blob '$folder/bad.tlw'" "$folder/bad.tlw"
[ -z "${TLW_TEST_FULL:-}" ] || shows_mistake 3 "cannot read '$folder/nowhere.tlw'" "$folder/nowhere.tlw"
for mistake in ${TLW_TEST_FULL:+nowhere.glb bad.glb} "bunny.glb -r $folder/bad.json"; do
    # shellcheck disable=SC2086 # words
    "$cook" "$folder"/$mistake -o "$folder/never.tlw" >"$folder/cooked" 2>&1
    status=$?
    part=$(head -n 1 "$folder/cooked")
    # shellcheck disable=SC2086 # words
    shows_mistake $status "${part#tallow-cook: }" "$folder"/$mistake
done

# The first of two, without which nothing is shown: its exit code, although the second one is good.
echo "$good" >"$folder/live.json"
open_window "$glb" --compare "$folder/bad.json" "$folder/live.json"
until_line "^state${tab}message${tab}.*resolution" "the first of two is not named"
until_line "${tab}hash${tab}[0-9a-f]*[1-9a-f]" "the second of two is not loaded"
close_window
[ $status -eq 5 ] || fail "the window ends with $status, and the first character's recipe is bad"

# A file that is written while the character is cooked from it is read again.
echo '{"resolution": 32, "view": {"gravity": [0, -4, 0]}}' >"$folder/base.json"
echo '{"extend": "base.json"}' >"$folder/live.json"
open_window "$glb" -r "$folder/live.json"
until_line "^state${tab}loading${tab}1" "nothing is loaded"
echo '{"resolution": 12, "view": {"gravity": [0, -5, 0]}}' >"$folder/base.json"
until_line "^settings${tab}gravity${tab}-5$tab" "what is written during a cook is not read"
close_window || fail "a window with a good character ends with an error"

# A cook that fails later.
echo "$good" >"$folder/live.json"
open_window "$glb:dance" -r "$folder/live.json"
until_line "^state${tab}steps${tab}[1-9]" "the character does not move"
materials=$(grep -c "^material" "$lay")
echo '{"resolution": "high"}' >"$folder/live.json"
until_line "^state${tab}message${tab}.*live.json:1:16: resolution" "a recipe that went bad is not named"
steps=$(sed -n "s/^state${tab}steps${tab}\([0-9]*\).*/\1/p" "$lay")
for i in $(seq 100); do
    now=$(sed -n "s/^state${tab}steps${tab}\([0-9]*\).*/\1/p" "$lay")
    [ "$now" -le "$steps" ] || break
    sleep 0.05
done
[ "$now" -gt "$steps" ] || fail "the last good character stands still"
[ "$(grep -c "^material" "$lay")" -eq "$materials" ] || fail "the last good character is gone"
grep -q "${tab}reloads${tab}0${tab}" "$lay" || fail "the bad recipe took the character's place"
echo '{"resolution": 13}' >"$folder/live.json"
until_line "${tab}reloads${tab}1${tab}" "the mended recipe is not read"
until_line "^state${tab}message${tab}$" "the message stays"
close_window || fail "a window with a good character ends with an error"
[ "$(grep -c '^tallow-view: ' "$folder/out")" -eq 1 ] || fail "the bad recipe is not named once"

# Without EGL, but with a display: the same pictures.
"$view" "$folder/good.tlw" --frames 1 --size 64x64 --png "$folder/egl_%d.png" >"$folder/out" 2>&1 || fail "no picture"
__EGL_VENDOR_LIBRARY_FILENAMES=$folder/nowhere "$view" "$folder/good.tlw" --frames 1 --size 64x64 \
    --png "$folder/hidden_%d.png" >"$folder/out" 2>&1 || fail "no picture from a hidden window"
cmp -s "$folder/egl_0.png" "$folder/hidden_0.png" || echo "a hidden window draws another picture than EGL"
echo "ok"
