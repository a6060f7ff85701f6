#!/bin/sh
# SPDX-License-Identifier: MIT
# layering.sh ROOT: reads every #include line below ROOT and names each that breaks a rule of layering:
# nothing includes upwards, nothing but a layer itself and its tests includes the layer's private headers
# (those outside LAYER/include), nothing includes by a path that starts with "..", one file includes
# TracyC.h, the runtime includes neither heap nor stdio. Every source says its licence in its first two lines.
# layering.sh --self-test ROOT: plants one breach of each kind in a copy and checks that it is named.
set -u

check() { # ROOT
    (cd "$1" && find platform profiling jobs runtime tools tests -type f \
        \( -name '*.c' -o -name '*.h' -o -name '*.inl' -o -name '*.cpp' \) | sort |
        xargs awk -v public_headers="$(cd "$1" && echo */include/*/*.h)" '
        BEGIN {
            count = split(public_headers, header, " ")
            for (i = 1; i <= count; i++) {
                sub(/^[a-z]+\/include\//, "", header[i])
                is_public[header[i]] = 1
            }
        }
        function breach(what) { print FILENAME ":" FNR ": " what; bad = 1 }
        FNR == 1 { split(FILENAME, part, "/"); layer = part[1]; licensed = 0 }
        FNR <= 2 && /SPDX-License-Identifier: MIT/ { licensed = 1 }
        FNR == 2 && !licensed { breach("no SPDX line") }
        /^[ \t]*#[ \t]*include/ {
            line = $0
            sub(/^[ \t]*#[ \t]*include[ \t]*/, "", line)
            quoted = substr(line, 1, 1) == "\""
            name = substr(line, 2)
            sub(/[">].*/, "", name)
            if (name ~ /(^|\/)\.\.(\/|$)/) breach("includes \"" name "\" by way of ..")
            if (name ~ /TracyC\.h$/ && FILENAME != "profiling/profile_tracy.c")
                breach("includes TracyC.h; only profiling/profile_tracy.c may")
            if (layer == "runtime" && name ~ /^(stdlib|stdio|malloc|assert|time|pthread|unistd)\.h$/)
                breach("the runtime includes <" name ">")
            split(name, to, "/")
            target = to[1]
            if (target !~ /^(platform|profiling|jobs|runtime|tools|tests)$/) {
                if (quoted && name ~ /\// ) breach("includes \"" name "\", which is no layer of ours")
                next
            }
            ok = layer == target || layer == "tests" ||
                (layer == "profiling" && target == "platform") ||
                (layer == "jobs" && target ~ /^(platform|profiling)$/) ||
                (layer == "runtime" && target ~ /^(platform|profiling)$/) ||
                (layer == "tools" && target != "tests")
            if (!ok) breach(layer " includes " name)
            if (target !~ /^(tools|tests)$/ && layer != target && layer != "tests" &&
                !(name in is_public))
                breach("includes " name ", which is private to " target)
            # Studios link the cooking library: it may include what is about blobs, platform and itself only.
            if (FILENAME ~ /^tools\/cook\// &&
                FILENAME !~ /^tools\/cook\/(command\.h|explain\.c|list(_read|_summary)?\.[ch]|main\.c|outputs\.[ch]|record\.[ch]|report\.c|run\.c|shard\.c)$/ &&
                target != "platform" && name !~ /^runtime\/(asset|blob|lattice|presets)\.h$/ && name !~ /^tools\/cook\//)
                breach("the cooking library includes " name)
        }
        END { exit bad }')
}

if [ "$1" = --self-test ]; then
    root=$2
    copy=$(mktemp -d "${TMPDIR:-/tmp}/tallow_layering_XXXXXX") || exit 1
    trap 'rm -rf "$copy"' EXIT
    (cd "$root" && tar cf - platform profiling jobs runtime tools tests) | (cd "$copy" && tar xf -)
    licence='// SPDX-License-Identifier: MIT'
    plant() { # FILE LINE EXPECTED
        printf '%s\n%s\n' "$licence" "$2" >"$copy/$1"
        found=$(check "$copy") && { echo "FAILED: not caught in $1: $2"; exit 1; }
        case $found in *"$1"*"$3"*) ;; *) echo "FAILED: $1 was reported as: $found"; exit 1 ;; esac
        rm "$copy/$1"
    }
    plant platform/planted.c '#include "profiling/profile.h"' 'platform includes'
    plant profiling/planted.h '#include "runtime/tallow.h"' 'profiling includes'
    plant jobs/planted.c '#  include "runtime/tallow.h"' 'jobs includes'
    plant runtime/planted.c '#include "jobs/TaskScheduler_c.h"' 'runtime includes'
    plant runtime/planted.c '#include <jobs/TaskScheduler_c.h>' 'runtime includes'
    plant runtime/planted.c '#include <stdlib.h>' 'the runtime includes'
    plant tools/planted.c '#include "tests/test.h"' 'tools includes'
    plant platform/planted.c '#include "../runtime/tallow.h"' 'by way of ..'
    plant tools/cook/planted.c '#include "runtime/tallow.h"' 'the cooking library includes'
    plant tools/cook/planted.c '#include "jobs/task_system.h"' 'the cooking library includes'
    plant runtime/planted.c '#include <tracy/TracyC.h>' 'TracyC.h'
    plant tools/bench/planted.c '#include "runtime/passes/kernels.h"' 'private to runtime'
    plant runtime/planted.c '#include "platform/file_system.h"' 'private to platform'
    licence='// a licence that is not ours'
    plant platform/planted.c 'int tlw_planted;' 'no SPDX line'
    check "$copy" >/dev/null || { echo "FAILED: the unplanted tree is not clean"; exit 1; }
    echo "14 planted breaches were all named"
else
    check "$1" && echo "no include goes the wrong way"
fi
