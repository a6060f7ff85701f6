#!/bin/sh
# SPDX-License-Identifier: MIT
# browser.sh TALLOW-BENCH: opens the frame report in a real browser, light and dark: every chart has one
# point per frame, no label touches another or leaves its chart, and the console stays empty. Skipped
# without Chromium.
set -u
bench=$1
command=$bench
for browser in chromium chromium-browser google-chrome; do
    command -v $browser >/dev/null && break
    browser=
done
[ -n "$browser" ] || {
    echo "skipped: there is no Chromium"
    exit 77
}
. "$(dirname "$0")/expect.sh"
HOME=$folder # a profile of its own
export HOME

browse() { # ARGUMENTS... FILE
    timeout 120 $browser --headless --no-sandbox --disable-gpu --hide-scrollbars --enable-logging=stderr "$@" \
        2>"$folder/log"
}

# Counts flaws that a reader would notice, and leaves the numbers in the page.
cat >"$folder/probe" <<'PROBE'
<script>
var overlaps = 0, outside = 0, texts = 0;
document.querySelectorAll('svg').forEach(function (svg) {
    var frame = svg.getBoundingClientRect(), boxes = [];
    svg.querySelectorAll('text').forEach(function (t) { boxes.push([t.getBoundingClientRect(), t.textContent]); });
    texts += boxes.length;
    boxes.forEach(function (a, i) {
        var r = a[0];
        if (r.left < frame.left - 1 || r.right > frame.right + 1 || r.top < frame.top - 1 || r.bottom > frame.bottom + 1) {
            outside += 1; console.error('outside: ' + svg.id + ' ' + a[1]);
        }
        boxes.slice(i + 1).forEach(function (b) {
            var s = b[0];
            if (r.left < s.right - 1 && s.left < r.right - 1 && r.top < s.bottom - 3 && s.top < r.bottom - 3) {
                overlaps += 1; console.error('overlap: ' + svg.id + ' ' + a[1] + ' / ' + b[1]);
            }
        });
    });
});
var wide = document.documentElement.scrollWidth > window.innerWidth;
document.body.setAttribute('data-probe', 'texts ' + (texts > 20) + ' overlaps ' + overlaps + ' outside ' + outside + ' wide ' + wide);
</script>
PROBE

hits() { # CHART: points that its readout has
    sed -n "/<svg id=\"$1\"/,/<\/svg>/p" "$folder/dom" | grep -o 'class="hit"' | wc -l
}

frames=40
run=0
for arguments in "--budget-ms 1000" "--plant goal:300 --budget-ms 0.01" "--characters 6 --workers 2"; do
    run=$((run + 1))
    report=$folder/report$run.html
    # shellcheck disable=SC2086 # several words
    "$bench" --scene dance --voxels 10 --quick --frames $frames $arguments --html "$report" >"$folder/out" 2>&1
    [ -s "$report" ] || fail "no report of $arguments"
    sed "/<\/main>/r $folder/probe" "$report" >"$folder/probed.html"
    browse --window-size=1200,2600 --dump-dom "file://$folder/probed.html" >"$folder/dom" ||
        fail "the browser ends with an error"
    grep CONSOLE "$folder/log" >"$folder/out"
    grep -q 'data-probe="texts true overlaps 0 outside 0 wide false"' "$folder/dom" || {
        grep -o 'data-probe="[^"]*"' "$folder/dom" >>"$folder/out"
        fail "labels touch or leave their charts"
    }
    grep -q CONSOLE "$folder/log" && fail "the page complains"
    for chart in frames passes; do
        [ "$(hits $chart)" -eq $frames ] || fail "$chart has $(hits $chart) points, not $frames"
    done
    for chart in histogram characters workers; do
        grep -q "<svg id=\"$chart\"" "$folder/dom" || fail "there is no chart '$chart'"
    done
done

# There are two appearances, and they differ. 0 is dark, 1 is light.
for scheme in 0 1; do
    browse --blink-settings=preferredColorScheme=$scheme --window-size=1200,2600 \
        --screenshot="$folder/$scheme.png" "file://$report" >"$folder/out" || fail "no screenshot"
    [ -s "$folder/$scheme.png" ] || fail "an empty screenshot"
done
cmp -s "$folder/0.png" "$folder/1.png" && fail "dark is as light"
echo "ok"
