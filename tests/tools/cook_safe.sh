#!/bin/sh
# SPDX-License-Identifier: MIT
# cook_safe.sh TALLOW-COOK ROD.gltf: tallow-cook never writes over what it reads, however that is named.
# ROD.gltf is a small asset in one line of text.
set -u
cook=$1
rod=$2
command=$cook
. "$(dirname "$0")/expect.sh"

art=$folder/art
out=$folder/out_files
mkdir -p "$art/textures" "$out"
# The asset with its bytes in a file of their own, a picture, and a recipe that extends another.
sed 's/.*"data:application[^,]*,\([^"]*\)".*/\1/' "$rod" | base64 -d >"$art/rod bytes.bin"
sed 's|data:[^"]*|rod%20bytes.bin|; s|,"scene":0|,"scene":0,"images":[{"uri":"textures/skin%20map.png"},{"uri":"data:,"},{"mimeType":"image/png"}]|' \
    "$rod" >"$art/rod.gltf"
grep -q images "$art/rod.gltf" || fail "the asset has no picture"
echo "a picture" >"$art/textures/skin map.png"
printf '{"resolution": 6}' >"$art/base.json"
printf '{"extend": "base.json"}' >"$art/rod.json"
ln -s ../art "$out/link"
ln -s ../art/rod.gltf "$out/soft.tlw"
ln "$art/rod.gltf" "$out/hard.tlw"
# Two spellings of each name, as a file system that ignores case has them.
mkdir "$folder/cased"
touch "$folder/cased/there"
ln "$folder/cased/there" "$folder/cased/THERE"
ln -s ../cased/Nowhere "$out/later.tlw"
cp -R "$art" "$folder/before"

refused() { # PART ARGUMENTS...: exit code 2, nothing is written, the sources are as they were
    part=$1
    shift
    expect 2 "$part" "$art/rod.gltf" -r "$art/rod.json" "$@"
    one_line
    diff -r "$art" "$folder/before" >"$folder/out" || fail "'$*' changed a source"
    [ "$(ls -A "$out")" = "$(printf 'hard.tlw\nlater.tlw\nlink\nsoft.tlw')" ] || fail "'$*' wrote $(ls -A "$out")"
}
for output in "$art/rod.gltf" "$art/../art/./rod.gltf" "$out/link/rod.gltf" "$out/soft.tlw" "$out/hard.tlw"; do
    refused "-o '$output' would overwrite the input '$art/rod.gltf'; nothing was written" -o "$output"
done
refused "-o '$art/rod.json' would overwrite the recipe '$art/rod.json'" -o "$art/rod.json"
refused "would overwrite the input" -o "$art/rod.gltf" --dry-run
for option in --depfile --report --picture; do
    refused "$option '$art/rod.gltf' would overwrite the input" -o "$out/a.tlw" $option "$art/rod.gltf"
    refused "$option '$out/link/rod.json' would overwrite the recipe" -o "$out/a.tlw" $option "$out/link/rod.json"
    refused "-o '$out/../out_files/a.tlw' and $option '$out/a.tlw' are one file" \
        -o "$out/../out_files/a.tlw" $option "$out/a.tlw"
done
refused "--report '$out/link/../x' and --depfile '$folder/x' are one file" -o "$out/a.tlw" \
    --depfile "$folder/x" --report "$out/link/../x"
refused "-o '$out/later.tlw' and --depfile '$folder/cased/nowhere' are one file" -o "$out/later.tlw" \
    --depfile "$folder/cased/nowhere"
# What only the asset and the recipe name is known before anything is cooked.
refused "-o '$art/rod bytes.bin' would overwrite a file of the asset, '$art/rod bytes.bin'" -o "$art/rod bytes.bin"
refused "--report '$out/link/textures/skin map.png' would overwrite a picture of the asset, " -o "$out/a.tlw" \
    --report "$out/link/textures/skin map.png"
refused "--depfile '$art/base.json' would overwrite a file of the recipe, '$art/base.json'" -o "$out/a.tlw" \
    --depfile "$art/base.json"
"$cook" "$art/rod.gltf" -r "$art/rod.json" -o /dev/null --report /dev/null --depfile /dev/null --quiet \
    2>"$folder/out" || fail "outputs that are no files may be one"
# A picture that does not exist is no output's place either.
rm "$art/textures/skin map.png" "$folder/before/textures/skin map.png"
refused "would overwrite a picture of the asset" -o "$art/textures/skin map.png"

echo "ok"
