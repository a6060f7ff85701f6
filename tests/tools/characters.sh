#!/bin/sh
# SPDX-License-Identifier: MIT
# characters.sh TALLOW-CHARACTERS TALLOW-SAMPLE TALLOW-COOK TALLOW-SIM SOURCE: two characters posed from their
# GLB files through the skeleton map end where tallow-sim puts them, within 1e-5 m; the guide's page about
# poses is the code that runs here.
set -u
characters=$1
sample=$2
cook=$3
sim=$4
source=$5
command=$characters
. "$(dirname "$0")/expect.sh"

printf '{"resolution": 24}\n' >"$folder/recipe.json"
for name in stout bunny; do
    "$sample" --variant $name -o "$folder/$name.glb" >"$folder/out" 2>&1 || fail "no sample $name"
    "$cook" "$folder/$name.glb" -r "$folder/recipe.json" -o "$folder/$name.tlw" --quiet >"$folder/out" 2>&1 ||
        fail "$name is not cooked"
done

run() { # CLIP
    expect 0 "stout.tlw: bounds " "$folder/stout.glb" "$folder/stout.tlw" "$folder/bunny.glb" \
        "$folder/bunny.tlw" "$1" "$folder/vertices"
    [ "$(wc -l <"$folder/out")" -eq 2 ] || fail "not one line per character"
    rm -f "$folder/expected"
    for name in stout bunny; do
        "$sim" "$folder/$name.tlw" --motion "$folder/$name.glb:$1" --frames 121 --dump "$folder/dump" \
            >"$folder/out" 2>&1 || fail "tallow-sim fails for $name"
        vertices=$(od -An -tu4 -j16 -N4 "$folder/dump")
        tail -c $((vertices * 12)) "$folder/dump" | od -An -v -w12 -tf4 >>"$folder/expected"
    done
    [ "$(wc -l <"$folder/vertices")" -eq "$(wc -l <"$folder/expected")" ] || fail "another number of vertices"
    paste -d ' ' "$folder/vertices" "$folder/expected" | awk '
        NF != 9 { print "line " NR ": " $0; bad = 1; exit }
        { for (i = 1; i <= 3; ++i) { d = $i - $(i + 6); d = d < 0 ? -d : d; if (!(d <= worst)) worst = d }
          n = $4 * $4 + $5 * $5 + $6 * $6
          if (!(n > 0.999 && n < 1.001)) { print "line " NR ": a normal of length " sqrt(n); bad = 1; exit } }
        END { print "farthest off: " worst " m"; exit !(!bad && NR > 1000 && worst <= 1e-5) }' >"$folder/out" ||
        fail "positions differ from those of tallow-sim"
}
run dance
run walk

# Mistakes
expect 1 "usage"
expect 1 "nowhere.glb" "$folder/nowhere.glb" "$folder/stout.tlw" "$folder/bunny.glb" "$folder/bunny.tlw"
expect 1 "nowhere.tlw: the file cannot be read" "$folder/stout.glb" "$folder/nowhere.tlw" "$folder/bunny.glb" \
    "$folder/bunny.tlw"
expect 1 "polka: nothing has that name" "$folder/stout.glb" "$folder/stout.tlw" "$folder/bunny.glb" \
    "$folder/bunny.tlw" polka
sed 's/"ear_tip_l"/"ear_tap_l"/g' "$folder/bunny.glb" >"$folder/other.glb"
expect 1 "ear_tip_l: nothing has that name" "$folder/stout.glb" "$folder/stout.tlw" "$folder/other.glb" \
    "$folder/bunny.tlw" walk

# The guide shows tools/example/gltf_pose.h word for word.
sed -n '/^#include/,/^#endif/p' "$source/tools/example/gltf_pose.h" | sed '$d' | grep -v '^$' >"$folder/code"
awk '/^## From a glTF skin to a pose/ { inside = 1 } inside && /^```c/ { code = 1; next }
    code && /^```/ { exit } code && NF' "$source/runtime/INTEGRATING.md" >"$folder/page"
diff "$folder/code" "$folder/page" >"$folder/out" || fail "INTEGRATING.md does not show gltf_pose.h as it is"
echo "ok"
