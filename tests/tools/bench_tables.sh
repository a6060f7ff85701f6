#!/bin/sh
# SPDX-License-Identifier: MIT
# bench_tables.sh PROGRAM SOURCE SECTION...: runs these sections quickly; their JSON must have every key
# that tools/bench/README.md lists and no other, and rows in every table.
set -u
command=$1
source=$2
shift 2
. "$(dirname "$0")/expect.sh"

expect 0 "tallow-bench" "$@" --quick --json "$folder/a.json"
documented=$(sed -n '/^### The results file/,/^## /s/^| \(`[^|]*\) |.*/\1/p' "$source/tools/bench/README.md" |
    tr -d '`,' | tr ' ' '\n' | sort)
written=$(sed -n 's/^  "\([a-z0-9_]*\)": .*/\1/p' "$folder/a.json" | sort)
[ -n "$documented" ] || fail "README.md lists no keys"
for key in $written; do
    echo "$documented" | grep -qx "$key" || fail "README.md does not say what '$key' is"
done
for key in $documented; do
    case " $* $key " in
    *" table1 "*table1* | *" table2 "*table2* | *" passes "*passes* | *" scaling "*scaling* | *" embed "*" embed " | *" skinning "*" skinning " | *" contact "*" contact " | *" muscles "*" muscles " | *" muscles "*" lame ") is_table=1 ;;
    *) is_table=0 ;;
    esac
    case $key in
    embed | skinning | contact | muscles | lame | table1 | table1_shares | table2 | passes | scaling_*)
        [ $is_table -eq 1 ] || continue
        sed -n "/^  \"$key\": \[/,/^  \]/p" "$folder/a.json" | grep -q '^    {".*}' ||
            fail "the table '$key' has no rows"
        ;;
    esac
    echo "$written" | grep -qx "$key" || fail "the JSON has no '$key'"
done
grep -qE '^  "commit": "([0-9a-f]+\+?|unknown)",$' "$folder/a.json" || fail "the commit is not in the JSON"
if command -v python3 >/dev/null; then
    python3 -m json.tool "$folder/a.json" >"$folder/out" 2>&1 || fail "the JSON does not parse"
fi

# tallow-bench can read the file that it has just written.
expect 0 "cpu " compare "$folder/a.json" "$folder/a.json"
expect 0 "" table "$folder/a.json"
echo "ok"
