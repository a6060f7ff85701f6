#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh SOURCE INCLUDES CC CXX: every public header compiles alone, as C11 and (where CXX is given)
# as C++17, with nothing but the include folders of its own layer and those below. An include that goes
# up a layer must not compile.
set -u
source=$1
includes=$2
cc=$3
cxx=$4
failed=0
count=0

folders_of() {
    case $1 in
    platform) layers="platform" ;;
    profiling) layers="profiling platform" ;;
    jobs) layers="jobs profiling platform" ;;
    runtime) layers="runtime profiling platform" ;;
    esac
    for layer in $layers; do printf ' -I%s/%s' "$includes" "$layer"; done
}

flags="-Wall -Wextra -Wconversion -Wshadow -Wundef -Werror -fsyntax-only"
for layer in platform profiling jobs runtime; do
    folders=$(folders_of $layer)
    for header in "$source/$layer"/*.h; do
        case $(head -n 4 "$header") in *"Private to $layer"*) continue ;; esac
        name=$layer/$(basename "$header")
        # A main file that only includes it: a header given directly would warn about its own pragmas.
        printf '#include "%s"\nint tlw_test_alone;\n' "$name" |
            "$cc" -std=c11 $flags $folders -x c - || { echo "FAILED as C11: $name"; failed=1; }
        count=$((count + 1))
        [ -n "$cxx" ] || continue
        printf '#include "%s"\nint tlw_test_alone;\n' "$name" |
            "$cxx" -std=c++17 $flags $folders -x c++ - || { echo "FAILED as C++17: $name"; failed=1; }
    done
done

for pair in platform:profiling/profile.h platform:runtime/tallow.h profiling:jobs/TaskScheduler_c.h \
    jobs:runtime/tallow.h runtime:jobs/TaskScheduler_c.h; do
    layer=${pair%%:*}
    upper=${pair#*:}
    [ -f "$source/$upper" ] || { echo "FAILED: $upper is not there to be tried"; failed=1; continue; }
    if printf '#include "%s"\n' "$upper" |
        "$cc" -std=c11 -fsyntax-only $(folders_of "$layer") -x c - 2>/dev/null; then
        echo "FAILED: $layer can include $upper"
        failed=1
    fi
done
[ $count -ge 10 ] || { echo "FAILED: only $count headers found"; failed=1; }
[ $failed -eq 0 ] && echo "$count headers compile alone"
exit $failed
