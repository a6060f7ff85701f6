#!/bin/sh
# SPDX-License-Identifier: MIT
# frames.sh TALLOW-BENCH TALLOW-SAMPLE MAKE_SAMPLE_BLOB PROFILING: tallow-bench --scene. Every mistake gives
# one line that lists the valid choices, and exit code 2; files hold what their documentation says; the
# budget gate fails on a slow pass and passes without it.
set -u
bench=$1
sample=$2
make_blob=$3
profiling=$4
command=$bench
. "$(dirname "$0")/expect.sh"

mistake() { # FIRST-LINE-PART ARGUMENTS...
    expect 2 "$@"
    one_line
}

blob=$folder/bunny.tlw
glb=$folder/bunny.glb
"$make_blob" "$blob" bunny 12 >"$folder/out" 2>&1 || fail "make_sample_blob fails"
"$sample" --variant bunny -o "$glb" >"$folder/out" 2>&1 || fail "no sample"
small="--voxels 10 --frames 8"

# Names that do not exist, and text where a number is expected
mistake "unknown scene 'polka'; there are: still, idle, walk, dance, jump" --scene polka
mistake "the name of a scene must follow '--scene'" --scene
mistake "given twice: '--scene'" --scene dance --scene walk
for n in 0 -1 two 1.5 '' 257; do
    mistake "--workers takes 1 to 256, not '$n'" --scene dance --workers "$n"
done
for n in 0 -1 ten '' 100001 99999999999999999999; do
    mistake "--frames takes 1 to 100000, not '$n'" --scene dance --frames "$n"
done
mistake "--characters takes 1 to 10000, not '0'" --scene crowd --characters 0
mistake "--voxels takes 8 to 256 voxels along the longest extent, not '7'" --scene dance --voxels 7
for x in 0 -1 nan inf fast '' 2ms; do
    mistake "--budget-ms takes a number above 0, not '$x'" --scene dance --budget-ms "$x"
done
for p in 0 -5 100.1 nan all ''; do
    mistake "--percentile takes a number above 0, up to 100, not '$p'" --scene dance --budget-ms 1 --percentile "$p"
done
mistake "--isa takes an instruction set, not 'mmx'; this machine and build run: " --scene dance --isa mmx
for isa in scalar sse2 avx2 neon; do # at least one of them is not available here
    "$bench" --scene dance $small --isa $isa >"$folder/out" 2>&1 && continue
    mistake "this machine or build does not run '$isa'; this machine and build run: " --scene dance --isa $isa
done
mistake "--embedding takes auto, delta, fit, rbf or frames, not 'cage'" --scene dance --embedding cage
mistake "--normals takes gradient or ring, not 'flat'" --scene dance --normals flat
mistake "--order takes source or cooked, not 'random'" --scene dance --order random
mistake "--smoothing takes 0 to 1, not '2'" --scene dance --smoothing 2
mistake "--volume takes on or off, not 'maybe'" --scene dance --volume maybe
mistake "--skinning takes linear or dual, not 'cubic'" --scene dance --skinning cubic
mistake "on or off must follow '--volume'" --scene dance --volume
mistake "0 to 1 must follow '--smoothing'" --scene dance --smoothing
mistake "--plant takes PASS:MICROSECONDS, not 'bones:5'; the passes are: skin, bends, muscles, predict, " --scene dance --plant bones:5
mistake "--plant takes PASS:MICROSECONDS, not 'skin'" --scene dance --plant skin

# Options that do not go together
mistake "option '--frames' goes with --scene NAME; there are: still, idle" --frames 5
mistake "a scene is measured alone, without section 'jobs'" jobs --scene dance
mistake "option '--order' goes with --scene NAME; there are: still, idle" --order cooked
mistake "option '--motion' goes with --blob FILE" --scene dance --motion "$glb"
mistake "option '--voxels' goes without --blob" --scene dance --blob "$blob" --voxels 12
mistake "option '--skinning' goes without --blob" --scene dance --blob "$blob" --skinning dual
mistake "option '--percentile' goes with --budget-ms X" --scene dance --percentile 50

# Files that cannot be used
mistake "cannot read '$folder/nowhere.tlw': " --scene dance --blob "$folder/nowhere.tlw"
mistake "'bunny' has no radial basis functions, which need " --scene dance --blob "$blob" --embedding rbf
mistake "'bunny' has no ring normals, which need " --scene dance --blob "$blob" --normals ring
printf '%0100d' 7 >"$folder/bad.tlw"
mistake "bad blob '$folder/bad.tlw': header or table, element 0, byte 0: magic: expected " \
    --scene dance --blob "$folder/bad.tlw"
cp "$blob" "$folder/bad.tlw"
printf '\377' | dd of="$folder/bad.tlw" bs=1 seek=1000 conv=notrunc 2>/dev/null
mistake "content hash: expected " --scene dance --blob "$folder/bad.tlw"
mistake "there is no clip 'polka'; there are: idle, walk, dance" --scene dance --blob "$blob" --motion "$glb:polka"
for option in --json --csv --html; do
    expect 6 "cannot write '$folder/nowhere/a': " --scene dance $option "$folder/nowhere/a"
done
echo old >"$folder/old.csv"
expect 6 "cannot write '$folder/nowhere/a': " --scene dance --csv "$folder/old.csv" --html "$folder/nowhere/a"
[ "$(cat "$folder/old.csv")" = old ] || fail "a failed run changed the old file"

# The gate: adds 0.2 s to each of 3 frames that take a thousandth of that
expect 0 "dance: " --scene dance --voxels 10 --frames 3 --quick --budget-ms 200 --percentile 50
grep -q 'within budget: p50 .* of 200 ms, ' "$folder/out" || fail "it does not say that the budget holds"
expect 1 "dance: " --scene dance --voxels 10 --frames 3 --quick --budget-ms 200 --percentile 50 --plant goal:200000
grep -q 'over budget: p50 .* of 200 ms, 3 of 3 frames over; largest pass goal .*, worst frame [012] with ' \
    "$folder/out" || fail "it does not say which pass and which frame"

# Files
expect 0 "crowd: " --scene crowd --characters 3 $small --quick --csv "$folder/a.csv" --json "$folder/a.json" \
    --html "$folder/a.html"
[ "$(wc -l <"$folder/a.csv")" -eq 9 ] || fail "the CSV has not a row a frame"
head -n 1 "$folder/a.csv" | grep -q ',character_2_ms$' || fail "the CSV has no column a character"
grep -q '"frame_ms": {"min": ' "$folder/a.json" || fail "the JSON has no frame times"
grep -q '^  "noisy": ' "$folder/a.json" || fail "the JSON does not say whether it was noisy"
grep -q '<svg id="workers"' "$folder/a.html" || fail "the report has no scaling"
grep -q "$(uname -n)" "$folder/a.json" "$folder/a.html" && [ "$(uname -n)" != localhost ] && fail "a host's name is told"
for embedding in auto delta fit rbf frames; do # samples are cooked with what it needs
    expect 0 "dance: " --scene dance $small --quick --embedding $embedding --normals ring --order cooked \
        --json "$folder/c.json"
    grep -q "\"embedding\": \"$embedding\"" "$folder/c.json" || fail "the JSON does not say '$embedding'"
    grep -q '"normals": "ring"' "$folder/c.json" || fail "the JSON does not say what normals are made from"
    grep -q '"order": "cooked"' "$folder/c.json" || fail "the JSON does not say the order"
done
for volume in on off; do
    expect 0 "dance: " --scene dance $small --quick --volume $volume --skinning dual --json "$folder/c.json"
    [ $volume = on ] && is=true || is=false
    grep -q "\"skinned_volume\": $is" "$folder/c.json" || fail "the JSON does not say that volume is $volume"
    grep -q '"skinning": "dual"' "$folder/c.json" || fail "the JSON does not say the skinning"
done
expect 0 "dance: " --scene dance --blob "$blob" --motion "$glb:walk" --frames 4 --quick --json "$folder/b.json"
grep -q '"clip": "walk"' "$folder/b.json" || fail "it is not the clip that was asked for"
expect 0 "walk: " --scene walk --blob "$blob" --frames 4 --quick --workers 2
if command -v python3 >/dev/null; then
    python3 - "$folder/a.json" "$folder/a.csv" >"$folder/out" 2>&1 <<'PYTHON' || fail "JSON and CSV do not agree"
import csv, json, sys
figures = json.load(open(sys.argv[1]))
rows = list(csv.DictReader(open(sys.argv[2])))
assert figures["frames"] == len(rows) == 8, figures["frames"]
worst = max(rows, key=lambda row: float(row["ms"]))
assert abs(float(worst["ms"]) - figures["frame_ms"]["worst"]) < 1e-5
assert figures["worst_frames"][0]["frame"] == int(worst["frame"])
for name in figures["pass_ms"]:
    assert abs(min(float(r[name + "_ms"]) for r in rows) - figures["pass_ms"][name]["min"]) < 1e-5, name
PYTHON
fi

# The trace
if [ "$profiling" != builtin ]; then
    mistake "this build's zones do not go to the built-in profiler" --scene dance --trace "$folder/a.trace.json"
    echo "ok"
    exit 0
fi
expect 0 "crowd: " --scene crowd --characters 3 $small --quick --workers 2 --trace "$folder/a.trace.json"
for name in '"stout 0"' '"stout 2"' '"regions"' '"tallow budget ms"' '"tallow scratch bytes"' '"frame"'; do
    grep -q "\"name\":$name" "$folder/a.trace.json" || fail "the trace has no $name"
done
if command -v python3 >/dev/null; then
    python3 - "$folder/a.trace.json" >"$folder/out" 2>&1 <<'PYTHON' || fail "the trace is not what Perfetto expects"
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
assert sum(e["ph"] == "i" and e["name"] == "frame" for e in events) == 9
tracks = {}
for e in events:
    assert e["ph"] in "XCiM" and "pid" in e, e
    if e["ph"] == "X":
        tracks.setdefault(e["tid"], []).append((round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000)))
for zones in tracks.values():  # nested or apart, never across
    stack = []
    for begin, end in zones:
        while stack and stack[-1] <= begin:
            stack.pop()
        assert not stack or end <= stack[-1], (begin, end, stack)
        stack.append(end)
PYTHON
fi
echo "ok"
