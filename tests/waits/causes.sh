#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests `refrain critical` with programs whose causes of waiting are known (causes.c): which rank's
# computing before which call is on the path, and makes others wait, directly and further on.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export LC_ALL=C

build() {
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -Wno-stringop-overflow -o causes "$srcdir/tests/waits/causes.c"
}

record() { # CASE
    callers=
    [ "$1" != twice ] || callers=--callpath
    rm -f said
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 4 "$refrain" record --timing lossless $callers -o trace.refrain ./causes "$1" said \
        </dev/null && [ -s said ] && "$refrain" critical --json trace.refrain >found.json && "$refrain" waits --csv trace.refrain >waits.csv
}

# The computing time of a rank in a function is on the path; and what it costs others, directly and
# further on.
on_path() { # FUNCTION RANK
    jq "[.path[] | select(.activity == \"computing\" and .site[0].function == \"$1\") | .lanes[] | select(.rank == $2).seconds] | add // 0" found.json
}
cost() { # KIND FUNCTION
    jq "[.delays[] | select(.activity == \"computing\" and .site[0].function == \"$2\")[\"$1_seconds\"]] | add // 0" found.json
}
slept() { # RANK
    awk -v rank="$1" '$1 == rank { print $2 }' said
}
holds() { # CONDITION NUMBER…: the numbers are a, b, c
    condition=$1
    shift
    awk -v a="${1-0}" -v b="${2-0}" -v c="${3-0}" "BEGIN { exit !($condition) }" || { echo "not so: $condition, of $*"; return 1; }
}

# The parts of the path add up to it. It is as long as the run, without MPI_Init, and the simulation
# agrees within 1 %. Delays explain all waiting; this is the waiting for late partners of `waits`,
# within 2 %. Waiting for a lock ends when MPI_Win_unlock returns, its cause is that the call begins: 10 %.
sums() {
    jq -e '([.path[].seconds] | add) - .seconds | fabs < 1e-6' found.json &&
        jq -e '(.efficiency.seconds - .seconds | fabs < 1e-6) and ([.path[] | select(.function == "MPI_Init")] == [])' found.json &&
        jq -e '([.delays[] | .direct_seconds + .further_seconds] | add) - .waiting_seconds | fabs < 1e-6' found.json &&
        jq -e '.unexplained_seconds < 0.02 * .waiting_seconds and .unknown_calls == 0' found.json &&
        jq -e '.efficiency | (.simulated_seconds / .seconds - 1 | fabs) < 0.01 and (.serialization * .transfer - .communication | fabs) < 1e-9' found.json &&
        waits=$(awk -F, '$1 ~ /^mpi_(latesender|latereceiver|lateprogress|barrier_wait|wait_nxn|latebroadcast|earlyreduce|latemember|wait_finalize|rma_wait_window_create|rma_wait_window_free|rma_late_post|rma_early_transfer|rma_early_wait|rma_lock_competition)$/ { sum += $(NF - 1) } END { print sum }' waits.csv) &&
        holds "a > 0.1 && (a - b) ^ 2 <= (c * a) ^ 2" "$waits" "$(jq .waiting_seconds found.json)" "$apart"
}

# The most expensive delay is in the line with the comment, and mostly of that rank.
first_is() { # ACTIVITY FUNCTION [RANK]
    line=$(grep -n "cause: $2 " "$srcdir/tests/waits/causes.c" | cut -d: -f1)
    first=$(jq -r '.delays[0] | "\(.activity) \(.site[0].function):\(.site[0].line) of \(.lanes | max_by(.seconds).rank)"' found.json)
    case $first in
    "$1 $2:$line of ${3-$(echo "$first" | sed 's/.* //')}") ;;
    *) echo "not so: $1 $2:$line of ${3-any rank}, but $first"; return 1 ;;
    esac
}

# One rank computes at a time, at least as long as it slept, and not much longer: the tracer starts
# after MPI_Init.
efficiencies() {
    mean=$(awk '{ sum += $2 } END { print sum / NR }' said)
    jq -e '.efficiency | (.load_balance * .communication - .parallel | fabs) < 1e-9 and .threads == 4 and .begin > 0' found.json &&
        jq -e '(.efficiency.seconds - .seconds | fabs) < 1e-6' found.json &&
        holds "a > 0.99 * b / c && a < 0.6" "$(jq .efficiency.parallel found.json)" "$mean" "$(jq .efficiency.seconds found.json)"
}

# Checks the reason of waiting in a function whose line has the comment.
because() { # FINDING REASON
    "$refrain" waits --top 100 trace.refrain >page.txt && grep -A1 " $1" page.txt | grep -q "^ *because $2.* (explains [0-9]* % of this waiting: .*)" ||
        { echo "not so: $1 because $2"; return 1; }
}

# Without a delay, the run would be shorter by the time that a rank sleeps, except for its usual
# share; some may be missing.
gain() { # METRIC SECONDS
    "$refrain" waits --json trace.refrain >page.json &&
        holds "a > 0.75 * b" "$(jq "[.causes[] | select(.metric == \"$1\").because | select(.) | .run_seconds - .without_seconds] | max" page.json)" "$2"
}

# The main reason, of all waiting, is at a function and mostly of a rank; without it the run would be shorter by this.
main_is() { # ACTIVITY FUNCTION RANK SECONDS
    jq -e --arg activity "$1" --arg function "$2" --argjson rank "$3" '.reasons[0].places[0] | .activity == $activity and .site[0].function == $function and (.lanes | max_by(.seconds).rank) == $rank' page.json &&
        holds "a > 0.75 * b" "$(jq '.reasons[0] | .run_seconds - .without_seconds' page.json)" "$4" &&
        grep -A1 '^The main reasons, and how much of all waiting each explains:$' page.txt | grep -q "^ *[0-9.]* %  rank $3 .*; without that the run would take [0-9.]* m\?s instead of [0-9.]* m\?s$"
}

# The first main reason of `waits` is of this kind, in the line with the comment, and mostly of that rank.
first_reason() { # KIND ACTIVITY FUNCTION [RANK]
    line=$(grep -n "cause: $3 " "$srcdir/tests/waits/causes.c" | cut -d: -f1)
    "$refrain" waits --json trace.refrain >page.json && first=$(jq -r '.reasons[0] | "\(.kind) " + (.places[0] | "\(.activity) \(.site[0].function):\(.site[0].line) of \(.lanes | max_by(.seconds).rank)")' page.json)
    case $first in
    "$1 $2 $3:$line of ${4-$(echo "$first" | sed 's/.* //')}") ;;
    *) echo "the first reason is not $1 $2 $3:$line of ${4-any rank}, but $first"; return 1 ;;
    esac
}

# The costs of each delay are those of the ranks that wait.
waiting_adds_up() {
    jq -e 'all(.delays[]; ([.waiting[].seconds] | add) - .direct_seconds - .further_seconds | fabs < 1e-6)' found.json
}

# If there are more ranks than cores, some are stopped meanwhile, and a part of the path and the
# costs belongs to them.
hops() {
    first_reason longer computing hops 2 || return 1
    because "late sender in MPI_Recv at hops" "rank 2 computes .* between one MPI_Send (causes.c:[0-9]*) and the next" &&
        first_is computing hops 2 && holds "a > 0.75 * b" "$(on_path hops 2)" "$(slept 2)" &&
        holds "a > 0.7 * b && c > 0.7 * b" "$(cost direct hops)" "$(slept 2)" "$(cost further hops)" && waiting_adds_up &&
        "$refrain" critical trace.refrain | grep -q 's  computing .*rank 2.*in ranks that wait for those; ranks 0-1,3 wait, most in MPI_' && gain mpi_latesender "$(slept 2)" &&
        main_is computing hops 2 "$(slept 2)"
}

alternate() {
    first_reason alternates computing alternate && first_is computing alternate && efficiencies || return 1
    # The first time, no barrier came before; a rank is late twice.
    because "wait at barrier in MPI_Barrier" \
        "a different rank computes longest each time\( (the waiting is caused by [^)]*)\)\?, .* \(between one MPI_Barrier (causes.c:[0-9]*) and the next\|between MPI_Comm_size (causes.c:[0-9]*) and MPI_Barrier\|before MPI_Barrier at alternate\)" || return 1
    for who in 0 1 2 3; do
        holds "a > 0.75 * b" "$(on_path alternate $who)" "$(slept $who)" || return 1
    done
    holds "a > 0.7 * b" "$(cost direct alternate)" "$(awk '{ sum += 3 * $2 } END { print sum }' said)" &&
        gain mpi_barrier_wait "$(awk '{ sum += $2 } END { print sum }' said)" || return 1
    # Without the barrier, all ranks sleep at the same time.
    grep -q '^ *without this barrier the run would take [0-9.]* m\?s instead of [0-9.]* m\?s, if the program does not need it$' page.txt &&
        holds "a > 0.75 * (b - c)" "$(jq '[.causes[] | select(.metric == "mpi_barrier_wait").because | .run_seconds - .without_barrier_seconds] | max' page.json)" \
            "$(awk '{ sum += $2 } END { print sum }' said)" "$(awk '$2 > most { most = $2 } END { print most }' said)" &&
        holds "a > 0.9 * b" "$(jq '[.causes[] | select(.metric == "mpi_barrier_wait").because | .without_barrier_seconds] | min' page.json)" \
            "$(awk '$2 > most { most = $2 } END { print most }' said)"
}

slack() {
    first_reason longer computing slack 0 && first_is computing slack 0 && holds "a > 0.75 * b" "$(on_path slack 0)" "$(slept 0)" && holds "a < 0.2 * b" "$(on_path slack 1)" "$(slept 1)"
}

serial() {
    first_reason longer computing serial 0 && gain mpi_latebroadcast "$(slept 0)" && "$refrain" waits trace.refrain >page.txt && main_is computing serial 0 "$(slept 0)" && because "late broadcast in MPI_Bcast" "rank 0 computes [0-9.]* ms longer in all (5 times) between MPI_Gather (causes.c:[0-9]*) and MPI_Bcast (causes.c:[0-9]*)" &&
        first_is computing serial 0 && efficiencies && holds "a > 0.75 * b" "$(on_path serial 0)" "$(slept 0)" &&
        holds "a > 0.7 * b" "$(cost direct serial)" "$(awk '$1 == 0 { print 3 * $2 }' said)" &&
        jq -e --argjson slept "$(slept 0)" '[.path[] | select(.activity == "computing" and .site[0].function == "serial").beyond_mean_seconds] | add > 0.7 * $slept' found.json
}

# The others wait; the path is in the exchange. The library decides how the two ranks share it.
transfer() {
    jq '[.path[] | select(.activity == "call")][0]' found.json >longest.json
    first_reason transfer call transfer || return 1
    because "wait at barrier in MPI_Barrier" "MPI_Sendrecv at transfer (causes.c:[0-9]*) ([0-9]* calls of [0-9.]* [kM]B) itself takes this time, \\(or waits for a processor, \\)\\?on \\(ranks 0-1\\|rank [01]\\)" &&
        jq -e '.efficiency.transfer < 0.5' found.json && first_is call transfer && jq -e '.function == "MPI_Sendrecv"' longest.json &&
        holds "a > 0.8 * (b < c ? b : c)" "$(jq .seconds longest.json)" "$(slept 0)" "$(slept 1)" &&
        ! grep 'without this barrier' page.txt # the exchange takes as long without it
}

# One rank computes at a time, each equally long.
relay() {
    first_reason serialized computing relay && because "late sender in MPI_Recv at relay" "ranks work one after the other (serialized): .*; the time is that of .* before MPI_Send at relay (causes.c:[0-9]*); rank 0 starts again only after MPI_Recv at relay (causes.c:[0-9]*), where it waits " && efficiencies &&
        jq -e '.efficiency | .load_balance > 0.8 and .serialization < 0.35 and .transfer > 0.7' found.json &&
        gain mpi_latesender "$(awk '{ sum += $2 } END { print sum / 2 }' said)" && "$refrain" waits trace.refrain >page && grep -q '^ *without waiting there the run would take [0-9.]* m\?s instead of [0-9.]* m\?s$' page &&
        [ "$(grep -c 'because ranks work one after the other' page)" = 1 ] && grep -q '^ *because of the chain of finding 1 (explains ' page &&
        jq -e '.causes[0] | .order == null and (.because | .kind == "serialized" and (.starts_after | .rank == 0 and .function == "MPI_Recv" and .site[0].function == "relay" and .seconds > 0.2))' page.json
}

# Rank 1 waits, but runs another line; rank 0 is compared with rank 2.
mirror() {
    first_reason longer computing mirror 0 && because "late sender in MPI_Sendrecv at mirror (causes.c:[0-9]*), rank 1" "rank 0 computes [56][0-9] % longer between one MPI_Sendrecv (causes.c:[0-9]*) and the next" &&
        first_is computing mirror 0 && gain mpi_latesender "$(awk '$1 == 0 { print 0.6 / 1.6 * $2 }' said)"
}

# Two ranks are late, and both are named, though nearly all of the waiting is due to the one that is last. The run
# gets shorter only without both, by half of what rank 3 sleeps. Who is not late causes hardly any waiting.
two_late() { # FUNCTION FINDING CALL
    because "$2" "\(ranks 1,3\|rank [13] ([0-9]* % of the delay), rank [13]\) compute \(9[0-9] % longer\|2\.0 times as long\) .*$3 (causes.c:[0-9]*)" && gain "$4" "$(awk '$1 == 3 { print $2 / 2 }' said)" &&
        jq -e '.reasons[0].late_ranks == [1, 3]' page.json && holds "a > 0.75 * b" "$(jq '.reasons[0] | .run_seconds - .without_seconds' page.json)" "$(awk '$1 == 3 { print $2 / 2 }' said)" &&
        holds "a < 0.1 * b" "$(jq "[.delays[] | select(.activity == \"computing\" and .site[0].function == \"$1\") | .lanes[] | select(.rank % 2 == 0).seconds] | add // 0" found.json)" "$(jq .waiting_seconds found.json)"
}
together() { two_late together "wait at barrier in MPI_Barrier at together" "between one MPI_Barrier" mpi_barrier_wait; }
neighbours() { two_late meet_neighbours "late sender in MPI_Waitall at meet_neighbours" "and MPI_Irecv" mpi_latesender; }

# Every other rank of a ring is late in turn. The run gets shorter only if each is as fast as the others every time.
turns() {
    first_reason alternates computing meet_neighbours &&
        holds "a > 0.9 * b" "$(jq '.reasons[0] | .run_seconds - .without_seconds' page.json)" "$(awk '{ sum += $2 / 3 } END { print sum / NR }' said)"
}

# Nothing but the times shows that ranks 0 and 2 wait for rank 1, which has sent and received before.
overlap() {
    first_reason longer computing overlap 1 && because "late progress in MPI_Waitall at overlap (causes.c:[0-9]*)" "rank 1 computes .* between MPI_Isend (causes.c:[0-9]*) and MPI_Waitall (causes.c:[0-9]*)" &&
        holds "a > 0.75 * b" "$(jq '.reasons[0] | .run_seconds - .without_seconds' page.json)" "$(awk '$1 == 1 { print $2 / 2 }' said)"
}

# The neighbours of rank 2 wait for its post, whichever call waits.
epochs() {
    first_reason longer computing epochs 2 && because "late post in MPI_Win_\(start\|complete\) at epochs (causes.c:[0-9]*)" "rank 2 computes .* between MPI_Group_incl (causes.c:[0-9]*) and MPI_Win_post (causes.c:[0-9]*)" &&
        first_is computing epochs 2 && gain mpi_rma_late_post "$(awk '$1 == 2 { print $2 / 2 }' said)"
}

# Who gets the lock depends on who had it before, and so on up to rank 1.
locks() {
    first_reason longer computing locks 1 && because "lock competition in MPI_[A-Za-z_]* at locks (causes.c:[0-9]*)" "rank 1 computes .* between MPI_Win_flush (causes.c:[0-9]*) and MPI_Put (causes.c:[0-9]*)" &&
        first_is computing locks 1 && gain mpi_rma_lock_competition "$(awk '$1 == 1 { print $2 / 2 }' said)"
}

# The root waits for nobody's data, but for rank 2.
deferred() {
    first_reason longer computing deferred 2 && because "late member in MPI_Wait at deferred (causes.c:[0-9]*)" "rank 2 computes .* between MPI_Ibcast (causes.c:[0-9]*) and MPI_Wait (causes.c:[0-9]*)" &&
        holds "a > 0.75 * b" "$(jq '.reasons[0] | .run_seconds - .without_seconds' page.json)" "$(awk '$1 == 2 { print $2 / 2 }' said)"
}

# No part takes longer than another one.
sweeps() {
    first_reason serialized computing sweeps && "$refrain" waits trace.refrain >page && ! grep "^Each time" page
}

# Ranks 2 and 3 wait for rank 0, which waits for rank 1: the order of receives is the first reason, then rank 1.
order() {
    first_reason longer computing order 1 || return 1
    # Ranks 2 and 3 hardly compute before MPI_Ssend; rank 0 does not call it.
    "$refrain" waits trace.refrain | sed -n 's/.* before MPI_Ssend at order (.*), rank 1.*; rank 1 computes most: \([0-9.]*\) ms, the mean is \([0-9.]*\) ms$/\1 \2/p' >most
    holds "a > 2.5 * b && b > 0.2 * a" $(cat most) || return 1
    "$refrain" waits --top 100 trace.refrain >page && grep -A4 ' late receiver in MPI_Ssend at order .* of it while the receiver waited for another message$' page >finding &&
        sed -n 2p finding | grep -q '^ *because the receiver waits for another message meanwhile (explains [0-9]* % of this waiting): ' &&
        sed -n 3p finding | grep -q '^ *that order can save at most [0-9.]* m\?s of this waiting; ' &&
        sed -n 4p finding | grep -q '^ *also because rank 1 ' && sed -n 5p finding | grep -q '^ *without the delay of rank 1 the run would take ' && first_is computing order 1 && gain mpi_latereceiver "$(slept 1)" &&
        jq -e --argjson slept "$(slept 1)" '.causes[] | select(.metric == "mpi_latereceiver") | .order.explains > 0.25 and .order.explains <= 1 and .order.seconds <= .seconds and .order.seconds > 0.7 * $slept' page.json
}

# The second half of the ranks is late, though only its first rank keeps others waiting. The run gets shorter only if all of
# it is faster.
component() {
    first_reason longer computing component && jq -e '.reasons[0].late_ranks == [2, 3]' page.json &&
        holds "a > 0.75 * b" "$(jq '.reasons[0] | .run_seconds - .without_seconds' page.json)" "$(awk '$1 == 3 { print $2 / 3 }' said)"
}

# The two places have the same line; their callers differ. Rank 1 sleeps five times as long there.
twice() {
    first_reason longer computing meet 1 && because "wait at barrier in MPI_Barrier at meet" "rank 1 computes [2-5]\.[0-9] times as long between MPI_Barrier (causes.c:[0-9]*, called by morning (causes.c:[0-9]*)) and MPI_Barrier (causes.c:[0-9]*, called by evening (causes.c:[0-9]*))"
}

one_line() {
    first_reason longer computing one_line 1 && because "wait at barrier in MPI_Barrier at one_line" "rank 1 computes [2-5]\.[0-9] times as long between one MPI_Barrier (causes.c:[0-9]*) and another MPI_Barrier (causes.c:[0-9]*)"
}

# The machine may have stopped a process meanwhile; then the program runs again.
agree() { # CASE
    apart=0.02
    [ "$1" != locks ] || apart=0.1
    for try in 1 2 3 4 5 6 7 8; do
        record "$1" || return 1
        sums >differences 2>&1 && "$1" >differences 2>&1 && return
        cat differences
    done
    return 1
}

text() {
    "$refrain" critical --top 100 trace.refrain >page &&
        grep -q '^Parallel efficiency [0-9.]* % = load balance [0-9.]* % x communication efficiency [0-9.]* % (serialization [0-9.]* % x transfer [0-9.]* %), in the .* after MPI_Init$' page &&
        grep -q '^The critical path is [0-9.]* m\?s long: ' page &&
        grep -q '%  computing between MPI_Gather (causes.c:[0-9]*) and MPI_Bcast (causes.c:[0-9]*)  .* beyond the mean$' page &&
        grep -q 's  computing between MPI_Gather (causes.c:[0-9]*) and MPI_Bcast (causes.c:[0-9]*)  rank 0.* in ranks that wait for it.*; .*in MPI_Bcast at serial' page &&
        "$refrain" waits --json trace.refrain >page && jq -e '.causes[] | select(.metric == "mpi_latebroadcast").because |
            .kind == "longer" and .explains > 0.5 and .behind.function == "MPI_Gather" and .times > 3 and .activity == "computing" and .function == "MPI_Bcast" and .lanes[0].rank == 0 and .direct_seconds > 0.1 and .taken_seconds > 10 * .usual_seconds' page
}

# The page has the path of the last trace: it begins and ends with the run, and rank 0, which works alone, has most.
picture() {
    "$refrain" critical -o path.html trace.refrain >page && sed -n 's/.*"path":\[\([0-9,]*\)\].*/\1/p' path.html | tr ',' '\n' >path &&
        awk 'NR % 3 == 1 { line = $1 } NR % 3 == 2 { from = $1; if (NR > 3 && from != to) exit 1 } NR % 3 == 0 { to = $1; all += to - from; if (line == 0) own += to - from }
            END { exit !(NR >= 3 && own > 0.5 * all) }' path || { head -c 300 path; return 1; }
    ! "$refrain" critical -o path.svg trace.refrain 2>said && grep -q 'wanted a name that ends in .html' said && [ ! -e path.svg ]
}

# If the times of single calls end before the run, so does the path, and the page shows where.
times_end() {
    rm -f trace.refrain
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 4 "$refrain" record --timing lossless --time-budget 160:1K -o trace.refrain ./causes alternate said </dev/null &&
        "$refrain" critical trace.refrain >page && grep -q '^Analyzed until [0-9.]* m\?s: ' page && "$refrain" critical --json trace.refrain >found.json &&
        "$refrain" waits --json trace.refrain | jq -e '.causes | length > 0 and all(has("because") or has("order") | not)' &&
        jq -e '.until > .seconds and (.efficiency.seconds - .seconds | fabs) < 1e-6 and (.efficiency.simulated_seconds - .seconds | fabs) < 0.01 * .seconds' found.json
}

check "causes: compiles" build
# MPICH moves the data of such a message in parts; then each of several ranks is waited for.
late="overlap deferred"
[ "$MPI_NAME" != mpich ] || late=
for case in hops alternate slack mirror together neighbours turns component twice one_line $late epochs locks relay sweeps transfer order serial; do
    check "causes: $case" agree $case
done
check "causes: text" text
check "causes: picture" picture
check "causes: times end" times_end
finish
