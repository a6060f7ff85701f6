# SPDX-License-Identifier: MIT
# What the tests of command lines share; sourced, with `command` set to the program under test.
# $folder is empty and goes at the end; $folder/out is what the program said last.
folder=$(mktemp -d "${TMPDIR:-/tmp}/tallow_command_XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $*"
    cat "$folder/out"
    exit 1
}

expect() { # EXIT-CODE FIRST-LINE-PART ARGUMENTS...
    wanted=$1
    part=$2
    shift 2
    "$command" "$@" >"$folder/out" 2>&1
    status=$?
    [ $status -eq "$wanted" ] || fail "'$*' exits with $status, not $wanted"
    head -n 1 "$folder/out" | grep -qF -- "$part" || fail "'$*' does not start with: $part"
}
