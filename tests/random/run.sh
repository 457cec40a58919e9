#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Random MPI programs. Their own logs are compared with the output of each command for their traces.
#
#     tests/random/run.sh              a few fixed seeds
#     SEEDS=1-1000 tests/random/run.sh each of these: a line for each failure, and one at the end. The files
#                                      of a failure stay in tests/random/failures/SEED of the build
#                                      tree: log, traces, actual and expected output
#
# From the environment: srcdir, MPI_NAME, PYTHON_OTF2, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
top_builddir=$(cd "${top_builddir:-.}" && pwd)
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
refrain=$(realpath "$refrain") || exit 1
random=$top_builddir/tests/random/random truth=$top_builddir/tests/random/truth
failures=$top_builddir/tests/random/failures
export REFRAIN_CHECK=1 LC_ALL=C
unset REFRAIN_FUNCTIONS REFRAIN_START REFRAIN_CHECKPOINT REFRAIN_OUTPUT
limit=${RANDOM_LIMIT:-100}

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

says() { "$truth" "$1" names $logs; } # WHAT
same() { diff -U0 --label 'the log' --label "refrain $1" wanted got; } # COMMAND

runs() { # SEED
    timings=(aggregate lossless lossy quantum:1us)
    mkdir raw && LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n $((2 + $1 % 4)) "$refrain" record -o trace.refrain --verify raw \
        --timing "${timings[$1 / 4 % 4]}" "$random" "$1" log </dev/null >output 2>&1 || { echo "exit status $?"; tail -5 output; runs_untraced "$1"; return 1; }
    [ ! -s output ] || { cat output; return 1; }
    logs=$(ls log.* | sort -t. -k2n -k3n)
}
# The library does not support everything that is correct, or not always: then there is nothing to
# compare.
runs_untraced() { # SEED
    for run in 1 2 3 4 5 6 7 8 9 10; do
        LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n $((2 + $1 % 4)) "$random" "$1" untraced </dev/null >/dev/null 2>&1 ||
            { touch fails_untraced; return; }
    done
}
names() {
    "$refrain" text trace.refrain | sed -nE 's/^([0-9]+)(\.([0-9]+))?  ([0-9]+)  MPI_.*[ (](newcomm|comm_cart|comm_dist_graph|newintercomm|newintracomm|win)=([^ ,)]+)\) = .*/\1 0\3 \4 \6/p' >names
}
verifies() { "$refrain" verify trace.refrain raw; }

# Compares which receive took which message and which calls form one collective operation. Cancelled
# operations have no match.
messages() {
    "$refrain" messages trace.refrain >lines || { grep -v '^message\|^collective' lines; return 1; }
    grep -v '^unmatched .*  cancelled$' lines | sed -E 's/  number=[0-9]+//; s/  made=[a-z0-9]+//' | sort >got
    says messages | sort >wanted && same messages
}
matrix() { "$refrain" matrix --csv trace.refrain >got && says matrix >wanted && same matrix; }
accesses() { "$refrain" matrix --rma --csv trace.refrain >got && says accesses >wanted && same "matrix --rma"; }
functions() {
    "$refrain" stat --json trace.refrain >stat.json && says functions | sort >wanted &&
        jq -r '.functions[] | "\(.function) \(.calls) \(.sent_bytes) \(.received_bytes)"' stat.json | sort >got && same stat
}

# An event may be printed in one of two ways; an event that has only the second need not be there.
# After an alternative "+" stands for the next events that it includes. So the lines so far may end at
# several places in the log: all of these are followed.
events() { # WHAT
    awk -F'|' -v what="$1" 'NR == FNR { wanted[NR] = $1; instead[NR] = $2; n = NR; next }
        function after(i) { while (instead[i + 1] == "+") i++; return i }
        function follow(place,    i) { # adds all places where this line may be next
            for (i = place + 1; i <= n; i++) {
                if ($0 == wanted[i]) follows[i]
                if (said == instead[i]) follows[after(i)]
                if (wanted[i] != "") return
            }
        }
        function furthest(    i, most) {
            for (i in places) if (i + 0 > most) most = i + 0
            while (most < n && wanted[most + 1] == "") most++
            return most
        }
        FNR == 1 { places[0] }
        { said = $0
          sub(/ request=[a-z0-9@]+$/, "", said)
          sub(/any tagany comm[0-9a-z@]+$/, "any tagany", said)
          split("", follows)
          for (place in places) follow(place + 0)
          none = 1
          for (place in follows) none = 0
          if (none) {
              print what ", event " FNR ": " $0 "; the log has " (furthest() < n ? wanted[furthest() + 1] : "nothing more")
              exit wrong = 1
          }
          split("", places)
          for (place in follows) places[place] }
        END { if (wrong) exit 1
              if (furthest() < n) { print what ": nothing more, the log has " wanted[furthest() + 1]; exit 1 } }' wanted got
}
loops() { "$refrain" loops --expand trace.refrain >got && says events >wanted && events loops; }
model() {
    says events >all && for rank in $(cut -d. -f2 <<<"$logs" | sort -u); do
        grep "^|*$rank " all >wanted
        "$refrain" model --expand "$rank" trace.refrain >got && events "model of $rank" || return 1
        "$refrain" logical --expand "$rank" trace.refrain >got && events "program of $rank" || return 1
    done
}
archive() {
    "$refrain" otf2 --synthetic-time -o archive trace.refrain && otf2-print archive/traces.otf2 >printed 2>said && [ ! -s said ] || { cat said; return 1; }
    awk '/^MPI_I?SEND / { sends++; sent += substr($0, match($0, /Length: /) + 8) }
         /^MPI_I?RECV / { receives++; received += substr($0, match($0, /Length: /) + 8) }
         END { printf "sends %d of %.0f, receives %d of %.0f\n", sends, sent, receives, received }' printed >got
    says records >wanted && same otf2
}

checks="runs names verifies messages matrix accesses functions loops model"
! command -v otf2-print >/dev/null || checks="$checks archive"
# Runs in its own directory, which is the working directory. The files of a failure stay there.
try() { # SEED
    what=
    for what in $checks; do
        "$what" "$1" >difference 2>&1 || { echo "seed $1: $what"; head -"${LINES_SHOWN:-12}" difference; return 1; }
    done
}
in_directory() { # SEED
    rm -rf "$tmp/run" && mkdir "$tmp/run" && cd "$tmp/run" && try "$1"
}

if [ -z "$SEEDS" ]; then
    for seed in 4 5 12 15 16 22 760 10001 10002 10007; do
        check "random program $seed" in_directory $seed
    done
    finish
fi
rm -rf "$failures"
for seed in $(seq "${SEEDS%-*}" "${SEEDS#*-}"); do
    if in_directory "$seed" >"$tmp/said"; then
        passed=$((passed + 1))
    elif [ -e "$tmp/run/fails_untraced" ]; then
        echo "seed $seed: fails without the tracer, too"
    else
        failed=$((failed + 1))
        cat "$tmp/said"
        mkdir -p "$failures" && mv "$tmp/run" "$failures/$seed"
    fi
done
finish
