# SPDX-License-Identifier: BSD-3-Clause
# The report of a trace without times of single calls, as text and JSON; two runs side by side;
# wrong options. Pages: tests/cli/report.sh.
"$REFRAIN" report small.refrain
"$REFRAIN" report --json small.refrain | jq -c '{file, title, sections: .sections | map_values(keys_unsorted)}'
"$REFRAIN" report --json small.refrain | jq -c '.sections.overview, .sections.communication'
"$REFRAIN" report --json small.refrain | jq -c '.sections.time.rows[]'
cmp <("$REFRAIN" report small.refrain) <("$REFRAIN" report --text small.refrain) && echo "--text is the default"
"$REFRAIN" report small.refrain hundred.refrain
"$REFRAIN" report --json small.refrain hundred.refrain | jq -c '.run[1], .sites[1]'
"$REFRAIN" report --json small.refrain small.refrain | jq -c '[.run[], .sites[].time | .change] | unique'
"$REFRAIN" report small.refrain small.refrain
for options in "" "--text --json small.refrain" "-o x.html --json small.refrain" "-o x.pdf small.refrain" "-o absent/x.html small.refrain" \
    "-o x.html small.refrain absent.refrain" "small.refrain absent.refrain"; do
    "$REFRAIN" report $options 2>&1
    echo "exit $?"
done
