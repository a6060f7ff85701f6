#!/bin/sh
# SPDX-License-Identifier: MIT
# replace_faults.sh PROGRAM COUNT: runs replace_file on COUNT files (1 to 3) under strace, first to see which
# system calls it makes, then for every call once with that call failing and once with the process killed at
# it. Each time every target must be the complete old or the complete new file; all of them old or all of
# them new, unless the process was killed, and then the new ones come first; and all new if the program
# reported success. The next run must remove the temporary files that are left.
set -u
program=$1
count=$2
pieces=3
folder=$(mktemp -d "${TMPDIR:-/tmp}/tallow_faults_XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/out"
ln -s out/1.bin "$folder/link.bin" # a link: the file that it points to must be complete
# The first exists, the second does not, the third does.
set -- "$folder/link.bin" "$folder/out/2.bin" "$folder/out/3.bin"
[ "$count" -ge 3 ] || set -- "$1" "$2"
[ "$count" -ge 2 ] || set -- "$1"
calls='open openat creat write pwrite64 writev fsync fdatasync rename renameat renameat2 link linkat unlink unlinkat'
if [ "$count" -eq 1 ]; then
    calls="$calls fchmod chmod fchmodat flock fcntl ftruncate close fstat newfstatat stat getdents64 access
        faccessat faccessat2 readlink readlinkat"
else # what reads and locks is the same for each file
    pieces=1
fi

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

begin() { # every target as it was
    cp "$folder/old" "$folder/out/1.bin"
    chmod 600 "$folder/out/1.bin"
    rm -f "$folder/out/2.bin"
    [ "$count" -lt 3 ] || cp "$folder/old" "$folder/out/3.bin"
}

states() { # TARGET...: "n" for new or "o" for old, each
    for target in "$@"; do
        if cmp -s "$target" "$folder/new"; then
            printf n
        elif [ "$target" = "$folder/out/2.bin" ]; then
            [ -e "$target" ] && fail "$what: a file that did not exist is incomplete" >&2
            printf o
        else
            cmp -s "$target" "$folder/old" || fail "$what: $target is neither old nor new" >&2
            printf o
        fi
    done
}

fill "$folder/old" o
fill "$folder/new" n
what="the plain run"
begin
strace -f -o "$folder/log" "$program" n $pieces "$@" || fail "$what"
case $(states "$@") in *o*) fail "$what did not replace the file" ;; esac

runs=0
for call in $calls; do
    times=$(grep -cE "^[0-9]+ +$call\(" "$folder/log")
    when=1
    while [ "$when" -le "$times" ]; do
        for fault in error=EIO signal=KILL; do
            begin
            what="$call number $when with $fault"
            # In a shell of its own, so that its message about the killed process is not printed here.
            (strace -f -o /dev/null -e trace="$call" -e inject="$call:$fault:when=$when" \
                "$program" n $pieces "$@"
                exit $?) >/dev/null 2>&1
            status=$?
            found=$(states "$@") || { echo "$found"; exit 1; }
            case $fault:$found in
            *:*o*n*) fail "$what: a later file is new and an earlier one old: $found" ;;
            error=*:*n*o*) fail "$what: some are new and some are old: $found" ;;
            *:*o*) [ $status -ne 0 ] || fail "$what: the program said ok and left the old file" ;;
            esac
            [ "$(stat -c %a "$folder/out/1.bin")" = 600 ] || fail "$what: other permissions"
            [ -L "$1" ] || fail "$what: the link was replaced by a file"
            # The next run succeeds and removes what a killed one left.
            "$program" n $pieces "$@" || fail "the run after $what"
            case $(states "$@") in *o*) fail "the run after $what did not replace the file" ;; esac
            strays=$(ls -A "$folder/out" | grep -v '^[123].bin$')
            [ -z "$strays" ] || fail "after $what a stray stays: $strays"
            runs=$((runs + 1))
        done
        when=$((when + 1))
    done
done
[ "$runs" -ge 20 ] || fail "only $runs faults were injected"
echo "$runs faults injected, every one left the complete old or the complete new files"
