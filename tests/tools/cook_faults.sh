#!/bin/sh
# SPDX-License-Identifier: MIT
# cook_faults.sh TALLOW-COOK ROD.gltf: fails and kills tallow-cook at the system calls by which it writes, which
# needs strace: one character by itself, and a list. Each time the sources must be untouched, each file
# whole, old or new, the files of one cook all old or all new unless the command was killed, and the next
# run must write everything and leave nothing behind. TLW_TEST_FULL=1 does it at every such call, with
# every fault, over old files, none and some; otherwise where it went wrong before. ROD.gltf is a small
# asset in one line of text.
set -u
cook=$1
rod=$2
full=${TLW_TEST_FULL:-}
command=$cook
. "$(dirname "$0")/expect.sh"

command -v strace >/dev/null || fail "strace is not installed"
strace -o /dev/null true 2>/dev/null || { echo "skipped: this machine does not let strace trace"; exit 77; }

art=$folder/art
out=$folder/out_files
mkdir "$art" "$out"
sed 's/.*"data:application[^,]*,\([^"]*\)".*/\1/' "$rod" | base64 -d >"$art/rod.bin"
sed 's|data:[^"]*|rod.bin|' "$rod" >"$art/rod.gltf"
printf '{"resolution": 6}' >"$art/base.json"
printf '{"extend": "base.json"}' >"$art/rod.json"
cp -R "$art" "$folder/before"

one() { # PREFIX...: cooks one character under it
    "$@" "$cook" "$art/rod.gltf" -r "$art/rod.json" -o "$out/rod.tlw" --depfile "$out/rod.d" \
        --report "$out/rod.report" --quiet --threads 1
}
printf '{"characters": [{"input": "art/rod.gltf", "recipe": "art/rod.json", "output": "out_files/rod.tlw",
    "report": "out_files/rod.report", "depfile": "out_files/rod.d"},
    {"input": "art/rod.gltf", "output": "out_files/two.tlw"}]}' >"$folder/list.json"
list() { # PREFIX...: cooks two characters under it
    "$@" "$cook" --list "$folder/list.json" --summary "$out/summary" --quiet --threads 1
}

begin() { # START: old files, none, some, or (of a list) all new but one report that was damaged since
    rm -rf "$out"
    mkdir "$out"
    case $1 in
    old) for name in $names; do echo "old $name" >"$out/$name"; done ;;
    some) echo "old rod.report" >"$out/rod.report" ;;
    damaged)
        cp "$folder"/new/* "$out"
        echo "old rod.report" >"$out/rod.report"
        ;;
    esac
}

# n for a new file, o for one that is as it was; anything else fails.
states() { # START NAME...
    begun=$1
    shift
    for name in "$@"; do
        if cmp -s "$out/$name" "$folder/new/$name"; then
            printf n
        elif [ -e "$out/$name" ]; then
            [ "$begun" != none ] && [ "$(cat "$out/$name")" = "old $name" ] ||
                fail "$what: $name is neither old nor new" >&2
            printf o
        else
            printf o
            case $begun:$name in
            none:* | some:rod.tlw | some:rod.d | some:two.tlw) ;;
            *) fail "$what: $name is gone" >&2 ;;
            esac
        fi
    done
}

runs=0
fault() { # KIND START CALL NUMBER FAULT
    kind=$1
    start=$2
    what="$kind over $start files: $3 number $4 with $5"
    begin "$start"
    ($kind strace -f -o /dev/null -e trace="$3" -e inject="$3:$5:when=$4"
        exit $?) >"$folder/out" 2>&1
    status=$?
    diff -r "$art" "$folder/before" >/dev/null || fail "$what changed a source"
    # In the order in which they are renamed.
    found=$(states "$start" rod.d rod.report rod.tlw) || { echo "$found"; exit 1; }
    case $kind:$start:$status:$found in
    *:0:nnn | *:[36]:ooo) ;;
    *:6:nnn) # what was replaced before the fault stays: the folder was not synced, or a list's next file
        [ "$kind" = list ] || grep -q "after the file was replaced" "$folder/out" ||
            fail "$what: the command failed and replaced its files"
        ;;
    list:damaged:*) ;; # two of three are new from the start
    *:[036]:*) fail "$what: exit code $status, and its files are $found" ;;
    *)
        [ $status -ge 128 ] || fail "$what: exit code $status"
        case $found in *o*n*) fail "$what: a later file is new and an earlier one old: $found" ;; esac
        ;;
    esac
    [ "$kind" = one ] || other=$(states "$start" two.tlw) || { echo "$other"; exit 1; }
    case $status in [36]) grep -q "^tallow-cook: .*cannot [a-z]* '" "$folder/out" || fail "$what: no message" ;; esac
    case $kind:$3:$5 in list:unlink:error=*) # the cook went well but for a name that stays until the next one
        rm -f "$out"/*.record ;;
    esac
    $kind env 2>"$folder/out" || fail "the run after $what"
    rm -f "$out/summary" # has seconds
    diff -r "$out" "$folder/new" >"$folder/out" || fail "after $what the next run leaves other files"
    runs=$((runs + 1))
}

# The numbers of those calls that have to do with outputs, from where the first of them is begun.
numbers() { # CALL
    awk -v call="$1" '/O_CREAT/ { begun = 1 }
        $2 ~ "^" call "\\(" { number += 1 }
        $2 ~ "^" call "\\(" && (begun || call == "openat" && /\.tlw-/) &&
            (call != "openat" || /O_CREAT|\.tlw-|O_DIRECTORY|O_NOFOLLOW/) { print number }' "$folder/log"
}

for kind in one list; do
    names='rod.d rod.report rod.tlw two.tlw'
    [ $kind = list ] || names='rod.d rod.report rod.tlw'
    what="the plain $kind"
    begin old
    $kind strace -f -o "$folder/log" || fail "$what"
    rm -rf "$folder/new" "$out/summary"
    cp -R "$out" "$folder/new"
    # The log of a run that has old files to keep, which is where the most can go wrong.
    if [ -n "$full" ]; then
        starts='old none some'
        [ $kind = one ] || starts="$starts damaged"
        faults=
        for call in openat write fsync rename link unlink unlinkat close flock fchmod getdents64 ftruncate mkdir; do
            faults="$faults $call:error=ENOSPC $call:signal=KILL"
        done
    elif [ $kind = one ]; then
        starts=old
        faults='openat:error=ENOSPC write:error=ENOSPC write:signal=KILL fsync:error=ENOSPC link:error=EPERM
            rename:error=ENOSPC rename:signal=KILL unlink:signal=KILL'
    else
        starts=damaged
        faults='rename:error=ENOSPC unlink:signal=KILL'
    fi
    for start in $starts; do
        for each in $faults; do
            for number in $(numbers "${each%%:*}"); do
                fault "$kind" "$start" "${each%%:*}" "$number" "${each#*:}"
            done
        done
    done
done
[ $runs -ge 30 ] || fail "only $runs faults were injected"
echo "$runs faults injected"
echo "ok"
