#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# refrain report of a run with times of single calls: its numbers equal those of other commands, and
# its page is tested as in tests/cli/report.sh. The program is that of tests/waits, with all kinds
# of waiting.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export LC_ALL=C

record() { # TIMING
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -o known "$srcdir/tests/waits/known.c" &&
        LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 4 "$refrain" record --timing "$1" -o "$1.refrain" ./known said </dev/null &&
        "$refrain" report --json "$1.refrain" >report.json
}

# alike A B: equal, except for rounding when numbers are added in another order
alike() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(a > 0 && d * d < 1e-12 * a * a) }' || { echo "$1 is not $2"; return 1; }; }
of() { jq -r "$1" report.json; }
times() { # TRACE: compares those of call sites, of computation, and waiting
    "$refrain" waits --csv "$1" >waits.csv
    "$refrain" waits --json "$1" >waits.json
    alike "$(of '[.sections.time.rows[].seconds] | add')" "$(awk -F, '$1 == "time" { s += $(NF - 1) } END { print s }' OFMT=%.17g waits.csv)" &&
        alike "$(of '[.sections.time.rows[] | select(.function == "MPI_Win_fence").seconds] | add')" \
            "$(awk -F, '$1 == "time" && $2 == "MPI_Win_fence" { s += $(NF - 1) } END { print s }' OFMT=%.17g waits.csv)" &&
        [ "$(of .sections.waiting.says | grep -o '[0-9.]* % of the run')" = "$("$refrain" waits "$1" | sed -n '1s/ is waiting.*//p')" ] &&
        alike "$(of .sections.overview.run_seconds)" "$("$refrain" critical --json "$1" | jq .efficiency.seconds)"
}
calls() { # TRACE
    diff <(of '.sections.time.rows[] | select(.site).calls' | sort -n) <("$refrain" stat --json --by site "$1" | jq '.sites[].calls' | sort -n)
}
# Each call has its duration, and each message that was received its size.
durations() { # TRACE
    "$refrain" report --json "$1" | jq -e '.sections.time.rows | map(select(.site) | .durations) as $d | (map(select(.site)) | all(.calls == (.durations.counts | add))) and
            ($d | all(.shortest <= .median and .median <= .longest and pow(2; .octave) * 1e-9 <= ([.longest, 1e-9] | max) and (.counts | .[0] > 0 and .[-1] > 0)))' &&
        diff <("$refrain" report --json "$1" | jq -r '.sections.communication.sizes[] | "\(.from) \(.to) \(.messages) \(.bytes) \(.timed)"') \
            <("$refrain" messages --json "$1" | jq -rs '[.[] | select(.kind == "message" and .completed)] | group_by(.bytes | if . == 0 then -1 else log2 | floor end)[] |
                (.[0].bytes | if . == 0 then -1 else log2 | floor end) as $k |
                "\(if $k < 0 then 0 else pow(2; $k) end) \(if $k < 0 then 0 else pow(2; $k + 1) - 1 end) \(length) \(map(.bytes) | add) \(length)"')
}
# The most expensive waiting, and its reasons.
findings() { # TRACE
    diff <(of '.sections.overview.findings[]') <("$refrain" waits --top 3 "$1" |
        awk '/^ [1-3]  / { if (n++) print line; line = substr($0, 5); sub(/^ */, "", line); next }
             n && /^ *(because|also because|without|that order) / { sub(/^ */, ""); line = line "; " $0; next }
             n { exit } END { print line }') && [ "$(of '.sections.overview.findings | length')" = 3 ] &&
        of '.sections.overview.findings[]' | grep -q '; because rank '
}
accesses() { # TRACE
    diff <(of '.sections.overview | "\(.accesses) \(.written_bytes)"') \
        <("$refrain" matrix --rma --csv "$1" | awk -F, 'FNR > 1 { m += $3; b += $4 } END { print m, b }') &&
        "$refrain" report "$1" | grep -q "; $(of .sections.overview.accesses) one-sided accesses write $(of .sections.overview.written_bytes) B and read 0 B"
}
messages() { # TRACE
    diff <(of '.sections.overview | "\(.messages) \(.message_bytes)"') \
        <("$refrain" matrix --csv "$1" | awk -F, 'FNR > 1 { m += $3; b += $4 } END { print m, b }')
}

# The shortest and the longest call of each site are those of stat, which rounds them to 6.25 % (means, 0.2 %); its
# text has three digits.
extremes() { # TRACE
    "$refrain" stat --json --by site "$1" >stat.json && "$refrain" stat "$1" >stat.text &&
        jq -e -n --slurpfile r report.json --slurpfile s stat.json '
            def of(low; high): group_by(.name) | map({key: .[0].name, value: {low: map(low) | min, high: map(high) | max}}) | from_entries;
            ($r[0].sections.time.rows | map(select(.site) | .name = .function + (.site | capture("(?<line>:[0-9]+)").line)) | of(.durations.shortest; .durations.longest)) as $report |
            ($s[0].sites | map(.name = .function + ":" + (.site[0].line | tostring)) | of(.min_ns * 1e-9; .max_ns * 1e-9)) as $stat |
            ($stat | length) > 20 and ($stat | to_entries | map($report[.key] as $r |
                .value.low <= 1.004 * $r.low + 2e-6 and $r.low <= 1.0625 * .value.low + 2e-6 and
                .value.high >= 0.996 * $r.high - 2e-6 and $r.high >= .value.high / 1.0625 - 2e-6) | all)' &&
        awk 'NF == 9 && FNR > 2 { n++; for (i = 6; i <= 7; i++) { digits = $i; sub(/\./, "", digits); sub(/^0*/, "", digits); sub(/0*$/, "", digits)
                if (length(digits) > 3) { print; wrong = 1 } } } END { exit wrong || n < 10 }' stat.text
}

for timing in lossless lossy; do
    check "$timing: a report" record $timing
    check "$timing: times are those of waits" times $timing.refrain
    check "$timing: calls are those of stat" calls $timing.refrain
    check "$timing: durations of calls and messages" durations $timing.refrain
    check "$timing: shortest and longest calls are those of stat" extremes $timing.refrain
    check "$timing: findings are those of waits" findings $timing.refrain
    check "$timing: messages are those of matrix" messages $timing.refrain
    check "$timing: so are accesses to windows" accesses $timing.refrain
done
# Both runs have the same calls in the same places, except for polling.
difference() {
    "$refrain" report --json lossless.refrain lossy.refrain >difference.json &&
        jq -e '([.sites[] | select(.place | test("Test|robe") | not) | .calls.change == 0] | all) and (.run[] | select(.key == "messages").change == 0)' difference.json &&
        alike "$(jq '[.sites[].time.a] | add' difference.json)" "$(jq '[.run[] | select(.what | test("^(computation|MPI,)")).a] | add' difference.json)"
}
check "the runs differ in times alone" difference
# All commands use the same length of the run and shares of it.
basis() { # TRACE
    "$refrain" report --json "$1" | jq .sections.overview >basis.json && "$refrain" waits --json "$1" >basis.waits && "$refrain" critical --json "$1" >basis.critical &&
        # the sums over all ranks are rounded
        "$refrain" stat --json --rank "0-$(($(jq .ranks basis.json) - 1))" "$1" >basis.stat &&
        jq -e -n --slurpfile r basis.json --slurpfile w basis.waits --slurpfile c basis.critical 'def near(a; b): (a - b | fabs) < 1e-6 * b;
            near($r[0].run_seconds; $c[0].efficiency.seconds) and near($r[0].run_seconds; ($w[0].seconds - $w[0].init_seconds) / $r[0].threads) and
            ($r[0].phases[] | select(.part == "run") | near(.parallel; $c[0].efficiency.parallel) and near(.seconds; $r[0].run_seconds)) and
            near($r[0].computation_share; $c[0].efficiency.parallel) and near($r[0].computation_share + $r[0].mpi_share + $r[0].absent_share; 1)' &&
        # in the report, gaps between polls count as polls
        jq -e -n --slurpfile r basis.json --slurpfile s basis.stat 'def near(a; b): (a - b | fabs) < 0.01 * b;
            ($r[0].run_seconds * $r[0].threads * 1e9) as $all | near($r[0].computation_share * $all; $s[0].outside_ns) and
            near($r[0].mpi_share * $all; [$s[0].functions[] | select(.function | startswith("MPI_Init") | not).time_ns] | add)'
}
check "all shares are of one run" basis lossless.refrain
# Polls of one request, then a poll of another one at another line: each site has the time of its own calls, as
# in stat. Times of the lossy trace are rounded.
polls() {
    cat >polls.c <<'END_C'
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, flag, index, in = 0, out = 0;
    MPI_Request requests[2];
    MPI_Initialized(&flag);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < 2; i++) {
        MPI_Irecv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&out, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        for (int k = 0; k < 20000; k++)
            MPI_Testany(1, requests, &index, &flag, MPI_STATUS_IGNORE);
        for (flag = 0; !flag;)
            MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE);
        MPI_Send(&out, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    for (int i = 0; rank == 1 && i < 2; i++) {
        MPI_Recv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&in, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
END_C
    "$mpicc" -g -o polls polls.c && LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 2 "$refrain" record --timing "$1" -o polls.refrain ./polls </dev/null &&
        "$refrain" report --json polls.refrain >report.json && "$refrain" stat --json --by site polls.refrain >polls.stat &&
        jq -e -n --slurpfile r report.json --slurpfile s polls.stat '
            def sums(time): group_by(.name) | map({key: .[0].name, value: map(time) | add}) | from_entries;
            ($r[0].sections.time.rows | map(select(.site and (.function != "MPI_Init")) | .name = .function + " " + (.site | capture("(?<line>:[0-9]+)").line)) | sums(.seconds)) as $report |
            ($s[0].sites | map(select(.function != "MPI_Init") | .name = .function + " :" + (.site[0].line | tostring)) | sums(.time_ns * 1e-9)) as $stat |
            ($stat | keys | length) > 8 and ($stat | to_entries | map(.value - $report[.key] | fabs < 1e-5 + 0.02 * $stat["MPI_Testany :14"]) | all)'
}
check "polls: times of call sites are those of stat" polls lossless
check "polls: also if they are rounded" polls lossy
# MPI_Initialized is called before the run begins: it has no time in it, but a mean.
before() {
    "$refrain" stat polls.refrain >polls.text &&
        awk '$1 == "MPI_Initialized" { n++; if ($3 + 0 > 0 || $5 + 0 == 0) exit 1 } END { exit n != 1 }' polls.text &&
        [ "$(tail -n 1 polls.text | sed 's/from [0-9.]* [mu]*s on/from T on/')" = "time and share: within the run, from T on; mean, min and max: of whole calls" ] &&
        ! "$refrain" stat --function MPI_Send polls.refrain | grep 'within the run' || { cat polls.text; return 1; }
}
check "stat says that its times are those of the run" before
# Its sum is less than all waiting, which waits shows.
late_partners() { "$refrain" critical lossless.refrain | grep -q '^All ranks together wait [0-9.]* [mu]*s for late partners (completions after the last one came are apart), '; }
check "critical says which waiting it explains" late_partners
# Refills of a wave on a grid that the program declares equal those of waits; the program is named
# as the source.
grid() {
    cat >cart.c <<'END_C'
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int west, east, north, south, size[2] = {2, 2}, no[2] = {0, 0}, x = 0;
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, size, no, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &west, &east);
    MPI_Cart_shift(grid, 1, 1, &north, &south);
    for (int i = 0; i < 12; i++) {
        if (i % 4 == 0)
            MPI_Barrier(grid);
        MPI_Pcontrol(5);
        MPI_Recv(&x, 1, MPI_INT, west, 0, grid, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, north, 0, grid, MPI_STATUS_IGNORE);
        usleep(20000);
        MPI_Send(&x, 1, MPI_INT, east, 0, grid);
        MPI_Send(&x, 1, MPI_INT, south, 0, grid);
        MPI_Pcontrol(0);
    }
    MPI_Finalize();
    return 0;
}
END_C
    "$mpicc" -g -o cart cart.c && LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 4 "$refrain" record -o cart.refrain ./cart </dev/null &&
        "$refrain" waits cart.refrain | grep -q '^What a name means: .*, mpi_refill (pipeline refill)' &&
        "$refrain" waits cart.refrain | sed -n '/^Pipeline refills on the 2x2 grid (MPI_Cart_create)/,/^$/p' | sed '$d' >refills && [ -s refills ] &&
        "$refrain" report --json cart.refrain | jq -r '.sections.overview.notes[]' | sed -n '/^Pipeline/,$p' | diff - refills
}
check "a grid that the program declares" grid
# A host has more ranks than processors, or not; report and waits say it once.
crowded() {
    processors=$(getconf _NPROCESSORS_ONLN)
    for command in report waits; do
        [ "$("$refrain" $command lossy.refrain | grep -c "^More ranks than processors: 4 ran on .*, which has $processors: ")" = $((processors < 4)) ] || return 1
    done
    [ "$("$refrain" text --json --definitions lossy.refrain | jq "select(.function == \"@process\").parameters.processors" | sort -u)" = "$processors" ]
}
check "more ranks than processors" crowded
# Where a name is too long for the table, the line of the source stays.
long_name() {
    cat >long.c <<'END_C'
#include <mpi.h>
static void a_name_that_is_longer_than_the_column_of_the_table_is_wide(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    a_name_that_is_longer_than_the_column_of_the_table_is_wide();
    return MPI_Finalize();
}
END_C
    "$mpicc" -g -O0 -o long long.c && LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 2 "$refrain" record -o long.refrain ./long </dev/null &&
        "$refrain" report long.refrain | grep -q '^MPI_Barrier a_name_that_is[a-z_]*… (long.c:4)  '
}
check "lines of the source are not cut off" long_name
# Without source lines, each command says once how to get them.
hint() {
    "$mpicc" -o plain cart.c && LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 4 "$refrain" record -o plain.refrain ./plain </dev/null || return 1
    for command in report waits critical; do
        [ "$("$refrain" $command plain.refrain | grep -c 'compile the program with -g')" = 1 ] &&
            [ "$("$refrain" $command cart.refrain | grep -c 'compile the program with -g')" = 0 ] || { echo "$command"; return 1; }
    done
}
check "how to get lines" hint
# A script has no debug information: no advice, but for a program whose name only begins like that.
script() {
    cp plain python3.11 && cp plain pythonic || return 1
    for program in python3.11 pythonic; do
        LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 4 "$refrain" record -o $program.refrain ./$program </dev/null || return 1
    done
    [ "$("$refrain" report python3.11.refrain | grep -c 'compile the program with -g')" = 0 ] &&
        [ "$("$refrain" report pythonic.refrain | grep -c 'compile the program with -g')" = 1 ]
}
check "no advice for scripts" script
# Regions have all the values of call sites, divided differently.
regions() {
    "$refrain" diff --json cart.refrain cart.refrain >regions.json && [ "$(jq '.regions | length' regions.json)" = 2 ] &&
        [ "$(jq "[.regions[].calls.a] | add" regions.json)" = "$(jq "[.sites[].calls.b, .runs[0].ranks] | add" regions.json)" ] &&
        for value in time waiting; do alike "$(jq "[.regions[].$value.a] | add" regions.json)" "$(jq "[.sites[].$value.b] | add" regions.json)" || return 1; done
}
check "regions add up to call sites" regions
page() {
    srcdir="$srcdir" top_builddir="$top_builddir" REFRAIN="$refrain" REPORT_TRACE="$PWD/lossy.refrain" bash "$srcdir/tests/cli/report.sh" >page.log 2>&1 && return
    grep -v '^ok' page.log
    return 1
}
check "its page" page
# Checks that the page's test could not run.
sed -n '/^SKIP: /p' page.log
finish
