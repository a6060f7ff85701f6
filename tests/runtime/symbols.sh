#!/bin/sh
# SPDX-License-Identifier: MIT
# symbols.sh NM RUNTIME OTHER...: the runtime archive may use five functions of the C library and nothing else
# outside itself and the archives of the layers below it, and it must have no writable global.
set -u
nm=$1
runtime=$2
shift 2
allowed='memcpy memmove memset memcmp sqrtf'

defined=$("$nm" -g --defined-only "$runtime" "$@" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u)
# _GLOBAL_OFFSET_TABLE_ comes from the compiler, for position-independent code.
undefined=$("$nm" -u "$runtime" | awk 'NF == 2 { print $2 }' | sort -u | grep -v '^_GLOBAL_OFFSET_TABLE_$')
failed=0
for symbol in $undefined; do
    printf '%s\n' "$defined" | grep -qx "$symbol" && continue
    case " $allowed " in *" $symbol "*) continue ;; esac
    echo "FAILED: the runtime needs '$symbol'"
    failed=1
done
# .data.rel.ro is constant once loaded: tables that hold addresses.
writable=$("$nm" --format=sysv "$runtime" | awk -F '|' '
    $7 ~ /^\.(data|bss|tdata|tbss)/ && $7 !~ /^\.data\.rel\.ro/ { gsub(/ /, "", $1); print $1 }')
for symbol in $writable; do
    echo "FAILED: the runtime has a writable global, '$symbol'"
    failed=1
done
"$nm" -g --defined-only "$runtime" | grep -q 'T tlw_get_version' || {
    echo "FAILED: $runtime does not hold the runtime"
    failed=1
}
[ $failed -eq 0 ] && echo "only what is allowed: $allowed"
exit $failed
