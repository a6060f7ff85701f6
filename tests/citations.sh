#!/bin/sh
# SPDX-License-Identifier: MIT
# citations.sh ROOT: code and text cite the model by section number, `MODEL n.m` for runtime/MODEL.md
# and `RULES n` for tools/cook/RULES.md. Names each citation below ROOT whose number is not that of a
# heading there, and each mention of a page that the project does not have (working notes and the
# readings that were merged into the two). One line "file:line: what" per breach.
# citations.sh --self-test ROOT: plants one breach of each kind in a copy and sees it named.
set -u

check() { # ROOT
    (cd "$1" && find . \( -name .git -o -path ./build -o -path ./out -o -path ./tests/golden \) -prune -o -type f \
        \( -name '*.[ch]' -o -name '*.inl' -o -name '*.cpp' -o -name '*.md' -o -name '*.sh' -o -name '*.txt' \
        -o -name '*.cmake' -o -name '*.cmake.in' -o -name '*.json' -o -name '*.html' -o -name '*.js' \
        -o -name '*.py' -o -path ./tools/dev -o -path ./.ci/run \) ! -path ./tests/citations.sh -print |
        sed 's,^\./,,' | sort | xargs awk '
        function breach(what) { print FILENAME ":" FNR ": " what; bad = 1 }
        # The numbers of a page are those of its headings: "## 3 The substep", "### 3.4 Stretch".
        function read_page(page, path,    line, any) {
            while ((getline line < path) > 0)
                if (match(line, /^#+ [0-9]+(\.[0-9]+)?\.? /)) {
                    sub(/^#+ /, "", line)
                    sub(/\.? .*/, "", line)
                    is_section[page " " line] = any = 1
                }
            close(path)
            if (!any) {
                print path ":1: the page is missing, or has no numbered heading"
                bad = 1
            }
        }
        # `text` begins with a number that is cited, or with a list of them: "4.3, 4.4 and 4.7", "1 to 3".
        # A number in a list that a word follows is no section: "MODEL 3.4, 26 neighbours".
        function cite(page, text,    number, after) {
            for (after = 0; match(text, /^[0-9]+(\.[0-9]+)?/); after = 1) {
                number = substr(text, 1, RLENGTH)
                text = substr(text, RLENGTH + 1)
                if (after && text ~ /^[^]),.;:`|]/ && text !~ /^ (and|or|to) [0-9]/) return
                if (!((page " " number) in is_section))
                    breach("cites " page " " number ", which " path_of[page] " does not have")
                if (!match(text, /^(, (and )?| and | or | to )[0-9]/)) return
                text = substr(text, RLENGTH)
            }
        }
        function find_citations(page,    rest) {
            for (rest = $0; match(rest, "(^|[^A-Za-z_])" page " [0-9]"); )
                cite(page, rest = substr(rest, RSTART + RLENGTH - 1))
        }
        BEGIN {
            path_of["MODEL"] = "runtime/MODEL.md"
            path_of["RULES"] = "tools/cook/RULES.md"
            for (page in path_of) read_page(page, path_of[page])
        }
        FNR == 1 { open = "" }
        open != "" { # the line before ended with the page, the number stands here
            line = $0
            sub(/^[ \t]*(\/\/|#|\*)?[ \t]*/, "", line)
            cite(open, line)
            open = ""
        }
        { find_citations("MODEL"); find_citations("RULES") }
        /(^|[^A-Za-z_])MODEL$/ { open = "MODEL" }
        /(^|[^A-Za-z_])RULES$/ { open = "RULES" }
        /design\.md/ { breach("mentions design.md, which the project does not have") }
        /READING(\.md| [0-9])/ { breach("mentions READING, which is part of MODEL.md and RULES.md now") }
        END { exit bad }')
}

if [ "$1" = --self-test ]; then
    root=$2
    copy=$(mktemp -d "${TMPDIR:-/tmp}/tallow_citations_XXXXXX") || exit 1
    trap 'rm -rf "$copy"' EXIT
    # A small tree with the project's MODEL.md: breaches of the project itself are for the other test.
    mkdir -p "$copy/runtime" "$copy/tools/cook"
    printf '# Rules\n\n## 1 Input\n\n### 1.1 Welding\n\n## 2 Grid\n' >"$copy/tools/cook/RULES.md"
    sed 's/RULES [0-9]*/RULES/g' "$root/runtime/MODEL.md" >"$copy/runtime/MODEL.md" || exit 1
    plant() { # FILE LINE EXPECTED
        printf '// SPDX-License-Identifier: MIT\n%s\n' "$2" >"$copy/$1"
        found=$(check "$copy") && { echo "FAILED: not caught in $1: $2"; exit 1; }
        case $found in "$1:2: "*"$3"*) ;; *) echo "FAILED: $1 was reported as: $found"; exit 1 ;; esac
        rm "$copy/$1"
    }
    spare() { # FILE LINE
        printf '// SPDX-License-Identifier: MIT\n%s\n' "$2" >"$copy/$1"
        found=$(check "$copy") || { echo "FAILED: named without reason: $found"; exit 1; }
        rm "$copy/$1"
    }
    spare runtime/planted.c '// (MODEL 3.4, 3.5 and 11; RULES 1.1) 3 voxels, TLW_MODEL 99'
    spare runtime/planted.c '// (MODEL 3.4, 26 neighbours)'
    plant runtime/planted.c '// Pass planted (MODEL 3.99).' 'cites MODEL 3.99'
    plant runtime/planted.c '// Pass planted (MODEL 3.4, 3.98).' 'cites MODEL 3.98'
    plant tools/cook/planted.c '// Stage planted (RULES 1 to 77).' 'cites RULES 77'
    plant tools/planted.md 'See MODEL 12.' 'cites MODEL 12'
    plant tools/planted.cmake '# the same bits (design.md, section 3)' 'mentions design.md'
    plant runtime/planted.h '// READING 8.6' 'mentions READING'
    printf '// Pass planted (MODEL\n// 3.97).\n' >"$copy/runtime/planted.c"
    found=$(check "$copy") && { echo "FAILED: not caught over the end of a line"; exit 1; }
    case $found in "runtime/planted.c:2: cites MODEL 3.97"*) ;; *) echo "FAILED: $found"; exit 1 ;; esac
    rm "$copy/runtime/planted.c"
    rm "$copy/tools/cook/RULES.md"
    found=$(check "$copy") && { echo "FAILED: a missing page was not named"; exit 1; }
    case $found in *"tools/cook/RULES.md:1: the page is missing"*) ;; *) echo "FAILED: $found"; exit 1 ;; esac
    echo "8 planted breaches were all named"
else
    check "$1" && echo "every section that is cited exists"
fi
