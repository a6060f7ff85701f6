#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh SOURCE CC CXX: every public header must compile alone, as C11 and (if CXX is not empty) as
# C++17, with only the include folders of its own layer and of those below. An include that goes up a layer
# must not compile.
set -u
source=$1
cc=$2
cxx=$3
failed=0
count=0

layers_of() {
    case $1 in
    platform) echo "platform" ;;
    profiling) echo "profiling platform" ;;
    jobs) echo "jobs profiling platform" ;;
    runtime) echo "runtime profiling platform" ;;
    esac
}

# Compiles a file that only includes the header: given directly, a header warns about its own pragmas.
compiles() { # COMPILER LANGUAGE STANDARD LAYER HEADER
    compiler=$1
    language=$2
    standard=$3
    header=$5
    layers=$(layers_of "$4")
    set --
    for layer in $layers; do set -- "$@" "-I$source/$layer/include"; done
    printf '#include "%s"\nint tlw_test_alone;\n' "$header" |
        "$compiler" "-std=$standard" -Wall -Wextra -Wconversion -Wshadow -Wundef -Werror \
            -fsyntax-only "$@" -x "$language" -
}

for layer_folder in platform profiling jobs runtime; do
    for file in "$source/$layer_folder/include/$layer_folder"/*.h; do
        name=$layer_folder/$(basename "$file")
        compiles "$cc" c c11 $layer_folder "$name" || { echo "FAILED as C11: $name"; failed=1; }
        count=$((count + 1))
        [ -n "$cxx" ] || continue
        compiles "$cxx" c++ c++17 $layer_folder "$name" || { echo "FAILED as C++17: $name"; failed=1; }
    done
done

# Each of these headers compiles from its own layer (above), so here only the include upwards can fail.
for pair in platform:profiling/profile.h platform:runtime/tallow.h profiling:jobs/TaskScheduler_c.h \
    jobs:runtime/tallow.h runtime:jobs/TaskScheduler_c.h; do
    if compiles "$cc" c c11 "${pair%%:*}" "${pair#*:}" 2>/dev/null; then
        echo "FAILED: ${pair%%:*} can include ${pair#*:}"
        failed=1
    fi
done
[ $count -ge 10 ] || { echo "FAILED: only $count headers found"; failed=1; }
[ $failed -eq 0 ] && echo "$count headers compile alone"
exit $failed
