#!/bin/sh
# SPDX-License-Identifier: MIT
# replace_faults.sh PROGRAM: runs replace_file under strace, first to see which system calls it makes, then
# for every call once with that call failing and once with the process killed at it. Each time the target
# must be the complete old or the complete new file, and the new one if the program reported success; the
# next run must remove the temporary files that are left.
set -u
program=$1
pieces=3
folder=$(mktemp -d "${TMPDIR:-/tmp}/tallow_faults_XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
real=$folder/out/target.bin
target=$folder/link.bin # a link: the file that it points to must be complete
mkdir "$folder/out"
ln -s out/target.bin "$target"
calls='open openat creat write pwrite64 writev fsync fdatasync rename renameat renameat2 link linkat
    unlink unlinkat fchmod chmod fchmodat flock fcntl ftruncate close fstat newfstatat stat getdents64 access
    faccessat faccessat2 readlink readlinkat'

command -v strace >/dev/null || { echo "strace is not installed"; exit 1; }
if ! strace -o /dev/null true 2>/dev/null; then
    echo "skipped: this machine does not let strace trace"
    exit 77
fi

fail() {
    echo "FAILED: $*"
    exit 1
}

fill() { # FILE BYTE
    head -c $((pieces * 65536)) /dev/zero | tr '\0' "$2" >"$1"
}

fill "$folder/old" o
fill "$folder/new" n
cp "$folder/old" "$real"
strace -f -o "$folder/log" "$program" "$target" n $pieces || fail "the plain run"
cmp -s "$target" "$folder/new" || fail "the plain run did not replace the file"

runs=0
for call in $calls; do
    count=$(grep -cE "^[0-9]+ +$call\(" "$folder/log")
    when=1
    while [ "$when" -le "$count" ]; do
        for fault in error=EIO signal=KILL; do
            cp "$folder/old" "$real"
            chmod 600 "$real"
            what="$call number $when with $fault"
            # In a shell of its own, so that its message about the killed process is not printed here.
            (strace -f -o /dev/null -e trace="$call" -e inject="$call:$fault:when=$when" \
                "$program" "$target" n $pieces
                exit $?) >/dev/null 2>&1
            status=$?
            if cmp -s "$target" "$folder/new"; then
                :
            elif cmp -s "$target" "$folder/old"; then
                [ $status -ne 0 ] || fail "$what: the program said ok and left the old file"
            else
                fail "$what: the file is neither old nor new"
            fi
            [ "$(stat -c %a "$real")" = 600 ] || fail "$what: the permissions are $(stat -c %a "$real")"
            [ -L "$target" ] || fail "$what: the link was replaced by a file"
            # The next run succeeds and removes what a killed one left.
            "$program" "$target" n $pieces || fail "the run after $what"
            cmp -s "$target" "$folder/new" || fail "the run after $what did not replace the file"
            strays=$(ls -A "$folder/out" | grep -v '^target.bin$')
            [ -z "$strays" ] || fail "after $what a stray stays: $strays"
            runs=$((runs + 1))
        done
        when=$((when + 1))
    done
done
[ "$runs" -ge 20 ] || fail "only $runs faults were injected"
echo "$runs faults injected, every one left the complete old or the complete new file"
