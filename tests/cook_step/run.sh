#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD CMAKE CC TALLOW-SAMPLE: a build step that tallow_cook() makes cooks once, does nothing the
# second time, and cooks again when the asset or the recipe changes.
set -eu
build=$1
cmake=$2
cc=$3
sample=$4
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/tallow_step_XXXXXX")
trap 'rm -rf "$folder"' EXIT

"$cmake" --install "$build" --prefix "$folder/installed" >/dev/null
mkdir "$folder/project"
cp "$here/CMakeLists.txt" "$folder/project"
"$sample" --variant bunny -o "$folder/project/character.glb"
echo '{"resolution": 12}' >"$folder/project/recipe.json"
"$cmake" -G Ninja -S "$folder/project" -B "$folder/out" -DCMAKE_PREFIX_PATH="$folder/installed" \
    -DCMAKE_C_COMPILER="$cc" >/dev/null

step() { # EXPECTED: "cooks", or "rests" if nothing may be done
    text=$("$cmake" --build "$folder/out")
    case $text in *Cooking*) did=cooks ;; *) did=rests ;; esac
    [ "$did" = "$1" ] || { echo "FAILED: $2: it $did"; exit 1; }
}

step cooks "the first build"
cp "$folder/out/character.tlw" "$folder/first.tlw"
step rests "the second build"
sleep 1
echo '{"resolution": 13}' >"$folder/project/recipe.json"
step cooks "after the recipe changed"
cmp -s "$folder/first.tlw" "$folder/out/character.tlw" && { echo "FAILED: the same blob for another recipe"; exit 1; }
step rests "with nothing changed"
sleep 1
"$sample" --variant thin -o "$folder/project/character.glb"
step cooks "after the asset changed"
echo "ok"
