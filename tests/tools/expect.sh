# SPDX-License-Identifier: MIT
# Shared by the tests of command lines, which source it with `command` set to the program under test.
# $folder is a new empty folder that is removed at the end; $folder/out holds the program's last output.
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

# Ends the test with a message and the program's last output.
fail() {
    echo "FAILED: $*"
    cat "$folder/out"
    exit 1
}

# Runs the program with ARGUMENTS and checks its exit code and that its first line of output contains
# FIRST-LINE-PART.
expect() { # EXIT-CODE FIRST-LINE-PART ARGUMENTS...
    wanted=$1
    part=$2
    shift 2
    "$command" "$@" >"$folder/out" 2>&1
    status=$?
    [ $status -eq "$wanted" ] || fail "'$*' exits with $status, not $wanted"
    head -n 1 "$folder/out" | grep -qF -- "$part" || fail "'$*' does not start with: $part"
}

# A mistake in ARGUMENTS: exit code 2, a line that contains FIRST-LINE-PART, then the usage.
usage() { # FIRST-LINE-PART ARGUMENTS...
    expect 2 "$@"
    sed -n 2p "$folder/out" | grep -q "^usage: $(basename "$command")" || fail "no usage after a mistake"
}

# The last output must be one line.
one_line() {
    [ "$(wc -l <"$folder/out")" -eq 1 ] || fail "more than one line"
}
