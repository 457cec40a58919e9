# SPDX-License-Identifier: BSD-3-Clause
# One model of all processes: from events and from a trace. Expanded, it gives each process's
# events.
repeat() { # TIMES LINE…
    times=$1
    shift
    for ((i = 0; i < times; i++)); do printf '%s\n' "$@"; done
}
model() { # NAME: prints the model of NAME.events and checks that it expands to these events
    echo "$1"
    "$REFRAIN" model --events "$1.events"
    for process in $(cut -d ' ' -f 1 "$1.events" | sort -nu); do
        "$REFRAIN" model --events "$1.events" --expand "$process" | diff - <(grep "^$process " "$1.events") && echo "$process as it was"
    done
}
repeat 20 '0 send 1 a' '2 local x' >blocks.events
repeat 10 '1 recv 0 a' '1 local r' '1 recv 0 a' >>blocks.events
model blocks
repeat 6 '0 send 1 a' '0 send 1 b' >shift.events
repeat 1 '1 recv 0 a' '1 local x' >>shift.events
repeat 5 '1 recv 0 b' '1 recv 0 a' >>shift.events
repeat 1 '1 recv 0 b' >>shift.events
"$REFRAIN" model --events blocks.events --paths
model shift
{ repeat 10 '0 send 1 a'; repeat 10 '0 send 1 b' '1 recv 0 b'; repeat 10 '1 recv 0 a'; } >opposite.events
model opposite
"$REFRAIN" model --events - --json <opposite.events | jq -c '.constructs[], .links[]'
"$REFRAIN" model --events opposite.events --svg
echo small
"$REFRAIN" model small.refrain
"$REFRAIN" model --sites --sizes --times small.refrain
"$REFRAIN" model --paths small.refrain
"$REFRAIN" model --svg small.refrain
"$REFRAIN" model --svg --sites small.refrain | grep -c '# app+0x'
printf '0,0\n1,2\n2,4\n3,8\n' >far.csv
for options in "--sites --paths" "--topology 4 --json" "--expand 1 --times" "--topology 9p" "--topology 9p --coords far.csv"; do
    "$REFRAIN" model $options small.refrain 2>&1 | tail -n 2
done
# The messages of a rank agree with its calls.
for rank in 0 1 2 3; do
    "$REFRAIN" text --json --rank $rank hundred.refrain |
        jq -r 'select(.parameters.dest != null and .parameters.dest != "MPI_PROC_NULL") | "\(.rank) send \(.parameters.dest) tag\(.parameters.tag)"' >sends
    "$REFRAIN" model --expand $rank hundred.refrain | grep ' send ' | diff - sends && echo "$(wc -l <sends) sends as they were"
done
# The model contains exactly the events of each rank, with messages joined or with separate
# constructs.
for trace in small hundred long; do
    ranks=$("$REFRAIN" info --json $trace.refrain | jq .ranks)
    for rank in $(seq 0 $((ranks - 1))); do
        "$REFRAIN" loops --expand --rank $rank $trace.refrain >told
        "$REFRAIN" model --expand $rank $trace.refrain | cmp - told && echo "$trace, rank $rank: $(wc -l <told) events"
    done
done
# The output does not depend on the number of threads (default: one per processor).
for command in "model" "model --json" "model --svg" "loops" "loops --json" "loops --calls" "matrix --at 2" "scan --at 2"; do
    for threads in 1 2 7; do
        REFRAIN_THREADS=$threads "$REFRAIN" $command long.refrain >"threads.$threads" 2>threads.errors || cat threads.errors
    done
    "$REFRAIN" $command long.refrain | cmp - threads.1 && cmp threads.1 threads.2 && cmp threads.1 threads.7 && [ -s threads.1 ] &&
        echo "$command: the same with any number of threads"
done
REFRAIN_THREADS=none "$REFRAIN" model --events opposite.events 2>&1 | head -n 2
