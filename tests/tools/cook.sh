#!/bin/sh
# SPDX-License-Identifier: MIT
# cook.sh TALLOW-COOK TALLOW-SAMPLE ROD.gltf RECIPE-README: the command line of tallow-cook. Every mistake
# gives one line and its exit code; on failure nothing is written and an old blob stays; the bytes do not
# depend on the number of threads. ROD.gltf is a small asset in one line of text, which this script edits.
set -u
cook=$1
sample=$2
rod=$3
readme=$4
command=$cook
. "$(dirname "$0")/expect.sh"

"$sample" --variant bunny -o "$folder/bunny.glb" || fail "no sample"
printf '{"resolution": 16}\n' >"$folder/small.json"

expect 2 "there is no 'INPUT'"
expect 2 "there is no '-o'; --dry-run needs none" "$folder/bunny.glb"
expect 2 "something must follow '--explain'" --explain
expect 2 "something must follow '--picture'" "$folder/bunny.glb" -o x --picture
expect 2 "unknown option '--nonsense'" --nonsense
expect 2 "one input, and then 'other.glb'" "$folder/bunny.glb" other.glb -o x
expect 2 "something must follow '-o'" "$folder/bunny.glb" -o
# An empty name, as an unset variable gives it, is refused before anything is read.
for option in -r -o --depfile --report --picture --list --summary; do
    expect 2 "$option takes a file, not ''" "$folder/nowhere.glb" -o x $option ""
done
expect 2 "--threads takes 1 to 256, not '0'" "$folder/bunny.glb" -o x --threads 0
expect 2 "--threads takes 1 to 256, not 'two'" "$folder/bunny.glb" -o x --threads two
expect 2 "--import-seconds takes 1 to 86400, not '0'" "$folder/bunny.glb" -o x --import-seconds 0
expect 2 "--import-mb takes 1 to 1048576, not '2000000'" "$folder/bunny.glb" -o x --import-mb 2000000
expect 0 "usage: tallow-cook" --help
exit_codes_are_documented

blob=$folder/bunny.tlw
echo "the old blob" >"$blob"
cp "$blob" "$folder/old"
printf 'not a glb' >"$folder/bad.glb"
printf '{"resolution": 1}' >"$folder/one.json"
printf '{"resolutoin": 32}' >"$folder/typo.json"
printf '{"parts": [{"joint": "tentacle", "layers": {"fat": {"stiffness": 1}}}]}' >"$folder/part.json"
printf '{"limits": {"voxels": 100}}' >"$folder/limit.json"
expect 3 "nowhere.glb" "$folder/nowhere.glb" -o "$blob"
expect 3 "nowhere.json" "$folder/bunny.glb" -r "$folder/nowhere.json" -o "$blob"
expect 4 "bad.glb: " "$folder/bad.glb" -o "$blob"
expect 5 "resolution: an integer from 2 to 1024" "$folder/bunny.glb" -r "$folder/one.json" -o "$blob"
expect 5 'did you mean "resolution"' "$folder/bunny.glb" -r "$folder/typo.json" -o "$blob"
expect 5 'there is no joint "tentacle"' "$folder/bunny.glb" -r "$folder/part.json" -o "$blob"
expect 5 "limit.json:1:23: limits.voxels: " "$folder/bunny.glb" -r "$folder/limit.json" -o "$blob"
expect 5 "voxels; the recipe allows 100" "$folder/bunny.glb" -r "$folder/limit.json" -o "$blob"
expect 6 "cannot write '$folder/no/where.tlw'" "$folder/bunny.glb" -r "$folder/small.json" \
    -o "$folder/no/where.tlw"
expect 6 "cannot write '$folder/no/picture.png'" "$folder/bunny.glb" -r "$folder/small.json" \
    -o "$blob" --depfile "$folder/early.d" --report "$folder/early.report" --picture "$folder/no/picture.png"
expect 6 "cannot write '$folder/no/report.json'" "$folder/bunny.glb" -r "$folder/small.json" \
    -o "$blob" --depfile "$folder/early.d" --report "$folder/no/report.json"

# Cooks with a recipe of this text, which must fail.
bad_recipe() { # PART TEXT [EXIT-CODE]
    printf '%s' "$2" >"$folder/bad.json"
    expect "${3:-5}" "$1" "$folder/bunny.glb" -r "$folder/bad.json" -o "$blob"
}
bad_recipe "resolution: an integer from 2 to 1024 is expected, not 0" '{"resolution": 0}'
bad_recipe "resolution: an integer from 2 to 1024 is expected, not 100000" '{"resolution": 100000}'
bad_recipe "bad.json:1:16: voxel_size: a resolution of " '{"voxel_size": 0.00001}'
bad_recipe "bad.json:1:45: limits.memory_mb: " '{"resolution": 256, "limits": {"memory_mb": 1}}'
bad_recipe "pass the limit of 1048576 bytes" '{"resolution": 256, "limits": {"memory_mb": 1}}'
bad_recipe "layers out of order: 5/10 does not come after the 6/10" '{"layers": [{"name": "bone"},
    {"name": "muscle", "ratio": 0.6}, {"name": "fat", "ratio": 0.5}, {"name": "rest"}, {"name": "skin"}]}'
bad_recipe "duplicate object key" '{"resolution": 32, "resolution": 16}'
bad_recipe "bad.json:2:18: meshes.exclude[0]: no mesh" '{"meshes":
    {"exclude": ["nobody"]}}'
bad_recipe 'bad.json:1:34: meshes.roles["no body"]: no mesh' '{"meshes": {"roles": {"no body": "ride"}}}'
bad_recipe "bad.json:1:12: extend: cannot read '$folder/nowhere.json'" '{"extend": "nowhere.json"}' 3
bad_recipe "bad.json:1:12: extend: files that extend each other in a circle: $folder/bad.json, $folder/bad.json" \
    '{"extend": "bad.json"}'
bad_recipe "typo.json:1:2: resolutoin: unknown key" '{"extend": "typo.json"}'
bad_recipe 'firm[1]: there is no joint "ear_I"; did you mean "ear_l"' '{"firm": ["head", "ear_I"]}'
bad_recipe 'firm[1]: "head" is in the list already' '{"firm": ["head", "head"]}'
bad_recipe "bad.json:1:41: parts[0].mirror: part 0: 'head' cannot be mirrored" \
    '{"parts": [{"joint": "head", "mirror":  true}]}'
bad_recipe "bad.json:1:19: paint.fat: no mesh that is voxelised has the vertex attribute '_FAT'" \
    '{"paint": {"fat": "_FAT"}}'
bad_recipe 'did you mean "ear_l"' '{"cuts": [{"joints": ["ear_I", "head"]}]}'

# Muscles and Lame layers: which muscle, which vertex, and where in the file that stands.
bad_muscle() { # PART MEMBERS-AND-LINE: of muscles[0], a line from arm to forearm
    bad_recipe "$1" '{"resolution": 16, "muscles": [{"name": "biceps_l", "radius": 0.05,
'"$2"'}]}'
}
line='"line": [{"joint": "arm_l", "along": 0.1}, {"joint": "arm_l", "along": 0.8}, {"joint": "forearm_l"}]'
bad_muscle 'bad.json:2:40: muscles[0].line[1].joint: there is no joint "arm_I"; did you mean "arm_l"?' \
    '"line": [{"joint": "arm_l"}, {"joint": "arm_I"}, {"joint": "forearm_l"}]'
bad_muscle "bad.json:2:9: muscles[0].line: 2 elements; 3 to 32 are possible" '"line": [{"joint": "arm_l"}, {"joint": "forearm_l"}]'
bad_muscle "bad.json:2:42: muscles[0].line[1]: muscle 'biceps_l', line[1]: its distance from line[0] is 0" \
    '"line": [{"joint": "arm_l", "along": 0}, {"joint": "arm_l", "along": 0.0001}, {"joint": "forearm_l"}]'
bad_muscle "muscles[0].fields[0].gain: a number from 0 to 40 is expected, not 41" \
    "$line"', "fields": [{"joint": "forearm_l", "radii": [1, 1, 1], "gain": 41}]'
bad_muscle "muscles[0].tendons[0]: there is no segment 2; a line of 3 vertices has 0 to 1" "$line"', "tendons": [2]'
bad_muscle "bad.json:2:9: muscles[0].line: muscle 'biceps_l': no vertex of its line has a radius above 0" \
    '"line": [{"joint": "arm_l", "along": 0.1, "radius": 0}, {"joint": "arm_l", "along": 0.8, "radius": 0}, {"joint": "forearm_l", "radius": 0}]'
bad_muscle "bad.json:2:44: muscles[0].line[1]: muscle 'biceps_l', line[1] is at 1e+06, " \
    '"line": [{"joint": "arm_l", "along": 0.1}, {"joint": "arm_l", "offset": [1000000, 0, 0]}, {"joint": "forearm_l"}]'
bad_muscle "bad.json:2:146: muscles[0].fields[0].radii: muscle 'biceps_l', fields[0]: radius 1 is 0.01" \
    "$line"', "fields": [{"joint": "forearm_l", "radii": [1, 0.001, 1]}]'
bad_muscle "bad.json:2:121: muscles[0].flex.joint: muscle 'biceps_l', flex.joint: 'root' has no parent" \
    "$line"', "flex": {"joint": "root", "to": 90}'
bad_recipe "bad.json:1:88: parts[0].layers.skin.solver: part 0 'spine', layer 'skin': its solver is shape, but layer 'fat' inside it is lame" \
    '{"parts": [{"joint": "spine", "layers": {"fat": {"solver": "lame"}, "skin": {"solver": "shape"}}}]}'
bad_recipe "bad.json:1:40: layers[0].solver: layer 'bone' is bone, which follows the skeleton; it cannot be lame" '{"layers": [{"name": "bone", "solver": "lame"}, {"name": "skin"}]}'
bad_recipe "parts[0].layers.fat.poisson: a number from 0 to 0.4999 is expected, not 0.5" \
    '{"parts": [{"joint": "spine", "layers": {"fat": {"solver": "lame", "poisson": 0.5}}}]}'

# Cooks the asset with one place of its text changed, which must fail.
bad_asset() { # PART FROM TO
    sed "s|$2|$3|" "$rod" >"$folder/bad.gltf"
    cmp -s "$rod" "$folder/bad.gltf" && fail "the edit of $2 changes nothing"
    expect 4 "$1" "$folder/bad.gltf" -o "$blob"
}
expect 0 "open edges" "$rod" -o "$folder/rod.tlw"
bad_asset "skins: the file has none" ',"skin":0\(.*\)"skins":\[.*"animations"' '\1"animations"'
bad_asset "none that is not ignored shows a mesh with a skin" ',"skin":0' ''
bad_asset "skins[0].joints: it has 0 elements" '"joints":\[1,2\]' '"joints":[]'
bad_asset "nodes[1]: the node is its own ancestor" '"name":"knee",' '"name":"knee","children":[1],'
bad_asset "accessors[0].count: 4294967295 elements" '"count":4,"type":"VEC3"' '"count":4294967295,"type":"VEC3"'
bad_asset "end beyond 2^64" '"count":4,"type":"VEC3"' '"count":4611686018427387904,"type":"VEC3"'
bad_asset "nodes[0].mesh: 1 is out of range" '"mesh":0' '"mesh":1'
bad_asset "duplicate object key" '"scene":0' '"scene":0,"scene":0'
bad_asset "primitives: it has 0 elements" '"primitives":\[.*"skins"' '"primitives":[]}],"skins"'
bad_asset "all 2 triangles of 4 vertices collapse" '{"bufferView":0,"componentType":5126,"count":4' \
    '{"componentType":5126,"count":4'
bad_asset "element 0, component 0 is NaN" 'base64,AACAvwAA' 'base64,AADAfwAA'
bad_asset "goes up with '..'" 'data:[^"]*' '../secret.bin'
bad_asset "is an absolute path" 'data:[^"]*' '/etc/hostname'
bad_asset "goes up with '..'" 'data:[^"]*' '%2e%2e/secret.bin'
echo "not for the asset" >"$folder/secret.bin"
mkdir "$folder/inside"
ln -s ../secret.bin "$folder/inside/link.bin"
sed 's|data:[^"]*|link.bin|' "$rod" >"$folder/inside/linked.gltf"
expect 4 "'link.bin' is a link that leads out of the asset's folder" "$folder/inside/linked.gltf" -o "$blob"
{ printf '{"asset":'; printf '%0200000d' 0 | tr 0 '['; } >"$folder/bomb.gltf"
expect 4 "nested deeper than 64" "$folder/bomb.gltf" -o "$blob"
for length in 0 1 4 11 12 19 20 500 5000 100000; do
    head -c $length "$folder/bunny.glb" >"$folder/cut.glb"
    expect 4 "cut.glb: " "$folder/cut.glb" -o "$blob"
done
[ ! -e "$folder/early.d" ] || fail "a depfile was left by a cook that failed"
[ ! -e "$folder/early.report" ] || fail "a report was left by a cook that failed"
cmp -s "$blob" "$folder/old" || fail "a failed cook changed the old blob"
[ -z "$(find "$folder" -name '.tlw-*')" ] || fail "a temporary was left behind"

for threads in 1 2 8; do
    "$cook" "$folder/bunny.glb" -r "$folder/small.json" -o "$folder/$threads.tlw" --quiet \
        --threads $threads >"$folder/out" 2>&1 || fail "$threads threads"
    [ ! -s "$folder/out" ] || fail "--quiet says something"
    cmp -s "$folder/1.tlw" "$folder/$threads.tlw" || fail "$threads threads give other bytes than 1"
done

mkdir "$folder/a b"
cp "$folder/bunny.glb" "$folder/a b/in put.glb"
"$cook" "$folder/a b/in put.glb" -r "$folder/small.json" -o "$blob" --depfile "$folder/d" \
    --report "$folder/report.json" >"$folder/out" 2>&1 || fail "the good cook"
cmp -s "$folder/1.tlw" "$blob" || fail "the same asset in another folder gives other bytes"
grep -qF "a\\ b/in\\ put.glb" "$folder/d" || fail "the depfile does not escape spaces"
grep -qF "small.json" "$folder/d" || fail "the depfile does not name the recipe"
grep -q '"voxels": [0-9]' "$folder/report.json" || fail "the report has no voxels"
grep -qF "part from 'head': firm by name, " "$folder/out" || fail "the head's part is not named"
grep -qF "voxels; stiffness, damping, anchor Hz (delta): 2 0.1 12 (0.2062), 2 0.1 12 (0.2062)," "$folder/out" ||
    fail "the materials of firm parts are not named"
grep -A1 '"anchor_hz": 3.5,' "$folder/report.json" | grep -q '"delta": 0.8742' || fail "the report has no delta"
grep -q "skinned volume at [0-9]* bends, [0-9]* were left out; voxels, volume, reach:.* 'ear_l' [0-9]" "$folder/out" ||
    fail "bends are not named"
grep -A4 '"joint": "ear_l"' "$folder/report.json" | tr -d ' \n' |
    grep -q '"voxels":[1-9][0-9]*,"volume":[0-9.]*,"reach":[0-9.]*}' || fail "the report has no bend at an ear"
for key in '"left_out_bends": [0-9]' '"skinning": "linear"' '"profiles": {}'; do
    grep -q "$key" "$folder/report.json" || fail "the report has no $key"
done
grep -q '"kind": "whole character"' "$folder/report.json" || fail "the report has no part 0"
grep -q '"kind": "firm by name"' "$folder/report.json" || fail "the report has no firm part"
printf '{"resolution": 16, "firm": []}' >"$folder/loose.json"
"$cook" "$folder/bunny.glb" -r "$folder/loose.json" -o "$folder/loose.tlw" --report "$folder/loose.report" \
    >"$folder/out" 2>&1 || fail "a recipe without firm parts"
! grep -q 'firm' "$folder/out" "$folder/loose.report" || fail "something is firm without being asked for"

# Own limbs: off unless they are asked for, and then in the report, and printed.
grep -q '"limbs": \[\]' "$folder/report.json" || fail "the report has limbs that nobody asked for"
printf '{"resolution": 16, "limbs": false, "rest_gravity": [0, 0, 0]}' >"$folder/limbs.json"
"$cook" "$folder/bunny.glb" -r "$folder/limbs.json" -o "$folder/limbs.tlw" >"$folder/out" 2>&1 || fail "limbs: false"
cmp -s "$folder/1.tlw" "$folder/limbs.tlw" || fail "limbs: false gives other bytes than a recipe without the key"
! grep -q "limbs" "$folder/out" || fail "limbs are named that nobody asked for"
printf '{"resolution": 16, "limbs": true, "rest_gravity": [0, -9.81, 0]}' >"$folder/limbs.json"
"$cook" "$folder/bunny.glb" -r "$folder/limbs.json" -o "$folder/limbs.tlw" --report "$folder/limbs.report" \
    >"$folder/out" 2>&1 || fail "a recipe with limbs"
grep -q ": [1-9][0-9]* limbs; length, radii, voxels that each may touch:.* 'forearm_l' [0-9.]* [0-9.]* [0-9.]* [1-9]" \
    "$folder/out" || fail "limbs are not named"
sed -n '/"limbs"/,$p' "$folder/limbs.report" | tr -d ' \n' |
    grep -q '"joint":"forearm_l","voxels":[1-9][0-9]*,"length":[0-9.]*,"radius":\[[0-9.]*,[0-9.]*\]}' ||
    fail "the report has no limb of an arm"

# Muscles: none unless they are listed, and then in the report, and printed, with the reasons of "auto".
grep -q '"muscles": \[\]' "$folder/report.json" || fail "the report has muscles that nobody asked for"
grep -q '"automatic_muscles": null' "$folder/report.json" || fail "the report has automatic muscles that nobody asked for"
biceps='"name": "biceps_l", "radius": 0.05, "mirror": true, "line": [{"joint": "arm_l", "along": 0.1},
    {"joint": "arm_l", "along": 0.5}, {"joint": "arm_l", "along": 0.9}, {"joint": "forearm_l", "along": 0.4}]'
printf '{"resolution": 12, "muscles": ["auto", {%s}]}' "$biceps" >"$folder/muscles.json"
"$cook" "$folder/bunny.glb" -r "$folder/muscles.json" -o "$folder/muscles.tlw" --report "$folder/muscles.report" \
    >"$folder/out" 2>&1 || fail "a recipe with muscles"
grep -q ": 2 muscles; vertices, voxels, length, radius: 'biceps_l' 4 [1-9][0-9]* [0-9.]* [0-9.]*, 'biceps_r' 4 [1-9]" \
    "$folder/out" || fail "muscles are not named"
grep -q ": automatic muscles at 0 joints; of the others that could bend, [0-9]* have too short segments, [0-9]* limbs are thinner than 1.2 voxels, [0-9]* leave too little room" \
    "$folder/out" || fail "it is not said that auto found nothing"
! grep -q "moves no voxel" "$folder/out" || fail "muscles that move voxels are said to move none"
sed -n '/"muscles"/,$p' "$folder/muscles.report" | tr -d ' \n' >"$folder/out"
for part in '"name":"biceps_l","vertices":4,"voxels":[1-9][0-9]*,"length":[0-9.]*,"radius":[0-9.]*}' \
    '"automatic_muscles":{"joints":0,"too_short":[0-9]*,"too_thin":[0-9]*,"too_close":[0-9]*}'; do
    grep -q "$part" "$folder/out" || fail "the report has no $part"
done
printf '{"resolution": 16, "muscles": [{"name": "core", "radius": 0.05, "line": [{"joint": "arm_l", "along": 0.1},
    {"joint": "arm_l", "along": 0.5}, {"joint": "arm_l", "along": 0.9}]}]}' >"$folder/core.json"
"$cook" "$folder/bunny.glb" -r "$folder/core.json" --dry-run >"$folder/report" 2>"$folder/out" || fail "a muscle in a bone"
grep -q ": muscle 'core' moves no voxel: its line runs along a bone" "$folder/out" || fail "it is not said that a muscle moves nothing"
printf '{"resolution": 48, "muscles": ["auto"]}' >"$folder/auto.json"
"$cook" "$folder/bunny.glb" -r "$folder/auto.json" --dry-run >"$folder/report" 2>"$folder/out" || fail "automatic muscles"
grep -q ": [1-9][0-9]* muscles; .* 'auto.forearm_l.3' 9 [1-9]" "$folder/out" || fail "automatic muscles are not named"
grep -q ": automatic muscles at [1-9]" "$folder/out" || fail "joints of automatic muscles are not counted"
joints=$(grep -A1 '"automatic_muscles"' "$folder/report" | sed -n 's/.*"joints": \([0-9]*\).*/\1/p')
[ "$(grep -c '"name": "auto\.' "$folder/report")" -eq $((joints * 4)) ] || fail "not four muscles at each of $joints joints"

# Skinning and profiles: what they come to is in the report, and printed.
printf '{"resolution": 16, "skinning": "dual", "volume": {"reach": 0}, "profiles": {
    "soft": {"preset": "bunny", "layers": {"fat": {"delta": 0.9}},
             "parts": [{"joint": "head", "layers": {"fat": {"stiffness": 1, "limit": 2}}}]},
    "same": {}}}' >"$folder/profiles.json"
"$cook" "$folder/bunny.glb" -r "$folder/profiles.json" -o "$folder/profiles.tlw" \
    --report "$folder/profiles.report" >"$folder/out" 2>&1 || fail "a recipe with profiles"
for line in "profile 'soft', whole character; stiffness, damping, anchor Hz (delta), limit scale: 0 0 0 (1) 1, 1.8" \
    ", 0.5 0.5 3.1 (0.9) 1, 1.7 0.4 1 (0.9891) 1" \
    "profile 'soft', part from 'head'; stiffness, damping, anchor Hz (delta), limit scale: 2 0.1 12 (0.2062) 1," \
    ", 1 0.1 12 (0.2062) 2," "profile 'same' changes nothing" "are skinned by dual quaternions"; do
    grep -qF "$line" "$folder/out" || fail "the cook does not say $line"
done
! grep -q "skinned volume" "$folder/out" || fail "bends are named where the reach is 0"
grep -q '"skinning": "dual"' "$folder/profiles.report" || fail "the report has no dual skinning"
grep -q '"bends": \[\]' "$folder/profiles.report" || fail "the report has bends where the reach is 0"
sed -n '/"profiles": {/,$p' "$folder/profiles.report" | tr -d ' \n' >"$folder/out"
for part in '"profiles":{"soft":{"parts":[{"joint":null,"layers":{"bone":' \
    '"fat":{"stiffness":0.5,"damping":0.5,"anchor_hz":3.09963' ',"delta":0.9' '{"joint":"head","layers":{' \
    '"limit_scale":2.0}' '"same":{"parts":[{"joint":null,'; do
    grep -qF "$part" "$folder/out" || fail "the report's profiles have no $part"
done
bad_recipe "bad.json:1:44: profiles.soft.parts[0].joint: profile 'soft': 'spine' has no part of its own; there are" \
    '{"profiles": {"soft": {"parts": [{"joint": "spine", "layers": {"fat": {"stiffness": 1}}}]}}}'

# A recipe that extends files: its values count, and every file is in the depfile.
mkdir "$folder/looks"
printf '{"extend": "base.json", "firm": []}' >"$folder/looks/loose.json"
printf '{"resolution": 8}' >"$folder/looks/base.json"
printf '{"extend": "looks/loose.json", "resolution": 16}' >"$folder/hero.json"
"$cook" "$folder/bunny.glb" -r "$folder/hero.json" -o "$folder/hero.tlw" --depfile "$folder/hero.d" --quiet ||
    fail "a recipe that extends files"
cmp -s "$folder/loose.tlw" "$folder/hero.tlw" || fail "a recipe that extends files gives other bytes"
for file in hero.json looks/loose.json looks/base.json; do
    grep -qF "$folder/$file" "$folder/hero.d" || fail "the depfile does not name $file"
done

# Nothing is silent: meshes by role, morph targets that have weight at rest, joints that are left out; and two
# thousand remarks are four lines.
morphed='s|"indices":3}\]}\]|"indices":3,"targets":[{"POSITION":0}]}],"weights":[0.5]},{"primitives":[{"attributes":{"POSITION":0},"indices":3}]}]|'
hatted='s|{"name":"knee","translation":\[0,1,0\]}\]|{"name":"knee","translation":[0,1,0],"children":[3]},{"name":"hat","mesh":1}]|'
points=$(yes '{"mode":0,"attributes":{}},' | head -n 2000 | tr -d '\n')
sed -e "$morphed" -e "$hatted" "$rod" | sed "s|\"primitives\":\[{\"attributes\":{\"POSITION\":0,\"J|\"primitives\":[$points{\"attributes\":{\"POSITION\":0,\"J|" >"$folder/much.gltf"
printf '{"resolution": 16, "meshes": {"roles": {"hat": "ride"}}, "joints": {"exclude": ["knee"]}}' >"$folder/much.json"
"$cook" "$folder/much.gltf" -r "$folder/much.json" -o "$folder/much.tlw" --report "$folder/much.report" \
    >"$folder/out" 2>&1 || fail "a file with much to say about it"
for line in "meshes: 1 shapes the body ('body'); 1 rides on it ('hat')" \
    "nodes[0] 'body': 1 of 1 morph targets have weight at rest and are applied for good" \
    "1 joint without weight on the body, left out of it: 'knee'" \
    "mesh 'hat': 2 of 4 vertices are more than 2 voxels away from the body, up to 2.02; they have no joint" \
    "meshes[0].primitives[3].mode: points or lines (0) are left out; and 1996 more of these"; do
    grep -qF "tallow-cook: $folder/much.gltf: $line" "$folder/out" || fail "the cook does not say $line"
    grep -qF "$line" "$folder/much.report" || fail "the report does not say $line"
done
[ "$(wc -l <"$folder/out")" -lt 20 ] || fail "two thousand remarks are not summed up"
tr -d ' \n' <"$folder/much.report" >"$folder/out"
for part in '"joints_left_out":["knee"]' '"joints_outside":[]' '{"name":"hat","role":"ride","is_rigid":true,"vertices":4,"far_vertices":2,"farthest_voxels":2.0'; do
    grep -qF "$part" "$folder/out" || fail "the report has no $part"
done

# A dry run does everything but the blob and its depfile.
"$cook" "$folder/bunny.glb" -r "$folder/small.json" --dry-run -o "$folder/dry.tlw" --depfile "$folder/dry.d" \
    --report "$folder/dry.report" >"$folder/out" 2>"$folder/remarks" || fail "the dry run"
[ ! -e "$folder/dry.tlw" ] || fail "a dry run writes a blob"
[ ! -e "$folder/dry.d" ] || fail "a dry run writes a depfile"
cmp -s "$folder/report.json" "$folder/dry.report" || fail "a dry run reports something else than a cook"
grep -q '"voxels": [0-9]' "$folder/out" || fail "a dry run does not print the report"
grep -qF "part from 'head'" "$folder/remarks" || fail "a dry run has no remarks"
"$cook" "$folder/bunny.glb" -r "$folder/small.json" --dry-run --quiet >"$folder/out" 2>&1 || fail "a dry run without -o"
[ ! -s "$folder/out" ] || fail "a quiet dry run says something"
expect 5 "resolution: an integer from 2 to 1024" "$folder/bunny.glb" -r "$folder/one.json" --dry-run

# Pictures are PNG, the same for the same blob, and of the cook, dry or not.
if "$cook" "$folder/bunny.glb" -r "$folder/small.json" --dry-run --quiet --picture "$folder/dry.png" 2>"$folder/out"; then
    "$cook" "$folder/bunny.glb" -r "$folder/small.json" -o "$folder/1.tlw" --quiet --picture "$folder/wet.png" ||
        fail "a cook with a picture"
    head -c 4 "$folder/dry.png" | grep -q PNG || fail "the picture is no PNG"
    cmp -s "$folder/dry.png" "$folder/wet.png" || fail "two pictures of the same cook differ"
    "$cook" "$folder/bunny.glb" -r "$folder/loose.json" --dry-run --quiet --picture "$folder/loose.png"
    ! cmp -s "$folder/dry.png" "$folder/loose.png" || fail "a picture without firm parts is the same"
    [ ! -e "$folder/no" ] || fail "a folder was made"
else
    grep -q "this build draws no pictures" "$folder/out" || fail "a picture"
fi

# Every key is explained, as it stands in the table and as a message spells it.
expect 0 "resolution" --explain resolution
grep -qF "takes:   integer: 2 to 1024" "$folder/out" || fail "--explain does not say what a key takes"
grep -qF "default: 48" "$folder/out" || fail "--explain does not say the default"
grep -qF "Use 32 for crowds" "$folder/out" || fail "--explain does not say why"
expect 0 "parts[].layers.*.ratio" --explain "parts[2].layers.fat.ratio"
expect 0 "limits.voxels" --explain limits
grep -q '^limits.memory_mb  *integer' "$folder/out" || fail "--explain of a prefix does not list its keys"
! grep -q '^limit.extent' "$folder/out" || fail "--explain of a prefix lists other keys"
expect 0 "layers" --explain layers
grep -q '^layers\[\].ratio' "$folder/out" || fail "--explain of a list does not list its keys"
expect 2 "a recipe has no key 'resolutoin'; did you mean one of: resolution?" --explain resolutoin
expect 2 "layers[].stiffness, parts[].layers.*.stiffness, profiles.*.layers.*.stiffness, profiles.*.parts[].layers.*.stiffness, paint.stiffness?" --explain stifness
expect 2 "a recipe has no key 'xyzzy'; --explain all lists every key" --explain xyzzy
expect 2 "a recipe has no key ''" --explain ""
"$cook" --explain all >"$folder/all" || fail "--explain all"
sed -n 's/^| `\([^`]*\)` |.*/\1/p' "$readme" >"$folder/keys"
[ -s "$folder/keys" ] || fail "the README has no keys"
while IFS= read -r key; do
    grep -qxF "$key" "$folder/all" || fail "--explain all leaves out $key"
    expect 0 "$key" --explain "$key"
done <"$folder/keys"
echo "ok"
