#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares `refrain waits` with the waiting that the program known.c prints: how much, in which
# ranks, at which line; and no other waiting.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export LC_ALL=C

build() {
    "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -Wno-stringop-overflow -Wno-stringop-overread -o known \
        "$srcdir/tests/waits/known.c"
}

record() { # TIMING
    rm -f said
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 4 "$refrain" record --timing "$1" -o trace.refrain ./known said \
        </dev/null && [ -s said ] && "$refrain" waits --csv trace.refrain >found.csv
}

# Line 0 is any line. Each value must be within 2 % and a millisecond of the program's; everything
# else must be below 1 % of the run and a millisecond. The start and the end of a run, and the
# program's other needs, are not compared.
cat >compare.awk <<'END'
FNR == NR {
    expected[$2 " " $3 " " $4] += $5
    if (!name[$2 " " $3 " " $4]) name[$2 " " $3 " " $4] = $1
    next
}
FNR == 1 { next }
{
    split($0, field, ",")
    line = match($0, /known\.c:[0-9]+/) ? substr($0, RSTART + 8, RLENGTH - 8) : 0
    n = split($0, field, ",")
    rank = field[n - 2]; value = field[n - 1]
    if (field[1] == "time") time += value
    if (field[1] ~ /^mpi_(late|lswo|early|barrier_|wait_n|nxn_|rma_|io_wait)/ && field[1] !~ /^mpi_rma_(sync|comm|late_complete|early_fence)/) {
        if (field[1] " 0 " rank in expected) line = 0
        found[field[1] " " line " " rank] += value
    }
}
END {
    for (key in expected) {
        difference = found[key] - expected[key]
        if (difference < 0) difference = -difference
        if (difference > 0.02 * expected[key] + 0.001) {
            print key ": " name[key] ": found " found[key] + 0 ", not " expected[key]
            wrong = 1
        }
    }
    for (key in found)
        if (!(key in expected) && found[key] > 0.01 * time / 4 + 0.001) {
            print key ": nobody speaks of it: " found[key]
            wrong = 1
        }
    if (NR < 100) wrong = 1
    exit wrong
}
END
compare() {
    awk -f compare.awk said found.csv
}

# The machine may have stopped a process between the clock and the call. This does not happen
# repeatedly at one call: an error must be there in each of three runs.
agree() { # TIMING
    : >wrong
    for try in 1 2 3; do
        record "$1" || return 1
        compare >differences && return
        sed 's/:.*//' differences | sort >keys
        [ $try -eq 1 ] && cp keys wrong
        comm -12 wrong keys >still && mv still wrong
        [ -s wrong ] || return 0
    done
    cat differences
    return 1
}

# The children of a metric together are never more than the metric: checked for each call site of
# each rank.
parents() {
    "$refrain" waits --json trace.refrain | jq -r '.metrics[] | select(.unit == "sec") | "\(.uniq_name) \(.parent // "-")"' >tree &&
        "$refrain" waits --csv trace.refrain >found.csv && awk '
        FNR == NR { parent[$1] = $2; next }
        FNR > 1 && /,sec$/ {
            n = split($0, field, ",")
            place = $0
            sub(/^[^,]*,/, "", place)
            sub(/,[^,]*,[^,]*$/, "", place)
            value[field[1], place] = field[n - 1]
            if (parent[field[1]] != "-") sum[parent[field[1]], place] += field[n - 1]
        }
        END {
            for (key in sum)
                if (sum[key] > value[key] + 1e-8) {
                    print key ": " sum[key] " in " value[key] + 0
                    wrong = 1
                }
            exit wrong || NR < 100
        }' tree found.csv
}

# File operations count as I/O, not as collective communication.
files() {
    grep -q '^file_ops,MPI_File_write_at_all,' found.csv && ! grep -E '^(comms|bytes|syncs)[a-z_]*,MPI_File_' found.csv
}

# The late rank is the one that is blamed.
blamed() {
    "$refrain" waits --metric mpi_latebroadcast trace.refrain >page && grep -q 'late broadcast in MPI_Bcast at bcast (known.c:[0-9]*), .*the root is rank 1$' page &&
        grep -q 'late broadcast in MPI_Scatter' page && "$refrain" waits --top 100 trace.refrain >page &&
        grep -q 'late sender in MPI_Recv at late_sender (known.c:[0-9]*), rank 0; the sender is rank 1$' page &&
        grep -A3 ' at [a-z]*_order .* of it while another message was there already$' page |
        grep -q '^ *\(also \)\?because another message is there already (explains [0-9]* % of this waiting): '
}

# The same in JSON: sums over ranks, including the metrics below.
json() {
    "$refrain" waits --json trace.refrain >found.json &&
        jq -e '[.metrics[] | select(.unit == "sec") | (.by_rank | add) - .seconds | fabs] | max < 1e-6' found.json &&
        jq -e '[.metrics[] | {(.uniq_name): .seconds}] | add |
               .mpi_rma_late_complete > 0.07 and .mpi_rma_late_complete <= .mpi_rma_early_wait and
               .mpi_rma_early_fence > 0.03 and .mpi_rma_early_fence < 0.06 and .mpi_latesender > 0.5 and .mpi_latesender_wo > 0.15 and .mpi_point2point > .mpi_latesender and .time >= .execution and
               (.time - .execution) * (.time - .execution) < 1e-12 and .execution > .mpi' found.json
}

# The longest instance lies in the examined time; outside of that time it does not count. Not one of
# polls: between its beginning and its end the rank does other things, too.
part() {
    "$refrain" waits --json --instances 3 --metric mpi_latesender trace.refrain |
        jq -e '[.instances[] | select(.waits.function | startswith("MPI_Test") | not)][0]' >one.json &&
        from=$(jq .begin one.json) && length=$(jq .seconds one.json) &&
        "$refrain" waits --json --metric mpi_latesender --from "$from" --to "$(echo "$from $length" | awk '{ printf "%.9f", $1 + $2 }')" \
            trace.refrain >part.json && jq -e --argjson length "$length" \
            '[.causes[].seconds] | max - $length | fabs < 1e-6' part.json
}

# The values of a metric in a file, summed up over threads and call sites.
cube_sums() {
    awk '
        match($0, /<metric id="[0-9]+"/) { id = substr($0, RSTART + 12, RLENGTH - 13) }
        /<uniq_name>/ { gsub(/<[^>]*>/, ""); name[id] = $0 }
        /<matrix/ { match($0, /"[0-9]+"/); id = substr($0, RSTART + 1, RLENGTH - 2) }
        /^[0-9.e-]+$/ { sum[id] += $0 }
        END { for (i in name) printf "%s %.6f\n", name[i], sum[i] }' "$1" | sort
}
# Values are those of both runs; of a run and itself all are 0, and each row is a zero.
cube_of_two() {
    "$refrain" waits -o a.cube trace.refrain && "$refrain" waits -o b.cube recoded.refrain &&
        "$refrain" diff -o less.cube trace.refrain recoded.refrain && "$refrain" diff --mean -o mean.cube trace.refrain recoded.refrain &&
        "$refrain" diff -o none.cube trace.refrain trace.refrain vs trace.refrain && "$refrain" diff -o less.cubex trace.refrain recoded.refrain &&
        [ "$(head -c 10 less.cubex)" = anchor.xml ] || return 1
    for file in a b less mean; do cube_sums $file.cube >$file.sums; done
    paste a.sums b.sums less.sums mean.sums | awk '
        function off(a, b) { a -= b; return a > 3e-6 || a < -3e-6 }
        $1 != $3 || $1 != $5 || $1 != $7 || off($6, $4 - $2) || off($8, ($2 + $4) / 2) { print; wrong = 1 }
        $6 != 0 { differs = 1 }
        END { exit wrong || !differs }' && ! sed -n '/<severity>/,$p' none.cube | grep '^[-.0-9e]*[1-9]'
}
# … are those of --json.
cube() {
    "$refrain" waits -o found.cube trace.refrain && cube_sums found.cube >of_cube &&
        jq -r '.metrics[] | "\(.uniq_name) \(.seconds // .value)"' found.json | awk '{ printf "%s %.6f\n", $1, $2 }' | sort >of_json &&
        grep -q mpi_latesender of_cube && paste of_json of_cube |
        awk '$1 != $3 || $2 - $4 > 2e-6 || $4 - $2 > 2e-6 { print; differs = 1 } END { exit differs || NR == 0 }'
}

# Other parts of the page: shares of who is to blame, the start of the run apart, who computes more
# than others; lists of ranks have commas.
page() {
    "$refrain" waits --top 100 trace.refrain >page &&
        grep -Eq 'is rank [0-9]+ in [0-9]+ %, rank [0-9]+ in [0-9]+ % of it' page &&
        grep -Eq '^Apart from that, .* of wait at MPI_Init in MPI_Init at main \(known.c:[0-9]+\)' page &&
        ! grep -Eq '^ *[0-9]+ .* wait at MPI_Init' page && grep -q '^Computing is uneven' page &&
        grep -Eq '^    .* % of the run\) before MPI_[A-Za-z_]* at .*\(known.c:[0-9]+\), rank' page && ! grep -Eq 'ranks [0-9-]+ [0-9]' page
}

# However many call sites there are.
init_is_shown() { "$refrain" report trace.refrain | grep -q '^ *MPI_Init'; }

# The values of selected ranks equal theirs among all ranks.
ranks() {
    "$refrain" waits --json --rank 1,3 trace.refrain >two.json &&
        jq -s -e '[.[] | [.metrics[] | {(.uniq_name): .by_rank}] | add] |
            . as [$all, $two] | ($all | keys) | all(. as $k | $two[$k] == [0, $all[$k][1], 0, $all[$k][3]])' found.json two.json &&
        "$refrain" waits --by rank --rank 1,3 --json trace.refrain | jq -e '[.lines[].rank] == [1, 3]'
}

# Each instance begins when its call does in `refrain text`, by the clock that the page names; for
# polls, it is the first poll.
instances() {
    "$refrain" waits --instances 5 --metric mpi_barrier_wait trace.refrain >page &&
        "$refrain" waits --instances 5 --metric mpi_barrier_wait --json trace.refrain >worst.json &&
        clock=$(sed -n 's/^Times since the first call of the run, as in refrain text --times --clock \([a-z]*\)\.$/\1/p' page) &&
        [ -n "$clock" ] && [ "$(jq '.instances | length' worst.json)" -eq 5 ] &&
        jq -r '.instances[] | select(.waits.function != "MPI_Test") | "\(.waits.rank) \(.waits.call) \(.begin)"' worst.json | while read -r rank call begin; do
            "$refrain" text --times --clock "$clock" --rank "$rank" --call "$call..$call" trace.refrain |
                awk -v begin="$begin" '{ d = $3 - begin } END { exit NR != 1 || d * d > 1e-14 }' || exit 1
        done
}

# The same times, kept less precisely (recode_times.c): each metric must be within its stated bound,
# and metrics above 1 % of the run within 5 %. A gap of exactly 20 us between polls may change sides
# (wait_lanes.h), which no bound covers: of half a million polls, some dozens may.
recoded() { # MODE, of a lossless trace
    "$top_builddir/tests/waits/recode_times" trace.refrain recoded.refrain "$1" &&
        "$refrain" waits --json trace.refrain >exact.json && "$refrain" waits --json recoded.refrain >recoded.json &&
        jq -s -e '.[0] as $exact | .[1] as $recoded | [$recoded.metrics[] | {(.uniq_name): .}] | add as $of |
            [$exact.metrics[] | select(.unit == "sec") | . as $metric | $of[.uniq_name] |
                {error: (.seconds - $metric.seconds | fabs), bound: .error_seconds, exact: $metric.seconds}] |
            any(.bound > 0) and all(.bound == 0 or .error <= .bound + 1e-3) and
            all(.exact < 0.01 * $exact.seconds or .error <= 0.05 * .exact)' exact.json recoded.json
}

# A time after the end is an error.
beyond() {
    "$refrain" waits --from 1000 trace.refrain 2>said
    [ $? -eq 2 ] && grep -q -- '--from: the run ends at [0-9.]* s, counted from the first call$' said
}

aggregate() {
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 4 "$refrain" record --timing aggregate -o none.refrain ./known said </dev/null || return 1
    "$refrain" waits none.refrain 2>said
    [ $? -eq 2 ] && grep -q 'no times of single calls (record with --timing lossy' said
}

check "known: compiles" build
for timing in lossy quantum:1us lossless; do
    check "known, $timing: who waits how long, and where" agree "$timing"
    check "known, $timing: who is to blame" blamed
    check "known, $timing: children are part of their parents" parents
    check "known, $timing: files" files
done
check "lossy times of the same run: within the bound" recoded lossy
check "quantum times of the same run: within the bound" recoded quantum:1us
check "JSON: sums" json
check "CUBE: the same" cube
check "CUBE: difference and mean of two runs" cube_of_two
check "a part of the run" part
check "the page" page
check "the report has a row for MPI_Init" init_is_shown
check "some ranks" ranks
check "single instances, by the clock of text" instances
check "a part behind the end" beyond
check "without times of single calls" aggregate
finish
