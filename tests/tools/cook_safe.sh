#!/bin/sh
# SPDX-License-Identifier: MIT
# cook_safe.sh TALLOW-COOK ROD.gltf: tallow-cook never writes over what it reads, however that is named, and
# writes all of its files or none. With FAULTS as a third argument it fails and kills the command at every
# system call that writes, which needs strace. ROD.gltf is a small asset in one line of text.
set -u
cook=$1
rod=$2
command=$cook
. "$(dirname "$0")/expect.sh"

art=$folder/art
out=$folder/out_files
mkdir -p "$art/textures" "$out"
# The asset with its bytes in a file of their own, a picture, and a recipe that extends another.
sed 's/.*"data:application[^,]*,\([^"]*\)".*/\1/' "$rod" | base64 -d >"$art/rod bytes.bin"
sed 's|data:[^"]*|rod%20bytes.bin|; s|,"scene":0|,"scene":0,"images":[{"uri":"textures/skin%20map.png"},{"uri":"data:,"},{"mimeType":"image/png"}]|' \
    "$rod" >"$art/rod.gltf"
grep -q images "$art/rod.gltf" || fail "the asset has no picture"
echo "a picture" >"$art/textures/skin map.png"
printf '{"resolution": 6}' >"$art/base.json"
printf '{"extend": "base.json"}' >"$art/rod.json"
ln -s ../art "$out/link"
ln -s ../art/rod.gltf "$out/soft.tlw"
ln "$art/rod.gltf" "$out/hard.tlw"
cp -R "$art" "$folder/before"

refused() { # PART ARGUMENTS...: exit code 2, nothing is written, the sources are as they were
    part=$1
    shift
    expect 2 "$part" "$art/rod.gltf" -r "$art/rod.json" "$@"
    one_line
    diff -r "$art" "$folder/before" >"$folder/out" || fail "'$*' changed a source"
    [ "$(ls -A "$out")" = "$(printf 'hard.tlw\nlink\nsoft.tlw')" ] || fail "'$*' wrote $(ls -A "$out")"
}
for output in "$art/rod.gltf" "$art/../art/./rod.gltf" "$out/link/rod.gltf" "$out/soft.tlw" "$out/hard.tlw"; do
    refused "-o '$output' would overwrite the input '$art/rod.gltf'; nothing was written" -o "$output"
done
refused "-o '$art/rod.json' would overwrite the recipe '$art/rod.json'" -o "$art/rod.json"
refused "would overwrite the input" -o "$art/rod.gltf" --dry-run
for option in --depfile --report --picture; do
    refused "$option '$art/rod.gltf' would overwrite the input" -o "$out/a.tlw" $option "$art/rod.gltf"
    refused "$option '$out/link/rod.json' would overwrite the recipe" -o "$out/a.tlw" $option "$out/link/rod.json"
    refused "-o '$out/../out_files/a.tlw' and $option '$out/a.tlw' are one file" \
        -o "$out/../out_files/a.tlw" $option "$out/a.tlw"
done
refused "--report '$out/link/../x' and --depfile '$folder/x' are one file" -o "$out/a.tlw" \
    --depfile "$folder/x" --report "$out/link/../x"
# What only the asset and the recipe name is known before anything is cooked.
refused "-o '$art/rod bytes.bin' would overwrite a file of the asset, '$art/rod bytes.bin'" -o "$art/rod bytes.bin"
refused "--report '$out/link/textures/skin map.png' would overwrite a picture of the asset, " -o "$out/a.tlw" \
    --report "$out/link/textures/skin map.png"
refused "--depfile '$art/base.json' would overwrite a file of the recipe, '$art/base.json'" -o "$out/a.tlw" \
    --depfile "$art/base.json"
"$cook" "$art/rod.gltf" -r "$art/rod.json" -o /dev/null --report /dev/null --depfile /dev/null --quiet \
    2>"$folder/out" || fail "outputs that are no files may be one"
# A picture that does not exist is no output's place either.
rm "$art/textures/skin map.png" "$folder/before/textures/skin map.png"
refused "would overwrite a picture of the asset" -o "$art/textures/skin map.png"

if [ "${3:-}" = FAULTS ]; then
    command -v strace >/dev/null || fail "strace is not installed"
    strace -o /dev/null true 2>/dev/null || { echo "skipped: this machine does not let strace trace"; exit 77; }
    names='rod.d rod.report rod.tlw' # in the order in which they are renamed; a picture takes seconds to draw
    rm -f "$out"/*.tlw "$out/link"
    run() { # PREFIX...: cooks under it
        "$@" "$cook" "$art/rod.gltf" -r "$art/rod.json" -o "$out/rod.tlw" --depfile "$out/rod.d" \
            --report "$out/rod.report" --quiet --threads 1
    }
    run strace -f -o "$folder/log" || fail "the plain run"
    mkdir "$folder/new"
    for name in $names; do cp "$out/$name" "$folder/new"; done
    states() { # n for a new file, o for an old one, each; a third thing fails
        for name in $names; do
            if cmp -s "$out/$name" "$folder/new/$name"; then printf n
            elif [ "$(cat "$out/$name")" = "old $name" ]; then printf o
            else fail "$what: $name is neither old nor new" >&2; fi
        done
    }
    runs=0
    for fault in "openat error=ENOSPC" "write error=ENOSPC" "write signal=KILL" "fsync error=ENOSPC" \
        "link error=EPERM" "rename error=ENOSPC" "rename signal=KILL" "unlink signal=KILL"; do
        call=${fault%% *}
        # The numbers of those calls that have to do with the outputs.
        for when in $(grep -E "^[0-9]+ +$call\(" "$folder/log" | grep -nE "\.tlw-|fsync|write\([3-9]" | cut -d: -f1); do
            for name in $names; do echo "old $name" >"$out/$name"; done
            what="$call number $when with ${fault#* }"
            (run strace -f -o /dev/null -e trace="$call" -e inject="$call:${fault#* }:when=$when"
                exit $?) >"$folder/out" 2>&1
            status=$?
            found=$(states) || { echo "$found"; exit 1; }
            diff -r "$art" "$folder/before" >/dev/null || fail "$what changed a source"
            case $status:$found in
            0:nnn | 6:ooo) ;;
            6:nnn) [ "$call" = fsync ] || fail "$what: the command failed and replaced its files" ;;
            6:* | 0:*) fail "$what: exit code $status, and its files are $found" ;;
            *:*o*n*) fail "$what: a later file is new and an earlier one old: $found" ;;
            *:*) [ $status -ge 128 ] || fail "$what: exit code $status" ;;
            esac
            [ $status -ne 6 ] || grep -q "^tallow-cook: cannot write '" "$folder/out" || fail "$what: no message"
            run env || fail "the run after $what"
            [ "$(ls -A "$out" | tr '\n' ' ')" = "rod.d rod.report rod.tlw " ] || fail "after $what stays $(ls -A "$out")"
            runs=$((runs + 1))
        done
    done
    [ $runs -ge 20 ] || fail "only $runs faults were injected"
    echo "$runs faults injected"
fi
echo "ok"
