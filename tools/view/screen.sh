# SPDX-License-Identifier: MIT
# Shared by scripts that run the viewer's window under a virtual display, which source it after they have
# made $folder. At their end the processes $window and $server are ended and $folder is removed.
server=
window=
finish() {
    [ -z "$window" ] || kill "$window" 2>/dev/null
    [ -z "$server" ] || kill "$server" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 1' INT TERM
unset WAYLAND_DISPLAY

# Starts a virtual display of that size, which finds a free number by itself. False: it does not start, and
# $folder/xvfb says why.
open_screen() { # WIDTHxHEIGHT
    rm -f "$folder/display"
    Xvfb -displayfd 3 -screen 0 "$1x24" -nolisten tcp 3>"$folder/display" >"$folder/xvfb" 2>&1 &
    server=$!
    for i in $(seq 100); do
        [ ! -s "$folder/display" ] || break
        sleep 0.05
    done
    DISPLAY=:$(cat "$folder/display")
    export DISPLAY
    [ -s "$folder/display" ]
}
