#!/bin/sh
# SPDX-License-Identifier: MIT
# tables.sh [--check] BENCH FILE...: replaces the text in each FILE between the two lines
#     <!-- tallow-bench table RESULTS [NAME...] -->      and      <!-- end of table -->
# by what BENCH, a tallow-bench, prints for the first one; with --check it compares the two instead.
# Run in the project's root.
set -u
check=0
[ "${1:-}" = --check ] && check=1 && shift
bench=$1
shift
new=$(mktemp "${TMPDIR:-/tmp}/tallow_tables_XXXXXX") || exit 1
trap 'rm -f "$new"' EXIT

for file in "$@"; do
    awk -v bench="$bench" '
        /^<!-- end of table -->$/ { inside = 0 }
        !inside { print }
        /^<!-- tallow-bench table .* -->$/ {
            words = $0
            sub(/^<!-- tallow-bench /, "", words)
            sub(/ -->$/, "", words)
            command = "\"" bench "\" " words
            lines = 0
            print ""
            while ((command | getline line) > 0) { print line; ++lines }
            close(command)
            print ""
            inside = 1
            ++tables
            if (lines == 0) bad = 1
        }
        END { exit bad || inside || !tables }' "$file" >"$new" || {
        echo "tables.sh: $file: no table, one that does not end, or one that cannot be made" >&2
        exit 1
    }
    if [ $check -eq 1 ]; then
        diff -u "$file" "$new" || {
            echo "tables.sh: $file is not what its results say; run: tools/dev bench --tables" >&2
            exit 1
        }
    else
        cmp -s "$file" "$new" || cat "$new" >"$file"
    fi
done
[ $check -eq 0 ] || echo "every table is what its results say"
