# SPDX-License-Identifier: MIT
# What the tests of command lines share; sourced, with `command` set to the program under test.
# $folder is empty and goes at the end; $folder/out is what the program said last.
folder=$(mktemp -d "${TMPDIR:-/tmp}/tallow_command_XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT

exit_codes_are_documented() { # the last line of --help is made of rows of tools/command/README.md
    room=$(dirname "$0")/../../tools/command
    "$command" --help | tail -n 1 | grep '^exit codes: ' | sed 's/^exit codes: //; s/, /\n/g' >"$folder/out"
    [ -s "$folder/out" ] || fail "--help does not end with the exit codes"
    while read -r number name; do
        grep -qF "| $number | $name | " "$room/README.md" || fail "tools/command/README.md has no row for $number $name"
    done <"$folder/out"
    # Number, name and meaning of every row, as the table in the source has them.
    sed -n 's/^| \([0-9]\) | \(.*\) | \(.*\) |$/\1, "\2", "\3")/p' "$room/README.md" >"$folder/rows"
    { tr -d '\n\\' <"$room/exit_code.h" && echo; } | tr -s ' ' | sed 's/X(TLW_EXIT/\n&/g' |
        sed -n 's/^X(TLW_EXIT_[A-Z_]*, \(.*")\).*/\1/p' >"$folder/out"
    cmp -s "$folder/rows" "$folder/out" || fail "tools/command/README.md and exit_code.h differ"
}

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
