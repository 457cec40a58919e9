# SPDX-License-Identifier: BSD-3-Clause
# The run as one program; for each rank it contains what the rank's loops contain; notes, JSON, and
# refused options.
"$REFRAIN" logical hundred.refrain
"$REFRAIN" logical --sites --sizes --times small.refrain
for trace in small hundred long; do
    ranks=$("$REFRAIN" info --json $trace.refrain | jq .ranks)
    for rank in $(seq 0 $((ranks - 1))); do
        "$REFRAIN" loops --expand --rank $rank $trace.refrain >told
        "$REFRAIN" logical --expand $rank $trace.refrain | cmp - told && echo "$trace, rank $rank: $(wc -l <told) events"
    done
done
"$REFRAIN" logical --json long.refrain | jq -c '.topology, .accuracy_calls, .programs[0].body[], .procedures'
"$REFRAIN" logical --sizes --json small.refrain | jq -r '.. | .note? // empty'
# A user's topology has its own directions.
echo 'both ways: torus lattice (1) (2)' >patterns.txt
"$REFRAIN" logical --patterns patterns.txt --threshold 0 long.refrain | head -2
# The program uses coordinates that the user gives; the events of each rank remain the same.
ranks=$("$REFRAIN" info --json long.refrain | jq .ranks)
awk -v n="$ranks" 'BEGIN { for (i = 0; i < n; i++) print i, n - 1 - i }' >coords.txt
for options in "--topology ${ranks}" "--topology ${ranks}p" "--coords coords.txt"; do
    "$REFRAIN" logical $options long.refrain | head -8
    for rank in $(seq 0 $((ranks - 1))); do
        "$REFRAIN" loops --expand --rank $rank long.refrain >told
        "$REFRAIN" logical $options --expand $rank long.refrain | cmp - told
    done
done
for options in "" "--topology 99x small.refrain" "--topology 1 small.refrain" "--coords nowhere small.refrain" "--expand 9 small.refrain" "--expand x small.refrain" "--expand 1 --json small.refrain" "--expand 1 --times small.refrain" \
    "--threshold x small.refrain" "--patterns nowhere small.refrain" "--window 0 small.refrain" "--world 3 small.refrain" "nowhere.refrain"; do
    "$REFRAIN" logical $options 2>&1
    echo "exit $?"
done
