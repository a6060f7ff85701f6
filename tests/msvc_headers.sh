#!/bin/sh
# SPDX-License-Identifier: MIT
# msvc_headers.sh SOURCE CLANG: every public header compiles for the MSVC target, as C11 and C++17, with
# clang's own freestanding headers and nothing of gcc: an engine that is built with MSVC includes them
# and links an archive that gcc or clang made. Exit code 77: there is no clang here.
#
# Left out: wide floats, which are for kernels and say themselves that kernels need gcc or clang; and in
# C++ whatever includes <atomic>, which is no freestanding header.
set -u
source=$1
clang=$2
[ -n "$clang" ] && resources=$("$clang" -print-resource-dir 2>/dev/null) || exit 77
failed=0
count=0

compiles() { # LANGUAGE STANDARD HEADER
    printf '#include "%s"\nint tlw_test_alone;\n' "$3" |
        "$clang" --target=x86_64-pc-windows-msvc -ffreestanding -nostdlibinc -isystem "$resources/include" \
            "-std=$2" -Wall -Wextra -Wconversion -Wshadow -Wundef -Werror -fsyntax-only \
            "-I$source/platform/include" "-I$source/profiling/include" "-I$source/jobs/include" \
            "-I$source/runtime/include" -x "$1" -
}

for file in "$source"/platform/include/platform/*.h "$source"/profiling/include/profiling/*.h \
    "$source"/jobs/include/jobs/*.h "$source"/runtime/include/runtime/*.h; do
    name=$(basename "$(dirname "$file")")/$(basename "$file")
    case $name in platform/simd*) continue ;; esac
    compiles c c11 "$name" || { echo "FAILED as C11 for MSVC: $name"; failed=1; }
    count=$((count + 1))
    case $name in platform/atomic.h | platform/thread.h) continue ;; esac
    compiles c++ c++17 "$name" || { echo "FAILED as C++17 for MSVC: $name"; failed=1; }
done
# The control: what needs gcc or clang must be seen.
if printf '#include "platform/base.h"\n#if TLW_HAS_GNU_EXTENSIONS\n#error planted\n#endif\n' |
    "$clang" -ffreestanding -fsyntax-only "-I$source/platform/include" -x c - 2>/dev/null; then
    echo "FAILED: the check is blind: without the MSVC target gcc's extensions are not seen"
    failed=1
fi
[ $count -ge 15 ] || { echo "FAILED: only $count headers found"; failed=1; }
[ $failed -eq 0 ] && echo "$count headers compile for MSVC"
exit $failed
