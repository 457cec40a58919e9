# SPDX-License-Identifier: BSD-3-Clause
# Messages between ranks: of the run, counted on the grammar, and of constructs of the model, whose
# sum is the same.
"$REFRAIN" matrix small.refrain
"$REFRAIN" matrix --csv hundred.refrain
# Counted call by call.
"$REFRAIN" text --json hundred.refrain | jq -r 'select(.function == "MPI_Send" and .parameters.dest != "MPI_PROC_NULL") |
    [.rank, .parameters.dest, .parameters.count * 8] | @csv' |
    awk -F, '{ n[$1 "," $2]++; b[$1 "," $2] += $3 } END { for (p in n) print p "," n[p] "," b[p] }' | sort
# Bytes grow by a constant in a loop of ten thousand iterations: they are computed.
"$REFRAIN" matrix --json long.refrain | jq -c '.ranks, .unclear_starts, .pairs[]'
"$REFRAIN" model --paths small.refrain | grep -E 'for|send'
for path in 1 2 2.5 2.8; do
    "$REFRAIN" matrix --at $path --json small.refrain
done
"$REFRAIN" matrix --at 2 hundred.refrain
# Lines and columns are ordered by place in the topology.
"$REFRAIN" matrix --order topology small.refrain
"$REFRAIN" matrix --order topology --json small.refrain | jq -c '.order, .lines'
"$REFRAIN" matrix --order topology --svg small.refrain | grep 'class="title"'
"$REFRAIN" matrix --order topology --csv small.refrain || echo "ends $?"
"$REFRAIN" matrix --order size small.refrain || echo "ends $?"
# A range of constructs is the sum of them: half a ring, the receiving part, the whole run.
for range in 2.5-6 2.1-4 1-8; do
    "$REFRAIN" matrix --at $range --csv small.refrain
done
"$REFRAIN" matrix --at 2.5-6 --json small.refrain
"$REFRAIN" matrix --svg --at 2.5-6 small.refrain | grep 'class="title"'
# This trace has no accesses to windows (tests/mpi has some).
"$REFRAIN" matrix --rma --json small.refrain
"$REFRAIN" matrix --rma --csv small.refrain
"$REFRAIN" matrix --rma --svg --messages small.refrain | grep 'class="title"'
"$REFRAIN" matrix --svg small.refrain
"$REFRAIN" matrix --svg --messages --at 2.5 small.refrain | grep -E 'class="title"|<title>'
for format in csv json svg; do
    "$REFRAIN" matrix -o matrix.$format small.refrain && "$REFRAIN" matrix --$format small.refrain | cmp - matrix.$format && echo "the same in matrix.$format"
done
# (fontconfig keeps what it has read, which is no leak.)
{ ASAN_OPTIONS=detect_leaks=0 "$REFRAIN" matrix -o matrix.png small.refrain 2>err && [ "$(head -c 4 matrix.png | tail -c 3)" = PNG ] ||
    grep -q 'without librsvg' err; } && echo "a picture, or why there is none"
# The ending of the file name selects the format.
"$REFRAIN" matrix -o matrix.bmp small.refrain || echo "ends $?"
"$REFRAIN" matrix -o matrix.txt small.refrain && "$REFRAIN" matrix small.refrain | cmp - matrix.txt && echo "a table"
