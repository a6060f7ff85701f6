#!/bin/sh
# SPDX-License-Identifier: MIT
# cook_hostile.sh TALLOW-COOK TALLOW-INSPECT HOSTILE SEEDS EXAMPLE-RECIPE: damaged assets, recipes and lists.
# Each ends with a whole blob, or with a named error, its exit code and the old files as they were; none
# crashes, hangs or leaves something behind. 5 files of a format; 100 with TLW_TEST_FULL=1, or
# TLW_TEST_HOSTILE=COUNT. They are the same ones in every run: HOSTILE
# writes them from the SEEDS. TLW_TEST_SHOW=1 prints what each ends with.
set -u
cook=$1
inspect=$2
hostile=$3
seeds=$4
example=$5
count=${TLW_TEST_HOSTILE:-${TLW_TEST_FULL:+100}}
count=${count:-5}
command=$cook
. "$(dirname "$0")/../tools/expect.sh"

# Deep enough for names that begin with "..".
work=$folder/1/2/3/4
mkdir -p "$work/rows_here" "$folder/recipes" "$folder/lists"
cp "$seeds/fuzz_gltf/data_uri.gltf" "$folder/rod.gltf"
cp "$example" "$folder/recipes/example.json"
printf '{"resolution": 8, "firm": ["knee"], "smoothing": 3, "limits": {"voxels": 4000, "memory_mb": 64}}' >"$folder/recipes/rod.json"
printf '{"characters": [
    {"input": "rod.gltf", "recipe": "rod.json", "output": "rows_here/one.tlw", "report": "rows_here/one.report"},
    {"input": "rod.gltf", "output": "rows_here/two.tlw", "depfile": "rows_here/two.d"}]}' >"$folder/lists/list.json"

# Whether a sanitizer found fault with us. What Assimp does in its own process is not ours, if the cooker says so.
check_sanitizers() {
    grep -E "Sanitizer|runtime error" "$folder/out" >"$folder/found" || return 0
    grep -q ": the importer " "$folder/out" || fail "$what: a sanitizer found something"
    grep -E "^ *#[0-9]+ .* in tlw_" "$folder/out" | grep -vE "tlw_(assimp_load|asset_load|import|cook_run_files)" >"$folder/found" &&
        fail "$what: a sanitizer found something in what we do with it"
    return 0
}

# The command has ended with this status, and has said what is in $folder/out.
check_end() { # STATUS BLOB
    [ -z "${TLW_TEST_SHOW:-}" ] || echo "$what: $1 $(grep -v "open edges" "$folder/out" | head -n 1)"
    check_sanitizers
    case $1 in
    0)
        "$inspect" "$2" >"$folder/inspected" 2>&1 || { cat "$folder/inspected"; fail "$what: the blob is not valid"; }
        good=$((good + 1))
        ;;
    [2-6])
        grep -q "^tallow-cook: .*: " "$folder/out" || fail "$what: no message"
        [ "$(cat "$2")" = "the old blob" ] || fail "$what: exit code $1, and the old file is gone"
        ;;
    *) fail "$what: exit code $1" ;;
    esac
    [ -z "$(find "$work" -name '.tlw-*')" ] || fail "$what left a temporary"
}

one() { # FORMAT ARGUMENTS...: tallow-cook with them
    what="$1 number $n"
    shift
    echo "the old blob" >"$work/out.tlw"
    (cd "$work" && timeout -s KILL 120 "$cook" "$@" -o out.tlw --threads 1 --import-seconds 20 --import-mb 512) >"$folder/out" 2>&1
    check_end $? "$work/out.tlw"
}

format() { # NAME SEEDS ENDING: makes the inputs; the caller runs them, $folder/hostile.<number><ENDING>
    name=$1
    good=0
    rm -f "$folder"/hostile.*
    "$hostile" "$2" 0 "$count" "$folder/hostile." "$3" || fail "no hostile files"
}

said() {
    echo "$name: $count files, of which $good cook"
}

for each in glb:glb gltf:gltf fbx:fbx dae:dae; do
    ending=${each#*:}
    from=$seeds/hostile_$ending
    [ $ending != glb ] || from=$seeds/fuzz_glb
    [ -d "$from" ] || continue # this build reads no such files
    format "${each%:*}" "$from" ".$ending"
    for n in $(seq 0 $((count - 1))); do
        one "$name" "$folder/hostile.$n.$ending" --quiet
    done
    said
done

format recipe "$folder/recipes" .json
for n in $(seq 0 $((count - 1))); do
    one recipe "$folder/rod.gltf" -r "$folder/hostile.$n.json"
done
said

format list "$folder/lists" .json
for n in $(seq 0 $((count - 1))); do
    what="list number $n"
    rm -rf "$work"
    mkdir -p "$work/rows_here"
    echo "the old blob" >"$work/rows_here/one.tlw"
    cp "$folder/rod.gltf" "$folder/recipes/rod.json" "$work"
    cp "$folder/hostile.$n.json" "$work/list.json"
    (cd "$work" && timeout -s KILL 120 "$cook" --list list.json --threads 1) >"$folder/out" 2>&1
    status=$?
    # A row that fails leaves the others; a row may have another name now.
    if [ "$(cat "$work/rows_here/one.tlw")" != "the old blob" ]; then
        "$inspect" "$work/rows_here/one.tlw" >"$folder/inspected" 2>&1 || fail "$what: the blob is not valid"
        echo "the old blob" >"$work/rows_here/one.tlw"
        [ $status -ne 0 ] || good=$((good + 1))
    fi
    cmp -s "$folder/rod.gltf" "$work/rod.gltf" || fail "$what changed the asset"
    cmp -s "$folder/hostile.$n.json" "$work/list.json" || fail "$what changed the list"
    [ $status -ne 0 ] || status=9 # looked at above
    check_list_end=$status
    check_sanitizers
    case $check_list_end in
    9) ;;
    *) check_end $check_list_end "$work/rows_here/one.tlw" ;;
    esac
done
said
echo "ok"
