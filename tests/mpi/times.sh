#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How wrong are the times of a trace, compared with a program's own measurements
# (tests/mpi/times.c)? Entries and exits of each rank, and messages that seem to arrive before they
# were sent.
#
#   [CALLS=20000] [RANKS=4] tests/mpi/times.sh             the test; prints a table for
#                                                          bench/RESULTS.md as comments
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export REFRAIN_CHECK=1
calls=${CALLS:-20000} ranks=${RANKS:-4}

"$mpicc" -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -o times "$srcdir/tests/mpi/times.c" ||
    { echo "cannot build the program"; exit 1; }

record() { # MODE
    rm -rf raw t.refrain truth.*
    LD_PRELOAD=${yield-} timeout "$((60 + calls / 1000))" "$mpirun" $flags -n "$ranks" "$refrain" record --timing "$1" --verify raw -o t.refrain \
        ./times "$calls" truth >said 2>&1 </dev/null || { cat said; return 1; }
}
# number FILTER: prints a value of info
number() { "$refrain" info --json --causality t.refrain 2>said | jq "$1"; }
# is VALUE LEAST MOST
is() {
    echo "$1, wanted $2 to $3"
    awk -v v="$1" -v least="$2" -v most="$3" 'BEGIN { exit !(v ~ /^[0-9]/ && v + 0 >= least && v + 0 <= most) }'
}
# Prints the largest error of an entry or exit, over all ranks.
off() {
    for rank in $(seq 0 $((ranks - 1))); do
        "$refrain" text --times -r "$rank" t.refrain | ./times --compare "truth.$rank"
    done | sort -n | tail -1
}

# Checks that early arrivals are corrected, and that each export says this once.
says_early() {
    early=$(number '.causality[0].early') arrivals=$(number '.causality[0].arrivals')
    for export in chrome timeline otf2; do
        rm -rf export.svg
        REFRAIN_LOG=notice "$refrain" $export -o export.svg t.refrain 2>said || { cat said; return 1; }
        count=$(grep -cE "$early of $arrivals arrivals of messages and in collective operations (were too early|are moved)" said)
        [ "$count" -eq $((early > 0)) ] || { echo "$export:" && cat said; return 1; }
    done
    "$refrain" chrome --clock linear -o t.json t.refrain 2>linear && cat linear && [ ! -s linear ]
}

# The times of a rank are the sums of its calls' times, by line: KEY time calls shortest longest.
# The run begins when the last rank has left MPI_Init: time before that does not count, and MPI_Init
# counts only for itself.
sums() { # rank|function
    "$refrain" text --json --times t.refrain | jq -r '[.rank, .function, .duration] | @tsv' >own
    "$refrain" text --json --times --clock linear t.refrain | jq -r '[.enter, .enter + .duration] | @tsv' >common
    begin=$("$refrain" stat --json t.refrain | jq .run_begin_ns)
    paste own common | awk -v begin="$begin" '$2 == "MPI_Init" && $5 > most { most = $5 } END { exit !(most - begin < 1000 && begin - most < 1000) }' ||
        { echo "the run begins at $begin" >&2; return 1; }
    paste own common | awk -v by="$1" -v begin="$begin" '
        {
            key = by == "rank" ? $1 : $2; init = $2 == "MPI_Init"; n[key]++
            if (init && by == "rank")
                next
            time[key] += init || $4 >= begin ? $3 : $5 > begin ? $5 - begin : 0
            if (!init && $4 < begin)
                early[key] = 1
            if (!(key in least) || $3 < least[key])
                least[key] = $3
            if (!(key in most) || $3 > most[key])
                most[key] = $3
        }
        END { for (key in n) printf "%s\t%.0f\t%d\t%.0f\t%.0f\t%d\n", key, time[key], n[key], least[key], most[key], early[key] }' |
        sort
}
stated() { # TABLE COLUMN OPTION…
    table_of=$1 column=$2
    shift 2
    "$refrain" stat --json "$@" t.refrain | jq -r ".$table_of[] | [.$column, .time_ns, .calls, .min_ns, .max_ns] | @tsv" | sort
}
# The time of a rank before the run's begin is cut by the common clock, whose error is checked
# below; all other values are exact.
agree() {
    paste wanted got | awk -F '\t' '
        function far(a, b) { return a - b > within || b - a > within }
        { within = $6 ? 100000 : 0 }
        $1 != $7 || $3 != $9 || $4 != $10 || far($2, $8) || $5 != $11 { print; bad = 1 }
        END { exit bad }'
}
same_sums() { # TABLE rank|function OPTION…
    subject=$1 name=$2 && shift 2 && sums "$name" >wanted && stated "$subject" "$name" "$@" >got && [ -s wanted ] &&
        [ "$(wc -l <wanted)" -eq "$(wc -l <got)" ] && agree
}
sums_of_ranks() {
    same_sums ranks rank --by rank && same_sums functions function -r "0-$((ranks - 1))"
}

table="mode | entries and exits off by, ns | clocks known within, ns | arrivals | early | by at most, ns | bytes a call"
# MODE BOUND, in nanoseconds
while read -r mode bound; do
    check "$mode: runs" record "$mode"
    check "$mode: times are those of the records" "$refrain" verify t.refrain raw
    error=$(number '.clocks[0].error') most=$(number '.causality[0].early_most') worst=$(off)
    check "$mode: clocks are known" is "$error" 0 100000
    check "$mode: entries and exits are near the program's" is "$worst" 0 $((bound + error + 1))
    check "$mode: no message arrives before it was sent, beyond that" is "$most" 0 $((2 * (bound + error) + 10))
    check "$mode: exports say what they put off" says_early
    check "$mode: stat sums up single ranks" sums_of_ranks
    table="$table
$mode | $worst | $error | $(number '.causality[0].arrivals') | $(number '.causality[0].early') | $most | $(number .times_size | sed 's/.*, \(.*\) a call"/\1/')"
done <<END
lossless 0
quantum:1us 500
lossy 1000
lossy:1.05 1000
lossy:1.2:10us 5000
lossy:1.2:0ns:100ns 100
END

# With a budget, the first calls have times of their own; the trace has aggregates of the others.
record_within() { # BUDGET
    rm -rf raw t.refrain truth.*
    LD_PRELOAD=${yield-} timeout 120 "$mpirun" $flags -n "$ranks" "$refrain" record --time-budget "$1" --verify raw -o t.refrain \
        ./times "$calls" truth >said 2>&1 </dev/null || { cat said; return 1; }
}
bytes() { number .times_size | sed 's/"\([0-9]*\) bytes.*/\1/'; }
timed() { "$refrain" text --times -r 0 t.refrain | awk '$3 ~ /^[0-9]+\.[0-9]+$/ { n++; if (NR != n) exit 1 } END { print n }'; }
all_of() { "$refrain" text -r 0 t.refrain | wc -l; }
exports() {
    rm -rf archive t.json t.html
    "$refrain" otf2 -o archive t.refrain && "$refrain" chrome --messages -o t.json t.refrain &&
        "$refrain" timeline -o t.html t.refrain && [ -s t.json ] && [ -s t.html ]
}
check "without a word: runs" record_within 1M:256M
check "without a word: entries and exits are near the program's" is "$(off)" 0 "$((1000 + $(number '.clocks[0].error') + 1))"
check "without a word: all calls have times" is "$(timed)" "$(all_of)" "$(all_of)"
check "without a word: info has nothing to say of that" is "$(number '.times_until // 1')" 1 1
check "1K a rank: runs" record_within 1K:1G
check "1K a rank: is kept" is "$(bytes)" $((ranks * 700)) $((ranks * 1024))
check "1K a rank: verifies" "$refrain" verify t.refrain raw
check "1K a rank: the first calls have times" is "$(timed)" 500 $((calls - 1))
check "1K a rank: info says up to where" is "$(number .times_until | sed 's/[^0-9]*\([0-9]*\).*/\1/')" 500 $((calls - 1))
check "1K a rank: exports" exports
no_sums() {
    "$refrain" stat --by rank t.refrain >said && cat said && awk 'NR > 1 && NF > 2 && $1 ~ /^[0-9]+$/ && $3 != "-" { exit 1 }' said &&
        grep -q '^-: only some of these calls have times of their own; record with --time-budget none' said
}
check "1K a rank: stat does not take them for all" no_sums
# Waiting is examined as far as there are times, even if they are few.
looks_at() {
    for command in "waits" "report --text" "critical"; do
        "$refrain" $command t.refrain >said || return 1
        [ "$command" = critical ] || grep -q 'nalyzed until' said || { cat said; return 1; }
    done
}
check "1K a rank: waiting is looked at up to there" looks_at
check "4K in all: runs" record_within 1M:4K
check "4K in all: waiting is looked at up to there" looks_at
check "4K in all: is kept" is "$(bytes)" 2800 4096
check "none: runs" record_within none
check "none: all calls have times" is "$(timed)" "$(all_of)" "$(all_of)"
shares() {
    "$refrain" stat --json t.refrain >said &&
        jq -e '(.run_ns * ([.functions[] | select(.function == "MPI_Finalize") | .calls][0])) as $all | (.outside_ns + .before_after_ns) as $rest |
            (.functions | map(.share // 0) | add) + $rest / $all - 1 | fabs < 0.001' said >/dev/null || { cat said; return 1; }
}
check "none: shares add up to the run" shares
nothing() { "$refrain" waits --metric mpi_rma_wait_at_fence t.refrain >said && grep -qx 'There is no wait at fence here.' said || { cat said; return 1; }; }
check "none: no table of a metric that has no value" nothing
printf '%s\n' "$table" | sed 's/^/# | /; s/$/ |/'
finish
