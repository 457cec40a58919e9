# SPDX-License-Identifier: BSD-3-Clause
# The differences between runs, as text and JSON; several runs of each; other numbers of ranks;
# wrong options. Times of single calls: tests/mpi/report.sh.
"$REFRAIN" diff small.refrain hundred.refrain
"$REFRAIN" diff --by function --top 2 small.refrain hundred.refrain
"$REFRAIN" diff --json small.refrain hundred.refrain | jq -c '.runs, .words, .run[], .functions[0], .sites[0]'
echo "--- the same"
"$REFRAIN" diff small.refrain small.refrain
"$REFRAIN" diff --json small.refrain small.refrain | jq -c '[.run[], .sites[].time | .change] | unique'
echo "--- several of each"
"$REFRAIN" diff --top 1 small.refrain small.refrain vs hundred.refrain small.refrain
"$REFRAIN" diff --json small.refrain vs hundred.refrain small.refrain | jq -c '.run[1], .sites[0].time'
"$REFRAIN" diff --mean --top 1 small.refrain hundred.refrain
echo "--- other numbers of ranks"
"$MAKE_TRACE" eight.refrain - 8 3
"$REFRAIN" diff --top 3 small.refrain eight.refrain
"$REFRAIN" diff --json small.refrain eight.refrain | jq -c '.scaling'
echo "--- models"
"$MAKE_TRACE" five.refrain - 4 5
"$REFRAIN" diff --by model small.refrain five.refrain | sed -n '/^The models/p; /^A  .* B$/,$p'
"$REFRAIN" diff --by model small.refrain hundred.refrain | sed -n '/^The models/p; /^A  .* B$/,$p'
"$REFRAIN" diff --json --by model small.refrain five.refrain | jq -c .model
"$REFRAIN" diff --json small.refrain five.refrain | jq -c .model
echo "--- a file twice"
"$REFRAIN" report small.refrain ./small.refrain
"$REFRAIN" diff --mean --top 0 small.refrain five.refrain small.refrain | head -n 3
echo "--- wrong"
for options in "" "small.refrain" "vs small.refrain" "small.refrain vs" "--mean small.refrain vs small.refrain" "--by rank small.refrain small.refrain" \
    "small.refrain absent.refrain" "small.refrain eight.refrain vs small.refrain" "-o x.cube small.refrain small.refrain" \
    "-o x.xml small.refrain small.refrain" "-o x.cube --json small.refrain small.refrain"; do
    "$REFRAIN" diff $options 2>&1
    echo "exit $?"
done
