#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# refrain timeline: the structure of the pictures, and the page in a browser (chromium, if
# installed).
srcdir=${srcdir:-.} top_builddir=${top_builddir:-.}
. "$srcdir/tests/tap.sh"
here=$(cd "$srcdir/tests/cli" && pwd)
refrain=$(realpath "${REFRAIN:-$top_builddir/decoder/refrain}") || exit 1
make_trace=$(realpath "${MAKE_TRACE:-$top_builddir/tests/cli/make_trace}") || exit 1
export LC_ALL=C
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

odd="./app '</script><b>&\"' <!-- $(printf '\303\244 \377 \001')"
"$make_trace" small.refrain raw 4 3 "$odd" && "$make_trace" many.refrain raw 600 3 && "$make_trace" long.refrain raw 3 60000 &&
    "$refrain" timeline --synthetic-time -o small.svg small.refrain &&
    "$refrain" timeline --synthetic-time --width 20000 -o wide.svg small.refrain &&
    "$refrain" timeline --synthetic-time --no-messages -o bare.svg small.refrain &&
    "$refrain" timeline --synthetic-time -o small.html small.refrain &&
    "$refrain" timeline --synthetic-time -o many.svg many.refrain &&
    "$refrain" timeline --synthetic-time -o many.html many.refrain &&
    "$refrain" timeline --synthetic-time -o long.svg long.refrain &&
    "$refrain" timeline --synthetic-time -o long.html long.refrain || exit 1

# count N FILE GROUP PATTERN: checks that it occurs N times in the group of that class
group() { sed -n "/^<g class=\"$2\">/,/^<\/g>/p" "$1"; }
count() { local n; n=$(group "$2" "$3" | grep -oE -- "$4" | wc -l); [ "$n" -eq "$1" ] || { echo "$n, not $1"; return 1; }; }
has() { grep -qF -- "$2" "$1" || { grep -n '<text' "$1" | head -5; return 1; }; }
lacks() { ! grep -nF -- "$2" "$1"; }
calls() { "$refrain" info --json "$1" | jq .calls; }

# ---- SVG
well_formed() { if command -v xmllint >/dev/null; then xmllint --noout "$@"; else ! grep -nE '&[^a-z#]|[[:cntrl:]]' "$@"; fi; }
check "all pictures are well-formed" well_formed small.svg wide.svg bare.svg many.svg long.svg
check "a strip for each lane" count 5 small.svg lanes '<rect'
check "labelled by rank and thread" count 5 small.svg lanes '>(0|0\.1|1|2|3)</text>'
check "the heading" has small.svg ">4 ranks, 5 threads, "
check "how many calls there are" has small.svg ", $(calls small.refrain) calls</text>"
check "where every call is wider than a pixel, each is drawn" count "$(calls small.refrain)" wide.svg calls '<rect.*<title>'
check "and none is in a column" count 0 wide.svg sums '<path'
check "name, duration and time of a call" has wide.svg "<title>MPI_Init, 500 ns at 1.000 us, call 0</title>"
check "sends are blocking messages" count 12 wide.svg calls '<rect class="blocking".*<title>MPI_Send,'
check "waits are waiting" count 12 wide.svg calls '<rect class="waiting".*<title>MPI_Waitall,'
check "a message for each send that was received" count 12 small.svg messages '<path'
check "a band for each collective operation" count 13 small.svg bands '<path.*M.*L.*z'
check "no messages when not wanted" count 0 bare.svg messages '<path'
check "no bands then" count 0 bare.svg bands '<path'
check "kinds of this run are in the legend, and the rest" count 7 small.svg legend '<text'
check "synthetic times are called so" has small.svg "Synthetic times"
check "markup in the command is text" has small.svg "&lt;/script&gt;&lt;b&gt;&amp;&quot;&#39; &lt;!-- ä"
check "marks of the axis" count 8 small.svg axis '<text'

shares() { [ "$(group many.svg lanes | grep -c '<rect')" -eq 301 ] && has many.svg "601 lanes share 301 lines"; }
check "600 ranks share lines" shares
check "in columns alone" count 0 many.svg calls '<rect'
check "which are there" test "$(group many.svg sums | grep -c '<path class')" -ge 4
check "labels do not overlap" test "$(group many.svg lanes | grep -c '<text')" -lt 100
check "a long run says what it leaves out" has long.svg "are not shown one by one"

window() { # FROM TO: prints the calls of rank 1 in the picture of that time
    "$refrain" timeline --synthetic-time --rank 1 --from "$1" --to "$2" --width 20000 -o window.svg small.refrain &&
        group window.svg calls | grep -o '<title>MPI_[A-Za-z_]*' | sed 's/<title>//' | paste -sd' '
}
window_has() { [ "$(window "$1" "$2")" = "$3" ] || { window "$1" "$2"; return 1; }; }
check "--from, --to and --rank" window_has 0.000001 0.000003 "MPI_Init MPI_Comm_rank"
check "a window that begins inside a call" window_has 0.0000012 0.000003 "MPI_Init MPI_Comm_rank"
to_the_end() { group window.svg lanes | awk -F'"' '/<rect/ { if ($2 + $6 != 20000 - 16) { print; bad = 1 } } END { exit bad }'; }
check "a lane that goes on is drawn to the end" to_the_end
check "one of 4 ranks" has window.svg ">1 of 4 ranks, "

# ---- the page's data
page() { sed -n 's/.*<script type="application\/json" id="data">\(.*\)<\/script>$/\1/p' "$1" >data.json && jq -e "$2" data.json >found || { head -c 300 found; return 1; }; }
check "all calls are in the page" page small.html "[.lines[].calls | length / 5] | add == $(calls small.refrain)"
check "with their texts" page small.html '.texts | any(test("^(at .*\\n)?MPI_Send\\(") and endswith("= MPI_SUCCESS\n32 bytes sent"))'
check "each text once" page small.html '(.texts | unique | length) == (.texts | length)'
check "lanes" page small.html '[.lanes[] | [.rank, .thread]] == [[0,0],[0,1],[1,0],[2,0],[3,0]]'
check "messages and bands" page small.html '(.messages | length) == 48 and (.bands | length) == 13'
# A message goes from the beginning of its send to the end of the call that completed the receive.
check "from MPI_Send to MPI_Waitall" page small.html '. as $d
    | [.lines | to_entries[] | .key as $line | .value.calls as $c
        | foreach range(0; $c | length; 5) as $i ({leave: 0}; .enter = .leave + $c[$i + 1] | .leave = .enter + $c[$i + 2];
            {name: $d.functions[$c[$i + 3]].name, enter: [$line, .enter], leave: [$line, .leave]})] as $calls
    | [$calls[] | select(.name == "MPI_Send").enter] as $sends | [$calls[] | select(.name == "MPI_Waitall").leave] as $waits
    | .messages as $m | [range(0; $m | length; 4)] | all($m[.:.+2] as $from | $m[.+2:.+4] as $to
        | ($sends | index([$from])) != null and ($waits | index([$to])) != null)'
check "the command as it is" page small.html '.title | startswith("./app '\''</script><b>&\"'\'' <!-- ä ")'
check "no markup from the command" test "$(grep -c '<b>' small.html)" -eq 0
check "at most 200000 calls of a long run" page long.html "(.lines | map(.calls | length / 5) | add) <= 200000"
check "the others are in bins" page long.html '.lines | all(.bins | length > 0)'
check "shares are shares" page long.html '[.lines[].bins[] | .[2:][:1][]] | all(. >= 1 and . <= 1000)'
# Shares are rounded up to thousandths: the sum of each kind is at least its time, and exceeds it at
# most by the rounding.
binned() {
    page many.html '. as $d | [$d.kinds, [range(7)]] | transpose | all(.[1] as $k | .[0].time as $time
        | [$d.lines[] | .lanes as $lanes | .bins[] | select(.[0] == $k) | [range(2; length; 2) as $i | .[$i]]
            | {n: (length * $lanes), sum: (add * $lanes)}]
        | ($d.bin.width / $d.bin.unit) as $one | ((map(.sum) | add // 0) * $one) as $sum | ((map(.n) | add // 0) * $one) as $error
        | $sum >= $time - 1 and $sum - $error <= $time + 1)'
}
check "bins add up to the time in calls" binned
quiet() { ! grep -nE '(src|href)=|https?://|@import|url\(' "$1"; }
check "the page refers to nothing outside" quiet small.html

# ---- what is refused: one line, exit status 2
mkdir dir.svg
refused() { # WORDS ARGUMENT…
    local words=$1 status
    shift
    "$refrain" timeline "$@" >said 2>&1
    status=$?
    cat said
    [ $status -eq 2 ] && [ "$(wc -l <said)" -eq 1 ] && grep -qF -- "$words" said
}
check "no output named" refused "missing option: --output FILE.svg or FILE.html" --synthetic-time small.refrain
check "an output of another kind" refused "wanted a name that ends in .svg or .html" -o x.png --synthetic-time small.refrain
check "a directory that is not there" refused "absent/x.svg" -o absent/x.svg --synthetic-time small.refrain
check "an output that is a directory" refused "dir.svg" -o dir.svg --synthetic-time small.refrain
check "no times of single calls" refused "--synthetic-time" -o x.svg small.refrain
check "a width that is none" refused "--width 1x: wanted a number from 400 to 20000" --width 1x -o x.svg --synthetic-time small.refrain
check "a width that is too small" refused "--width 10: wanted a number from 400 to 20000" --width 10 -o x.svg --synthetic-time small.refrain
check "a width for a page" refused "--width works only for SVG" --width 900 -o x.html --synthetic-time small.refrain
check "a time that is none" refused "--from now: wanted seconds" --from now -o x.svg --synthetic-time small.refrain
check "a time before itself" refused "is not before" --from 2 --to 1 -o x.svg --synthetic-time small.refrain
check "a time after the end" refused "no call in that time (--from, --to)" --from 1000 -o x.svg --synthetic-time small.refrain
check "a rank that is none" refused "rank 9" --rank 9 -o x.svg --synthetic-time small.refrain
check "a trace that is none" refused "$here/run.sh" -o x.svg --synthetic-time "$here/run.sh"
check "nothing was written" test ! -e x.svg -a ! -e x.html

# ---- in a browser
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
# Under virtual time chromium shows no frames after a while, so a clock replaces them.
frames='<script>window.requestAnimationFrame = action => setTimeout(action, 10);</script>'
in_browser() { # PAGE: prints the lines that timeline_browser.js leaves
    { sed "s|^<body>|<body>$frames|; /^<\/body>/,\$d" "$1" && echo '<script>' && cat "$here/timeline_browser.js" && echo '</script></body></html>'; } >"tried.html"
    HOME=$tmp timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/chromium" --window-size=1200,800 \
        --virtual-time-budget=20000 --dump-dom "file://$tmp/tried.html" 2>browser.err | sed -n '/<pre id="report">/,/^end/p' |
        sed 's/.*<pre id="report">//; s/<\/pre>.*//; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
}
ended() { grep -qx end report || { tail -5 browser.err; return 1; }; }
if [ -z "$browser" ]; then
    echo "SKIP: no chromium: the page was not tried in a browser"
else
    for name in small many long; do
        in_browser $name.html >report
        check "$name.html: the browser came to the end" ended
        while IFS= read -r line; do
            case $line in
            "ok - "*) check "$name.html: ${line#ok - }" true ;;
            "not ok - "*) line=${line#not ok - } && check "$name.html: ${line%%: *}" sh -c 'echo "$1"; false' - "$line" ;;
            esac
        done <report
    done
fi
finish
