#!/bin/sh
# SPDX-License-Identifier: MIT
# sample.sh PROGRAM: the command line of tallow-sample. Every mistake gives one line, usage and exit code 2;
# a file that cannot be written is named with the reason, exit code 6, and the old one stays.
set -u
sample=$1
command=$sample
. "$(dirname "$0")/expect.sh"

expect 2 "unknown option '--nonsense'" --nonsense
grep -q '^usage: tallow-sample' "$folder/out" || fail "no usage after a mistake"
expect 2 "unexpected argument 'bunny.glb'" bunny.glb
expect 2 "unknown variant 'bear'" --variant bear
expect 2 "a character's name must follow '--variant'" --variant
expect 2 "a file name must follow '-o'" -o
expect 2 "a folder must follow '--all'" --all
expect 2 "it cannot be joined by '-o'" --all "$folder" -o "$folder/a.glb"
expect 2 "it cannot be joined by '--variant'" --variant thin --all "$folder"
expect 2 "it cannot be joined by '--recipe'" --all "$folder" --recipe "$folder/a.json"
expect 2 "a file name must follow '--recipe'" --recipe
expect 2 "there is no recipe for 'thin'" --variant thin -o "$folder/a.glb" --recipe "$folder/a.json"
[ ! -e "$folder/a.glb" ] && [ ! -e "$folder/a.json" ] || fail "a mistake leaves a file"
expect 0 "usage: tallow-sample" --help
exit_codes_are_documented
expect 6 "cannot write '$folder/nowhere/a.glb': " --variant thin -o "$folder/nowhere/a.glb"
expect 6 "cannot write '$folder/nowhere/bunny.glb': " --all "$folder/nowhere"
expect 6 "cannot write '$folder/nowhere/a.json': " --variant athletic -o "$folder/a.glb" --recipe "$folder/nowhere/a.json"

"$sample" --all "$folder" >"$folder/out" 2>&1 || fail "--all fails"
[ ! -s "$folder/out" ] || fail "--all is not silent"
for name in bunny stout thin athletic; do
    "$sample" --variant $name -o "$folder/one.glb" >"$folder/out" 2>&1 || fail "$name fails"
    cmp -s "$folder/one.glb" "$folder/$name.glb" || fail "$name differs between --all and -o"
done
"$sample" --variant athletic -o "$folder/one.glb" --recipe "$folder/one.json" >"$folder/out" 2>&1 || fail "--recipe fails"
cmp -s "$folder/one.json" "$folder/athletic.json" || fail "the recipe differs between --all and --recipe"
[ "$(ls "$folder"/*.json | wc -l)" -eq 2 ] || fail "--all writes a recipe for a variant that has none"
(cd "$folder" && rm bunny.glb && "$sample" && [ -s bunny.glb ]) >"$folder/out" 2>&1 ||
    fail "no option at all does not write bunny.glb"
echo "ok"
