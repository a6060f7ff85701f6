#!/bin/sh
# SPDX-License-Identifier: MIT
# snippets.sh ROOT CC: every C snippet of every README compiles as it stands, as C11, with the public
# headers alone and warnings as errors. A snippet is a block that opens with ```c; one that opens with
# ```c kernel is compiled as a kernel file of the scalar set. A block that is no whole piece of C says so
# by opening with ```text or nothing.
# snippets.sh --self-test ROOT CC: plants a snippet that does not compile and sees it named.
set -u

check() { # ROOT CC
    root=$1
    cc=$2
    folder=$(mktemp -d "${TMPDIR:-/tmp}/tallow_snippets_XXXXXX") || exit 1
    # tools/ is on the path under its own name, as the installed package has it.
    mkdir "$folder/include"
    ln -s "$(cd "$root" && pwd)/tools" "$folder/include/tools"
    (cd "$root" && find . -name '*.md' -not -path './build*' -not -path './.git/*' | sort) >"$folder/pages"
    failed=0
    count=0
    while read -r page; do
        awk -v folder="$folder" '
            /^```c( kernel)?$/ { out = folder "/" (++count) ".c"; kind = NF > 1 ? "kernel" : "plain"
                printf "#line %d \"%s\"\n", NR + 1, FILENAME >out
                print out, kind, NR; next }
            /^```/ { if (out != "") close(out); out = ""; next }
            out != "" { print >out }' "$root/$page" >"$folder/blocks"
        while read -r file kind line; do
            count=$((count + 1))
            set --
            [ "$kind" = plain ] || set -- -DTLW_SIMD_SCALAR=1 -DTLW_HAVE_KERNELS_SCALAR=1
            for layer in runtime jobs profiling platform; do
                set -- "$@" "-I$root/$layer/include"
            done
            "$cc" -std=c11 -Wall -Wextra -Wconversion -Wshadow -Wundef -Werror -Wno-unused-function \
                -fsyntax-only "$@" "-I$folder/include" -DTLW_PROFILE_BACKEND=1 "$file" || {
                echo "FAILED: $page:$line: the snippet does not compile"
                failed=1
            }
        done <"$folder/blocks"
        rm -f "$folder"/*.c
    done <"$folder/pages"
    rm -rf "$folder"
    [ $count -ge 5 ] || { echo "FAILED: only $count snippets found"; failed=1; }
    [ $failed -eq 0 ] && echo "$count snippets compile"
    return $failed
}

if [ "$1" = --self-test ]; then
    root=$2
    copy=$(mktemp -d "${TMPDIR:-/tmp}/tallow_snippets_XXXXXX") || exit 1
    trap 'rm -rf "$copy"' EXIT
    (cd "$root" && tar cf - README.md platform profiling jobs runtime tools) | (cd "$copy" && tar xf -)
    printf '```c\nint planted(void) { return missing; }\n```\n' >>"$copy/README.md"
    found=$(check "$copy" "$3" 2>&1) && { echo "FAILED: the planted snippet compiled"; exit 1; }
    case $found in
    *"README.md"*"does not compile"*) echo "the planted snippet was named" ;;
    *) echo "FAILED: it was reported as: $found"; exit 1 ;;
    esac
else
    check "$1" "$2"
fi
