#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# refrain report: the page is one file in which no text of a trace can become markup. In a browser
# (chromium, if installed) each section draws itself without errors, at three window sizes.
#
# REPORT_TRACE: a trace with times of single calls, which is tried as well; tests/mpi/report.sh
# makes one.
srcdir=${srcdir:-.} top_builddir=${top_builddir:-.}
. "$srcdir/tests/tap.sh"
here=$(cd "$srcdir/tests/cli" && pwd)
refrain=$(realpath "${REFRAIN:-$top_builddir/decoder/refrain}") || exit 1
make_trace=$(realpath "${MAKE_TRACE:-$top_builddir/tests/cli/make_trace}") || exit 1
timed=${REPORT_TRACE:+$(realpath "$REPORT_TRACE")}
export LC_ALL=C
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

odd="./app '</script><b>&\"' <img src=x onerror=alert(1)> <!-- $(printf '\303\244 \377 \001')"
"$make_trace" small.refrain raw 4 3 "$odd" && "$make_trace" "<b>many.refrain" raw 600 3 || exit 1
"$refrain" report -o small.html small.refrain && "$refrain" report -o many.html "<b>many.refrain" || exit 1
"$refrain" report -o two.html small.refrain "<b>many.refrain" || exit 1
pages="small many two"
if [ -n "$timed" ]; then
    "$refrain" report -o timed.html "$timed" 2>/dev/null || exit 1
    "$refrain" report -o mixed.html small.refrain "$timed" 2>/dev/null || exit 1
    pages="$pages timed mixed"
fi

# ---- the file
data() { sed -n 's/.*<script type="application\/json" id="data">\(.*\)<\/script>$/\1/p' "$1"; }
quiet() { ! grep -nE '(src|href)="?[a-z/]|https?://[^w]|@import|url\(' <(sed '/^<title>/d; /id="data">/,/<\/script>/d' "$1"); }
count() { [ "$(grep -o "$2" "$1" | wc -l)" -eq "$3" ]; }
same_data() { cmp <(data "$1" | jq -S 'del(.timeline_page)') <("$refrain" report --json "$2" | jq -S .); }
for page in $pages; do
    check "$page.html: two scripts, whatever the names" count $page.html '</script' 2
    check "$page.html: refers to nothing outside" quiet $page.html
    check "$page.html: at most 5 MB" test "$(stat -c %s $page.html)" -le 5000000
done
check "small.html has what --json prints" same_data small.html small.refrain
differs() { data two.html | jq -S '.sections.difference | del(.title, .command, .says)' | cmp - <("$refrain" diff --json --by model small.refrain "<b>many.refrain" | jq -S .); }
rows() { [ "$(data two.html | jq '.sections as $s | [$s.difference.sites[] | select(.at != null) | (.time.b - $s.time.rows[.at].mean) | fabs < 1e-8] | length > 10 and all' 2>/dev/null)" = true ]; }
check "two.html has what refrain diff prints" differs
check "and knows its rows among those of the sections" rows
check "a page's name can be markup" grep -qF '"file":"\u003cb>many.refrain"' many.html

# ---- in a browser
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
# Collects errors from the beginning. Under virtual time chromium shows no frames after a while, so
# a clock replaces them.
before='<script>const faults = [];addEventListener("error", event => faults.push(event.message));for (const name of ["error", "warn"]) console[name] = (...words) => faults.push(words.join(" "));window.requestAnimationFrame = action => setTimeout(action, 10);</script>'
in_browser() { # PAGE WIDTH HEIGHT SCRIPT: prints the lines that the script leaves
    { sed "s|^<body>|<body>$before|; /^<\/body>/,\$d" "$1" && echo '<script>' && cat "$here/$4" && echo '</script></body></html>'; } >tried.html
    HOME=$tmp timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/chromium" --window-size="$2,$3" \
        --virtual-time-budget=20000 --dump-dom "file://$tmp/tried.html" 2>browser.err | sed -nE '/<pre id="(checks|report)">/,/^end/p' |
        sed -E 's/.*<pre id="(checks|report)">//; s/<\/pre>.*//; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
}
ended() { grep -qx end said || { tail -5 browser.err; return 1; }; }
if [ -z "$browser" ]; then
    echo "SKIP: no chromium: the pages were not tried in a browser"
    pages=
fi
try() { # PAGE SIZE SCRIPT
    local page=$1 size=$2 line
    in_browser $page.html "${size%x*}" "${size#*x}" "$3" >said
    check "$page.html at $size: the browser came to the end" ended
    while IFS= read -r line; do
        case $line in
        "ok - "*) check "$page.html at $size: ${line#ok - }" true ;;
        "not ok - "*) line=${line#not ok - } && check "$page.html at $size: ${line%%: *}" sh -c 'echo "$1"; false' - "$line" ;;
        esac
    done <said
}
for page in $pages; do
    for size in 1400x900 900x700 400x800; do
        try $page $size report_browser.js
    done
done
# The timeline of a report has waiting and the critical path.
if [ -n "$pages" ] && [ -n "$timed" ]; then
    data timed.html | jq -r .timeline_page >timeline.html
    try timeline 1400x900 timeline_browser.js
fi
finish
