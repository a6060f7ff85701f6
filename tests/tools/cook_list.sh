#!/bin/sh
# SPDX-License-Identifier: MIT
# cook_list.sh TALLOW-COOK TALLOW-SAMPLE ROD.gltf COOK-README: lists of characters. Any number of shards writes the same
# bytes as one process and as single cooks; what has not changed is not cooked again, and what has is; one
# bad row stops no other, and the worst one decides the exit code; a killed run leaves nothing half-written.
# ROD.gltf is a small asset with its buffer as text.
set -u
cook=$1
sample=$2
rod=$3
readme=$4
command=$cook
. "$(dirname "$0")/expect.sh"

# Mistakes on the command line.
expect 2 "something must follow '--list'" --list
expect 2 "--shard takes I/N, two numbers from 1 to 65536, not '0/2'" --list x --shard 0/2
expect 2 "--shard takes I/N, two numbers from 1 to 65536, not '3/2'" --list x --shard 3/2
expect 2 "nothing to share: there is no --list, but '--shard'" a.glb -o b --shard 1/2
expect 2 "nothing to sum up: there is no --list, but '--summary'" a.glb -o b --summary c
expect 2 "the rows of a list say that, not 'a.glb'" --list x a.glb
for option in -r -o --depfile --report --picture; do
    expect 2 "the rows of a list say that, not '$option'" --list x $option y
done
expect 2 "the rows of a list say that, not '--dry-run'" --list x --dry-run
expect 3 "cannot read '$folder/nowhere.json'" --list "$folder/nowhere.json"

# The README has every key of a row, in the order in which they are read, and no other.
printf '{"characters": [{"": 0, "input": "a", "output": "b"}]}' >"$folder/keys.json"
expect 2 'characters[0][""]: unknown key; allowed: ' --list "$folder/keys.json"
sed 's/.*allowed: //; s/, /\n/g' "$folder/out" >"$folder/allowed"
sed -n '/^| key of a row /,/^$/ s/^| `\([a-z]*\)` |.*/\1/p' "$readme" >"$folder/documented"
[ -s "$folder/documented" ] || fail "the README has no keys"
cmp -s "$folder/allowed" "$folder/documented" || fail "the README has other keys than a row"

# A list of rows, each an object's text.
write_list() { # FILE ROW...
    list=$1
    shift
    printf '{"characters": [' >"$list"
    before=
    for row in "$@"; do
        printf '%s\n{%s}' "$before" "$row" >>"$list"
        before=,
    done
    printf '\n]}\n' >>"$list"
}

# How many rows of the last run became what.
expect_counts() { # UP-TO-DATE COOKED FAILED
    grep -q "^$1 up to date, $2 cooked, $3 failed; " "$folder/out" || fail "not $1 up to date, $2 cooked, $3 failed"
}

run() { # EXIT-CODE LIST OPTIONS...: with the table in $folder/out and the rest in $folder/said
    wanted=$1
    list=$2
    shift 2
    "$cook" --list "$list" "$@" >"$folder/out" 2>"$folder/said"
    status=$?
    cat "$folder/said" >>"$folder/out"
    [ $status -eq "$wanted" ] || fail "--list $list $* exits with $status, not $wanted"
}

# What is refused before anything is read: the inputs do not even exist.
mkdir "$folder/refused"
write_list "$folder/refused/list.json" '"input": "a.glb", "output": "a.tlw"' '"input": "b.glb", "output": "here/a.tlw"'
ln -s . "$folder/refused/here"
expect 2 "list.json: characters[1].output: '$folder/refused/here/a.tlw' is the same file as characters[0].output" \
    --list "$folder/refused/list.json" --summary "$folder/refused/summary.json"
one_line
write_list "$folder/refused/list.json" '"input": "a.glb", "output": "a.tlw", "raport": "a.txt"'
expect 2 'list.json: characters[0].raport: unknown key; did you mean "report"?' --list "$folder/refused/list.json"
write_list "$folder/refused/list.json" '"input": "a.glb"'
expect 2 "list.json: characters[0].output: missing; the name of a file is expected" --list "$folder/refused/list.json"
[ "$(ls "$folder/refused" | tr '\n' ' ')" = "here list.json " ] || fail "a refused list wrote something"

# Twelve characters: every sample at three sizes, the smallest with a look of their own.
mkdir "$folder/one" "$folder/one/out"
printf '{"firm": []}' >"$folder/one/look.json"
set --
for size in 6 8 10; do
    printf '{"resolution": %s}' $size >"$folder/one/$size.json"
    for name in bunny stout thin athletic; do
        set -- "$@" "\"input\": \"$name.glb\", \"recipe\": \"$size.json\", \"output\": \"out/$name$size.tlw\",
            \"report\": \"out/$name$size.report\""
    done
done
write_list "$folder/one/list.json" "$@"
printf '{"extend": "look.json", "resolution": 6}' >"$folder/one/6.json"
for name in bunny stout thin athletic; do
    "$sample" --variant $name -o "$folder/one/$name.glb" >"$folder/out" 2>&1 || fail "no sample $name"
done
cp -r "$folder/one" "$folder/two"
cp -r "$folder/one" "$folder/five"
run 0 "$folder/one/list.json" --summary "$folder/summary.json"
expect_counts 0 12 0
grep -q '"counts": {"up to date": 0, "cooked": 12, "failed": 0}' "$folder/summary.json" || fail "the summary counts otherwise"
[ "$(grep -c '"result": "cooked", "exit_code": 0, ' "$folder/summary.json")" -eq 12 ] || fail "the summary has not 12 rows"
for name in bunny stout thin athletic; do
    "$cook" "$folder/one/$name.glb" -r "$folder/one/6.json" -o "$folder/single" --report "$folder/report" \
        --quiet >"$folder/out" 2>&1 || fail "$name by itself"
    cmp -s "$folder/single" "$folder/one/out/${name}6.tlw" || fail "$name has other bytes in a list"
    cmp -s "$folder/report" "$folder/one/out/${name}6.report" || fail "$name has another report in a list"
done
[ "$(ls "$folder/one/out" | wc -l)" -eq 36 ] || fail "not 12 blobs, reports and records"

# Shards, from another folder and with other numbers of threads.
shards() { # FOLDER COUNT
    cooked=0
    for i in $(seq "$2"); do
        (cd "$folder/$1" && "$cook" --list list.json --shard "$i/$2" --threads "$i" --summary "$i.summary") \
            >"$folder/out" 2>&1 || fail "shard $i/$2"
        cooked=$((cooked + $(sed -n 's/.*"cooked": \([0-9]*\), .*/\1/p' "$folder/$1/$i.summary")))
        grep -q "; share $i/$2 of 12 rows" "$folder/out" || fail "shard $i/$2 has another share"
    done
    [ $cooked -eq 12 ] || fail "$2 shards cooked $cooked characters"
    diff -r "$folder/one/out" "$folder/$1/out" >"$folder/out" || fail "$2 shards write other bytes than one process"
}
shards two 2
shards five 5

# A second run cooks nothing and writes nothing, also after a touch. (The list itself may move, too.)
touch "$folder/stamp"
touch "$folder/one/bunny.glb" "$folder/one/8.json" "$folder/one/look.json" "$folder/one/out/stout6.tlw"
find "$folder/one/out" -type f ! -name stout6.tlw -newer "$folder/stamp" >"$folder/out"
[ ! -s "$folder/out" ] || fail "files are newer than what was made after them"
run 0 "$folder/one/list.json"
expect_counts 12 0 0
mv "$folder/one" "$folder/moved"
(cd "$folder/moved" && "$cook" --list list.json) >"$folder/out" 2>&1 || fail "a list that was moved"
expect_counts 12 0 0
mv "$folder/moved" "$folder/one"
[ -z "$(find "$folder/one/out" -type f ! -name stout6.tlw -newer "$folder/stamp")" ] || fail "an idle run wrote"
"$cook" --list "$folder/one/list.json" --quiet >"$folder/out" 2>&1 || fail "--quiet"
[ ! -s "$folder/out" ] || fail "--quiet says something"

# What has changed is cooked again, and nothing else; the table says why.
again() { # COOKED WHY
    run 0 "$folder/one/list.json"
    expect_counts $((12 - $1)) "$1" 0
    grep -qF -- "$2" "$folder/out" || fail "it is not said that $2"
    diff -r "$folder/one/out" "$folder/two/out" >"$folder/out" || fail "cooked again, the bytes are others"
}
printf 'x' | dd of="$folder/one/out/thin8.tlw" bs=1 seek=200 conv=notrunc 2>/dev/null
again 1 "bytes  'out/thin8.tlw' has changed"
: >"$folder/one/out/thin8.report"
again 1 "'out/thin8.report' has changed"
rm "$folder/one/out/thin8.tlw"
again 1 "'out/thin8.tlw' cannot be read"
rm "$folder/one/out/thin8.tlw.record"
again 1 "there is no record"
for text in '' '{' '[]' '{"a": [[[[[[]]]]]]}'; do
    printf '%s' "$text" >"$folder/one/out/thin8.tlw.record"
    again 1 "the record is damaged"
done
record() { # SED-SCRIPT: changes a record
    sed "$1" "$folder/two/out/thin8.tlw.record" >"$folder/one/out/thin8.tlw.record"
    cmp -s "$folder/two/out/thin8.tlw.record" "$folder/one/out/thin8.tlw.record" && fail "$1 changes nothing"
}
record 's/"cooker": "[0-9.]*/&1/'
again 1 "another cooker made it"
record '1a "importer": "Assimp 1.2.3",'
again 1 "another version of the importer read it"
record '/^  "read": {/,/^  }/ { /^    /d }'
again 1 "the record is damaged"
record 's/"thin.glb": "[0-9a-f]/"thin.glb": "x/'
again 1 "'thin.glb' has changed"
record 's/"recipe": "8.json"/"recipe": "6.json"/'
again 1 "its row has changed"
printf '{"resolution": 9}' >"$folder/one/8.json"
run 0 "$folder/one/list.json"
expect_counts 8 4 0
grep -q "^out/bunny8.tlw  *cooked .*'8.json' has changed" "$folder/out" || fail "the change of a recipe is not named"
printf '{"resolution": 8}' >"$folder/one/8.json"
again 4 "'8.json' has changed"
printf '{"firm": "auto"}' >"$folder/one/look.json"
run 0 "$folder/one/list.json"
expect_counts 8 4 0
grep -q "'look.json' has changed" "$folder/out" || fail "the change of a file that recipes extend is not named"
printf '{"firm": []}' >"$folder/one/look.json"
again 4 "'look.json' has changed"

# The buffer of an asset counts, a key that a row gets, and for a depfile the path to the list.
mkdir "$folder/rod"
sed 's|data:[^"]*|rod.bin|' "$rod" >"$folder/rod/rod.gltf"
sed 's|.*base64,\([^"]*\)".*|\1|' "$rod" | tr -d '\n' | base64 -d >"$folder/rod/rod.bin"
write_list "$folder/rod/list.json" '"input": "rod.gltf", "output": "rod.tlw"'
rod_again() { # WHY
    run 0 "$folder/rod/list.json"
    expect_counts 0 1 0
    grep -qF -- "$1" "$folder/out" || fail "it is not said that $1"
    run 0 "$folder/rod/list.json"
    expect_counts 1 0 0
}
rod_again "there is no record"
printf 'more' >>"$folder/rod/rod.bin" # which no accessor reads
rod_again "'rod.bin' has changed"
write_list "$folder/rod/list.json" '"input": "rod.gltf", "output": "rod.tlw", "depfile": "rod.d"'
rod_again "its row has changed"
grep -qF "$folder/rod/rod.bin" "$folder/rod/rod.d" || fail "the depfile does not name the buffer"
(cd "$folder/rod" && "$cook" --list list.json) >"$folder/out" 2>&1 || fail "a list in this folder"
grep -qF "the list is named by another path" "$folder/out" || fail "a depfile with other paths is up to date"
grep -q "^rod.tlw: " "$folder/rod/rod.d" || fail "the depfile does not start from this folder"
# What only an asset or a recipe names is not overwritten by any row, nor by the summary, whichever share it is in.
cp "$folder/rod/rod.bin" "$folder/before"
cp "$rod" "$folder/rod/alone.gltf"
printf '{"resolution": 6}' >"$folder/rod/base.json"
printf '{"extend": "base.json"}' >"$folder/rod/extending.json"
over() { # PART ROW ARGUMENTS...: exit code 2, and nothing is written
    part=$1
    shift
    rows='"input": "rod.gltf", "recipe": "extending.json", "output": "reader.tlw"'
    write_list "$folder/rod/over.json" "$1" "$rows"
    shift
    cp -R "$folder/rod" "$folder/rod_before"
    run 2 "$folder/rod/over.json" "$@"
    grep -qF -- "$part" "$folder/out" || fail "it is not said that $part"
    ! grep -q "cooked" "$folder/out" || fail "something was cooked beside $part"
    diff -r "$folder/rod" "$folder/rod_before" >"$folder/out" || fail "something was written although $part"
    rm -r "$folder/rod_before"
}
reads="over.json: characters[1] reads a file of the asset, '$folder/rod/rod.bin'"
over "$reads; characters[0].output would overwrite it" '"input": "alone.gltf", "output": "rod.bin"'
over "$reads; characters[0].output would overwrite it" '"input": "rod.gltf", "output": "rod.bin"'
over "$reads; characters[0].report would overwrite it" '"input": "alone.gltf", "output": "alone.tlw", "report": "rod.bin"' --quiet
for i in 1 2; do # one of the shares has the first row
    "$cook" --list "$folder/rod/over.json" --shard $i/2 --quiet 2>>"$folder/said" || true
    cmp -s "$folder/rod/rod.bin" "$folder/before" || fail "share $i/2 wrote over the buffer that a row reads"
done
rm -f "$folder"/rod/reader.tlw*
over "$reads; --summary would overwrite it" '"input": "alone.gltf", "output": "alone.tlw"' --summary "$folder/rod/rod.bin"
over "characters[1] reads a file of the recipe, '$folder/rod/base.json'; characters[0].output would overwrite it" \
    '"input": "alone.gltf", "output": "base.json"'
# Also where it was not there to be looked at before.
sed 's|,"scene":0|,"scene":0,"images":[{"uri":"later.png"}]|' "$rod" >"$folder/rod/later.gltf"
write_list "$folder/rod/over.json" '"input": "alone.gltf", "output": "later.png"' '"input": "later.gltf", "output": "reader.tlw"'
run 2 "$folder/rod/over.json"
expect_counts 0 1 1
grep -qF "characters[1] reads a picture of the asset, '$folder/rod/later.png'; characters[0].output would overwrite it" \
    "$folder/out" || fail "a row's blob became the picture of the next row"
rm "$folder"/rod/later.*

# Names with control characters, quotes and backslashes are up to date as others are, and the summary is JSON.
mkdir "$folder/odd"
odd=$(printf 'a\tb"c\\d')
odd_json='a\tb\"c\\d'
sed 's|data:[^"]*|a%09b.bin|' "$rod" >"$folder/odd/$odd.gltf"
cp "$folder/rod/rod.bin" "$folder/odd/$(printf 'a\tb.bin')"
write_list "$folder/odd/list.json" "\"input\": \"$odd_json.gltf\", \"output\": \"$odd_json.tlw\""
run 0 "$folder/odd/list.json"
expect_counts 0 1 0
run 0 "$folder/odd/list.json" --summary "$folder/odd/summary.json"
expect_counts 1 0 0
grep -q 'a.u0009b' "$folder/odd/summary.json" || fail "the summary changes a name"

# A file that is read under two spellings is in the record once.
printf '{"resolution": 6}' >"$folder/odd/base.json"
printf '{"extend": "./base.json"}' >"$folder/odd/other.json"
printf '{"extend": ["base.json", "other.json"]}' >"$folder/odd/both.json"
cp "$rod" "$folder/odd/rod.gltf"
write_list "$folder/odd/list.json" '"input": "rod.gltf", "recipe": "both.json", "output": "both.tlw"'
run 0 "$folder/odd/list.json"
run 0 "$folder/odd/list.json"
expect_counts 1 0 0

# A report that goes into a pipe is not waited for afterwards; nobody knows whether it is up to date.
write_list "$folder/odd/list.json" '"input": "rod.gltf", "output": "piped.tlw", "report": "/dev/stdout"'
for i in 1 2; do
    timeout 60 "$cook" --list "$folder/odd/list.json" 2>&1 | cat >"$folder/out"
    expect_counts 0 1 0
done
grep -q "'/dev/stdout' cannot be read or is no regular file" "$folder/out" || fail "why it was cooked"
write_list "$folder/odd/list.json" '"input": "rod.gltf", "output": "alone.tlw"'
timeout 60 "$cook" --list "$folder/odd/list.json" --quiet --summary /dev/stdout | cat >"$folder/out"
grep -q '"counts": {"up to date": 0, "cooked": 1' "$folder/out" || fail "no summary in a pipe"

# One bad row stops no other; the worst decides the exit code; failures come last.
mkdir "$folder/bad" "$folder/bad/folder.tlw" "$folder/bad/taken.tlw.record"
cp "$rod" "$folder/bad/rod.gltf"
printf 'not a glb' >"$folder/bad/bad.glb"
printf '{"resolutoin": 8}' >"$folder/bad/typo.json"
ln -s /dev/full "$folder/bad/full.tlw"
first='"input": "rod.gltf", "output": "first.tlw"'
asset='"input": "bad.glb", "output": "asset.tlw"'
absent='"input": "nowhere.glb", "output": "absent.tlw"'
recipe='"input": "rod.gltf", "recipe": "typo.json", "output": "recipe.tlw"'
last='"input": "rod.gltf", "output": "last.tlw", "report": "last.report"'
write_list "$folder/bad/list.json" "$absent" "$first"
run 3 "$folder/bad/list.json"
write_list "$folder/bad/list.json" "$asset" "$first" "$absent"
run 4 "$folder/bad/list.json"
write_list "$folder/bad/list.json" "$asset" "$recipe" "$absent" "$first"
run 5 "$folder/bad/list.json"
write_list "$folder/bad/list.json" "$asset" '"input": "rod.gltf", "output": "no/where.tlw"' "$recipe" \
    '"input": "rod.gltf", "output": "folder.tlw"' '"input": "rod.gltf", "output": "full.tlw"' \
    '"input": "rod.gltf", "output": "taken.tlw", "report": "taken.report"' \
    '"input": "rod.gltf", "output": "unreported.tlw", "report": "no/report"' "$first" "$absent" "$last"
run 6 "$folder/bad/list.json" --summary "$folder/bad/summary.json"
expect_counts 1 1 8
head -n 2 "$folder/out" | cut -d ' ' -f 1 | tr '\n' ' ' | grep -q "^first.tlw last.tlw " || fail "failures do not come last"
sed -n 's/.*"row": \([0-9]*\), .*"exit_code": \([0-9]\).*/\1:\2/p' "$folder/bad/summary.json" | tr '\n' ' ' >"$folder/codes"
[ "$(cat "$folder/codes")" = "7:0 9:0 0:4 1:6 2:5 3:6 4:6 5:6 6:6 8:3 " ] || fail "other codes: $(cat "$folder/codes")"
grep -q '"exit_code": 6,$' "$folder/bad/summary.json" || fail "the summary has another exit code"
for part in "asset.tlw .* failed .*bad.glb: " "recipe.tlw .*typo.json:1:2: resolutoin: unknown key" \
    "full.tlw .*No space left on device" "folder.tlw .*Is a directory" "no/where.tlw .*No such file" \
    "taken.tlw .*cannot write '$folder/bad/taken.tlw.record'" "absent.tlw .*nowhere.glb"; do
    grep -q "^ *$part" "$folder/out" || fail "the table has no $part"
    key=$(echo "$part" | sed 's/ .*//')
    grep -q "\"output\": \"$key\", \"result\": \"failed\"" "$folder/bad/summary.json" || fail "the summary has no $key"
done
for name in asset.tlw absent.tlw recipe.tlw taken.tlw taken.report unreported.tlw unreported.tlw.record full.tlw.record; do
    [ ! -f "$folder/bad/$name" ] || fail "a row that failed left $name"
done
[ -z "$(find "$folder" -name '.tlw-*')" ] || fail "a temporary was left behind"
expect 6 "cannot write '$folder/no/summary.json'" --list "$folder/rod/list.json" --summary "$folder/no/summary.json"
if [ "$(id -u)" -ne 0 ]; then # nothing is forbidden to root
    mkdir "$folder/locked"
    write_list "$folder/bad/list.json" '"input": "rod.gltf", "output": "../locked/a.tlw"' "$last"
    chmod 555 "$folder/locked"
    run 6 "$folder/bad/list.json"
    grep -q "locked/a.tlw .*Permission denied" "$folder/out" || fail "a folder that is read-only is not named"
    expect_counts 1 0 1
fi

# Killed in the middle: what is there is whole, and the next run does the rest.
rm -rf "$folder/one/out"/*
"$cook" --list "$folder/one/list.json" --quiet 2>"$folder/out" &
process=$!
tries=0
while [ "$(ls "$folder/one/out"/*.record 2>/dev/null | wc -l)" -lt 3 ] && [ $tries -lt 1000 ]; do
    tries=$((tries + 1))
    sleep 0.01
done
kill -KILL $process
wait $process 2>/dev/null
for record in "$folder"/one/out/*.record; do
    cmp -s "$record" "$folder/two/out/$(basename "$record")" || fail "a killed run left $record"
done
run 0 "$folder/one/list.json"
! grep -q "^12 up to date" "$folder/out" || fail "the run was killed too late to see anything"
! grep -q "^0 up to date" "$folder/out" || fail "what was cooked before the kill is cooked again"
diff -r "$folder/one/out" "$folder/two/out" >"$folder/out" || fail "after a kill the bytes are others"
[ -z "$(find "$folder/one" -name '.tlw-*')" ] || fail "a temporary of the killed run was left behind"
echo "ok"
