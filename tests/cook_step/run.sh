#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD CMAKE CC TALLOW-SAMPLE: what tallow-cook --help names is installed; a build step that tallow_cook() makes, with Ninja and with Makefiles,
# makes the folder of its output, shows the cook's remarks unless it is QUIET, cooks once, does nothing the
# second time, whatever characters the names have, and cooks again when the asset or the recipe changes.
set -eu
build=$1
cmake=$2
cc=$3
sample=$4
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/tallow_step_XXXXXX")
trap 'rm -rf "$folder"' EXIT
project=$folder/project

"$cmake" --install "$build" --prefix "$folder/installed" >/dev/null
for file in $("$folder/installed/bin/tallow-cook" --help | grep -o 'share/[^ ]*'); do
    [ -s "$folder/installed/$file" ] || { echo "FAILED: --help names $file, which is not installed"; exit 1; }
    named="${named:-}+"
done
[ "${named:-}" = "++" ] || { echo "FAILED: --help does not name two installed files"; exit 1; }
mkdir "$project"
cp "$here/CMakeLists.txt" "$project"

fail() {
    echo "FAILED: $generator: $*"
    echo "$text"
    exit 1
}

step() { # EXPECTED WHEN: "1" or "2" for so many cooks, or "0" if nothing may be done
    text=$("$cmake" --build "$out" 2>&1) || fail "$2: the build fails"
    did=$(echo "$text" | grep -c 'Cooking') || true
    [ "$did" = "$1" ] || fail "$2: $did cooks"
}

for generator in Ninja "Unix Makefiles"; do
    out=$folder/$generator
    "$sample" --variant thin -o "$project/character.glb"
    cp "$project/character.glb" "$project/an \$odd #1.glb"
    echo '{"resolution": 12, "extend": "an $odd base.json"}' >"$project/recipe.json"
    echo '{"resolution": 8}' >"$project/an \$odd #2.json"
    echo '{}' >"$project/an \$odd base.json"
    "$cmake" -G "$generator" -S "$project" -B "$out" -DCMAKE_PREFIX_PATH="$folder/installed" \
        -DCMAKE_C_COMPILER="$cc" >/dev/null
    step 2 "the first build"
    echo "$text" | grep -q "^tallow-cook: $project/character.glb: part from 'head'" || fail "no remarks are shown"
    echo "$text" | grep -q '^tallow-cook: .*#1' && fail "remarks are shown that were asked to be QUIET"
    cp "$out/sub/of sub/character.tlw" "$folder/first.tlw"
    step 0 "the second build"
    sleep 0.1
    echo '{"resolution": 13}' >"$project/recipe.json"
    echo '{"resolution": 9}' >"$project/an \$odd #2.json"
    step 2 "after the recipes changed"
    cmp -s "$folder/first.tlw" "$out/sub/of sub/character.tlw" && fail "the same blob for another recipe"
    [ -s "$out/odd/an \$odd.tlw" ] || fail "there is no odd blob"
    step 0 "with nothing changed"
    sleep 0.1
    "$sample" --variant bunny -o "$project/character.glb"
    step 1 "after the asset changed"
    echo '{"resolution": 13, "extend": "an $odd base.json"}' >"$project/recipe.json"
    step 1 "after the recipe extended another"
    sleep 0.1
    echo '{"smoothing": 2}' >"$project/an \$odd base.json"
    step 1 "after a file changed that the recipe extends"
    step 0 "at the end"
done
echo "ok"
