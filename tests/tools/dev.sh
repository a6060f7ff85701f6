#!/bin/sh
# SPDX-License-Identifier: MIT
# dev.sh SOURCE: the command line of tools/dev. Mistakes are one line, usage and exit code 2; a package
# that is missing and cannot be installed is named with the exact command, exit code 3.
set -u
dev=$1/tools/dev
folder=$(mktemp -d "${TMPDIR:-/tmp}/tallow_dev_XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $*"
    cat "$folder/out"
    exit 1
}

expect() { # EXIT-CODE PART ARGUMENTS...
    wanted=$1
    part=$2
    shift 2
    "$dev" "$@" >"$folder/out" 2>&1
    status=$?
    [ $status -eq "$wanted" ] || fail "'$*' exits with $status, not $wanted"
    head -n 1 "$folder/out" | grep -qF -- "$part" || fail "'$*' does not start with: $part"
    grep -q '^usage: tools/dev' "$folder/out" || fail "'$*' does not show usage"
}

expect 2 "unknown command 'nonsense'" nonsense
expect 2 "unknown command '--nonsense'" --nonsense
expect 2 "'test' takes no argument" test me
expect 2 "'coverage' takes no argument" coverage runtime
expect 2 "'fuzz' takes a number of seconds, not 'long'" fuzz long
expect 2 "'format' takes --check, not '--nonsense'" format --nonsense
expect 0 "usage: tools/dev" help
expect 0 "usage: tools/dev"
for command in demo test bench view sanitize fuzz coverage golden format cross full help; do
    grep -q "^  $command" "$folder/out" || fail "help does not list $command"
done

# A machine without CMake, and without any way to install it.
mkdir "$folder/bin"
for tool in sh dirname nproc cat printf id mktemp tail rm env find mkdir; do
    path=$(command -v $tool) && [ -x "$path" ] && ln -s "$path" "$folder/bin/$tool"
done
PATH="$folder/bin" "$dev" test >"$folder/out" 2>&1
status=$?
[ $status -eq 3 ] || fail "a missing package exits with $status, not 3"
grep -q 'package cmake is missing' "$folder/out" || fail "the missing package is not named"
grep -qE 'run: (sudo )?apt-get install .*cmake' "$folder/out" || fail "the command is not told"
echo "ok"
