#!/bin/sh
# SPDX-License-Identifier: MIT
# dev.sh SOURCE: the command line of tools/dev. A mistake gives one line, usage and exit code 2; a missing
# package that cannot be installed is named with the command that installs it, exit code 3.
set -u
dev=$1/tools/dev
command=$dev
. "$(dirname "$0")/expect.sh"

shows_usage() { # EXIT-CODE FIRST-LINE-PART ARGUMENTS...
    expect "$@"
    grep -q '^usage: tools/dev' "$folder/out" || fail "'$*' does not show usage"
}

shows_usage 2 "unknown command 'nonsense'" nonsense
shows_usage 2 "unknown command '--nonsense'" --nonsense
shows_usage 2 "'test' takes no argument" test me
shows_usage 2 "'coverage' takes no argument" coverage runtime
shows_usage 2 "'fuzz' takes a number of seconds, not 'long'" fuzz long
shows_usage 2 "'format' takes --check, not '--nonsense'" format --nonsense
shows_usage 0 "usage: tools/dev" help
shows_usage 0 "usage: tools/dev"
for name in demo pictures test bench view sanitize fuzz coverage recipe golden format cross full help; do
    grep -q "^  $name" "$folder/out" || fail "help does not list $name"
done

# A machine without CMake and without a way to install it.
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
