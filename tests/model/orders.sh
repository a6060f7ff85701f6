#!/bin/sh
# SPDX-License-Identifier: MIT
# orders.sh ROOT: compares the table of memory orders in tests/model/README.md with the sources. Names
# each operation in jobs/ and runtime/ whose order is not relaxed and that has no row, each row whose
# operation is gone, and each row that does not say who notices.
# orders.sh --list ROOT: prints the beginnings of all rows.
# orders.sh --self-test ROOT: plants one breach of each kind in a copy and sees it named.
set -u

list() { # ROOT
    (cd "$1" && find jobs runtime -name '*.[ch]' | sort | xargs awk '
        # Splits at commas outside of brackets into args[]; returns the number of arguments. `text`
        # begins after the opening bracket.
        function split_args(text,    depth, count, i, c, arg) {
            count = 0
            arg = ""
            for (i = 1; i <= length(text); ++i) {
                c = substr(text, i, 1)
                if (c == "(" || c == "[") ++depth
                if (c == ")" || c == "]") --depth
                if (depth < 0 || (depth == 0 && c == ",")) {
                    gsub(/[ \t]+/, " ", arg)
                    sub(/^ /, "", arg)
                    sub(/ $/, "", arg)
                    args[++count] = arg
                    arg = ""
                    if (depth < 0) return count
                } else
                    arg = arg c
            }
            return count
        }
        function row(operation, order) {
            sub(/^memory_order_/, "", order)
            if (order != "relaxed")
                print "| `" file "` | `" name "` | " operation " | `" args[1] "` | " order " |"
        }
        function flush(    call, operation, count, is_explicit) {
            while (match(body, /atomic_(load|store|exchange|fetch_[a-z]+|compare_exchange_(weak|strong)|thread_fence)(_explicit)?\(/)) {
                call = substr(body, RSTART + 7, RLENGTH - 8)
                body = substr(body, RSTART + RLENGTH)
                count = split_args(body)
                is_explicit = sub(/_explicit$/, "", call)
                operation = call
                if (sub(/_(weak|strong)$/, "", operation)) {
                    row(operation, is_explicit ? args[count - 1] : "seq_cst")
                    row("failed " operation, is_explicit ? args[count] : "seq_cst")
                } else if (operation == "thread_fence")
                    row("fence", args[1])
                else
                    row(operation, is_explicit ? args[count] : "seq_cst")
            }
            body = ""
        }
        FNR == 1 { flush(); file = FILENAME; name = "" }
        { sub(/\/\/.*/, "") }
        /^[A-Za-z_]/ && match($0, /[A-Za-z_0-9]+\(/) {
            next_name = substr($0, RSTART, RLENGTH - 1)
            flush()
            name = next_name
        }
        { body = body " " $0 }
        END { flush() }
    ' | sort -u)
}

check() { # ROOT
    rows=$(mktemp) && list "$1" >"$rows"
    awk '
        FILENAME != "-" && FNR == NR { is_there[$0] = 1; next }
        /^\| `[^`]*\.[ch]` \|/ {
            split($0, cell, / \| /)
            begin = cell[1] " | " cell[2] " | " cell[3] " | " cell[4] " | " cell[5] " |"
            has_row[begin] = 1
            if (!(begin in is_there)) { print "README.md:" FNR ": not in the sources: " begin; bad = 1 }
            who = substr($0, length(begin) + 1)
            gsub(/[ |]/, "", who)
            if (who == "") { print "README.md:" FNR ": does not say who notices: " begin; bad = 1 }
        }
        END {
            for (begin in is_there)
                if (!(begin in has_row)) { print "README.md: has no row: " begin; bad = 1 }
            exit bad
        }
    ' "$rows" "$1/tests/model/README.md"
    result=$?
    rm -f "$rows"
    return $result
}

if [ "$1" = --list ]; then
    list "$2"
    exit 0
fi
if [ "$1" != --self-test ]; then
    check "$1"
    exit $?
fi

copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy"' EXIT
failed=0
expect() { # WHAT, the line that must be named
    if ! check "$copy" | grep -qF "$2"; then
        echo "not named: $1"
        failed=1
    fi
}
fresh() {
    rm -rf "$copy/jobs" "$copy/runtime" "$copy/tests"
    mkdir -p "$copy/tests/model"
    cp -r "$root/jobs" "$root/runtime" "$copy/"
    cp "$root/tests/model/README.md" "$copy/tests/model/"
}
root=$2
fresh
check "$copy" || failed=1
cat >>"$copy/jobs/pinned.c" <<'PLANTED'
static void planted(tlw_atomic_u32* word) {
    atomic_store_explicit(word, tlw_cursor_left(atomic_load(&other[1].word)),
                          memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
}
PLANTED
expect "a store" 'has no row: | `jobs/pinned.c` | `planted` | store | `word` | release |'
expect "a load inside its argument" 'has no row: | `jobs/pinned.c` | `planted` | load | `&other[1].word` | seq_cst |'
expect "a fence" 'has no row: | `jobs/pinned.c` | `planted` | fence | `memory_order_seq_cst` | seq_cst |'
fresh
sed -i 's/memory_order_acquire/memory_order_relaxed/' "$copy/runtime/step/team.c"
expect "a row of an order that was relaxed" 'not in the sources: | `runtime/step/team.c`'
fresh
sed -i '/^| `runtime\/step\/team.c`/s/|[^|]*|$/| |/' "$copy/tests/model/README.md"
expect "a row without a reason" 'does not say who notices: | `runtime/step/team.c`'
exit $failed
