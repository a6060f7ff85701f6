# SPDX-License-Identifier: MIT
# Shared by the tests of command lines, which source it with `command` set to the program under test.
# $folder is a new empty folder that is removed at the end; $folder/out holds the program's last output.
folder=$(mktemp -d "${TMPDIR:-/tmp}/tallow_command_XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT

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
