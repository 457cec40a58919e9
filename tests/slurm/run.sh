#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Under Slurm, on a node of its own (cluster.sh): programs that end well, and programs ended by
# scancel or by a limit on time or memory; simultaneous steps, arrays, mpirun in a batch job. Ends
# with a table of recovered calls.
#
#   tests/slurm/run.sh [CASE…]    all cases, or those named (see README.md)
#
# From the environment: srcdir, MPI_NAME, MPI_OTHERS, and the variables of tests/mpirun.sh.
# SLURM_CONF: uses a running Slurm.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
top_builddir=$(cd "${top_builddir:-.}" && pwd)
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
. "$srcdir/tests/slurm/cluster.sh"
refrain=$(realpath "$refrain") || exit 1
unset REFRAIN_OUTPUT REFRAIN_LOG REFRAIN_LIBRARY REFRAIN_CHECKPOINT LD_PRELOAD MAKEFLAGS MFLAGS
export REFRAIN_LOG=warning
wanted=" $* "

if [ -z "${SLURM_CONF-}" ] && missing=$(cluster_missing); then
    echo "SKIP: $missing; Debian has Slurm in the packages slurm-wlm and munge"
    exit 77
fi
tmp=$(mktemp -d /tmp/refrain-slurm.XXXXXX) || exit 1
trap 'cluster_stop; rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP
chmod 755 "$tmp" && cd "$tmp" || exit 1
[ "${SLURM_CONF-}" ] || cluster_start "$tmp/cluster" || { echo "Slurm does not start"; exit 1; }

is_wanted() { case $wanted in "  " | *" $1 "*) ;; *) false ;; esac; }

# select_mpi NAME: sets mpicc, mpirun and flags of an MPI library, its tracer, and srun's --mpi for
# it
select_mpi() {
    name=$1 tracer=$top_builddir/lib/refrain/$1
    directory=$top_builddir/mpi/$1
    [ "$1" != "$MPI_NAME" ] || directory=$top_builddir
    mpicc=$(sed -n 's/^MPICC = //p' "$directory/Makefile") mpirun=$(sed -n 's/^MPIRUN = //p' "$directory/Makefile")
    case $("$mpirun" --version 2>&1) in *"Open MPI"* | *OpenRTE*) flags=--oversubscribe ;; *) flags= ;; esac
}

# Finds the kinds of --mpi with which ranks of the library find each other; with others, each rank
# is a separate world or fails in MPI_Init.
kinds_of() {
    for kind in pmix pmi2; do
        rm -f made.*
        srun -Q --mpi=$kind -n 2 "./endings.$name" finalize made >/dev/null 2>&1 && [ -f made.1 ] && echo $kind
    done
}

# ---- what a run left

calls() { "$refrain" text --rank "$1" "$trace" | wc -l; }
ended() { # how the ranks ended, on one line: "0,2: signal 15 (SIGTERM); 1: …"
    "$refrain" info --json "$trace" | tr '{' '\n' | sed -n 's/.*"ended":"\([^"]*\)","ranks":"\([^"]*\)".*/\2: \1/p' | tr '\n' ';' | sed 's/;$//; s/;/; /g'
}

# recovered WHOSE [MADE]: checks that the trace has all calls that these ranks made, or all except
# the unfinished one; and for other ranks, those up to a checkpoint
recovered() {
    for rank in 0 1 2; do
        [ -f "${2-made}.$rank" ] || { echo "rank $rank has not told"; return 1; }
        made=$(cat "${2-made}.$rank") here=$(calls $rank)
        case $1 in *$rank*) least=$((made - 1)) ;; *) least=400 ;; esac
        [ "$here" -ge $least ] && [ "$here" -le "$made" ] && continue
        echo "rank $rank made $made calls, $here are there: $(ended)"
        return 1
    done
}
row() { # WHAT STATUS [MADE]
    line="| $1 | $name | $kind | $2 |"
    for rank in 0 1 2; do
        [ -f "${3-made}.$rank" ] && line="$line $(cat "${3-made}.$rank") / $(calls $rank)" || line="$line –"
        line="$line |"
    done
    echo "$line $(ended) |" >>table
}
ends() { [ "$(ended)" = "$1" ] || { ended; return 1; }; }
verifies() { "$refrain" verify "$trace" "${1-raw}"; }
merges() { "$refrain" merge "$trace.parts"; }
# The only messages are that there are parts, if there are some, and where the trace is if its name is taken.
quiet() {
    ! grep -h '^refrain' "$@" | grep -v -e 'the run ended without a trace; .refrain merge ' \
        -e 'a trace of that name exists already: this run is in '
}
silent() { quiet output; }

# ---- steps

# step ENDING COMMAND…: runs three ranks in a job named `step`; leaves `output` and `status`
clean() { rm -rf t.refrain* raw* made.* output; }
step() {
    clean
    timeout 120 srun -J step --mpi="$kind" -n 3 "$@" >output 2>&1 </dev/null
    echo $? >status
    [ "$(cat status)" -ne 124 ] || { cat output; return 1; }
}
record="$refrain record -o t.refrain --verify raw --checkpoint 0.2"

# await FILES JOB: waits until all ranks have written how many calls they made and are in the last
# one
await() {
    for try in $(seq 300); do
        [ "$(ls $1 2>/dev/null | wc -l)" -ge "$2" ] && sleep 1 && return
        sleep 0.2
    done
    echo "only $(ls $1) in a minute"
    return 1
}
gone() {
    for try in $(seq 300); do
        [ -z "$(squeue -h -n "$1")" ] && return
        sleep 0.2
    done
    return 1
}

finalize() {
    step "$@" || return
    [ "$(cat status)" -eq 0 ] && silent && [ ! -e t.refrain.parts ] || { cat status output; return 1; }
}
whole() { recovered 012 && { [ ! -d raw ] || verifies; } && "$refrain" info "$trace" | grep -E '^job +Slurm [0-9]+\.[0-9]+$'; }
preloaded() { finalize env LD_PRELOAD="$tracer/librefrain.so" REFRAIN_OUTPUT=t.refrain REFRAIN_VERIFY=raw "./endings.$name" finalize made; }
linked() { finalize env REFRAIN_OUTPUT=t.refrain REFRAIN_VERIFY=raw "./linked.$name" finalize made; }

# sent SIGNAL…: sends it to a step while all its ranks wait
sent() {
    clean
    step $record "./endings.$name" hang made &
    await 'made.[012]' 3 && scancel "$@" -n step
    wait $!
}

several_steps() { # ENDING: several steps in one job, without names for their traces
    rm -rf several && mkdir several && cd several || return
    cat >job <<EOF
#!/bin/sh
for i in 1 2 3; do
    ending=$1
    [ \$i != 3 ] || ending=finalize
    srun --mpi=$kind -n 3 --exact --mem=300M "$refrain" record --checkpoint 0.2 --verify raw.\$i ../endings.$name \$ending made.\$i &
done
wait
EOF
    sbatch -Q -J several -n 9 --mem=900M -o said job && await 'made.[123].[012]' 9 || return
    [ "$1" = finalize ] || scancel -n several
    gone several && quiet said
}
# Each trace belongs to the run of one of the steps.
all_different() {
    for i in 1 2 3; do
        for trace in "$@"; do
            verifies raw.$i >/dev/null 2>&1 || continue
            recovered 012 made.$i || return
            echo "raw.$i is $trace"
            break
        done
    done | sort -u -k 3 | grep -c raw | grep -qx "$#"
}
parts_of_each() {
    set -- endings."$name".refrain.parts/*
    [ $# -eq 2 ] || { ls endings*; return 1; }
    "$refrain" merge -o one "$1" && "$refrain" merge -o two "$2" && "$refrain" merge -o last endings."$name".refrain.parts 2>warning &&
        grep 'has parts of 2 runs' warning && { cmp last one || cmp last two; } && all_different one two endings."$name".refrain
}

array() {
    rm -rf array && mkdir array && cd array || return
    cat >job <<EOF
#!/bin/sh
srun --mpi=$kind "$refrain" record --verify raw.\$SLURM_ARRAY_TASK_ID ../endings.$name finalize made.\$SLURM_ARRAY_TASK_ID
EOF
    timeout 120 sbatch -Q -W --array=1-3 -n 3 --mem=400M -o 'said.%a' job && quiet said.*
}
array_jobs() { for trace in endings*.refrain; do "$refrain" info "$trace" | sed -n 's/^job  *Slurm [0-9]*//p'; done | sort | xargs | grep -x '_1.0 _2.0 _3.0'; }

batch_mpirun() {
    rm -rf batch && mkdir batch && cd batch || return
    cat >job <<EOF
#!/bin/sh
for i in 1 2 3; do
    $mpirun $flags -n 3 "$refrain" record --verify raw.\$i ../endings.$name finalize made.\$i &
done
wait
EOF
    timeout 120 sbatch -Q -W -n 9 --mem=900M -o said job && quiet said || { cat said; return 1; }
}
limits_batch() { # in the background: it takes a minute at least
    cat >limit.$name.job <<EOF
#!/bin/sh
exec srun --mpi=$kind "$refrain" record -o limit.$name.refrain --verify limit.$name.raw ./endings.$name hang limit.$name.made
EOF
    sbatch -Q -J limit -n 3 --mem=400M --time=1 -o limit.$name.said limit.$name.job
}
limit_reached() {
    gone limit && grep 'DUE TO TIME LIMIT' limit.$name.said && quiet limit.$name.said && merges
}

# Sessions only: ranks do not exchange the identity of their run. Two launchers in one step of a job
# do not share a trace.
sessions() {
    rm -rf sessions && mkdir sessions && cd sessions || return
    cat >left.c <<'EOF'
#include <mpi.h>
int main(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "left", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    return MPI_Session_finalize(&session);
}
EOF
    "$mpicc" -o left left.c || return
    cat >job <<EOF
#!/bin/sh
for i in 1 2; do
    $mpirun -launcher fork -n 3 "$refrain" record ./left &
    srun --mpi=$kind -n 3 --exact --mem=400M "$refrain" record ./left &
done
wait
EOF
    timeout 120 sbatch -Q -W -n 12 --mem=1200M -o said job && quiet said && [ ! -e left.refrain.parts ] || { cat said; ls; return 1; }
    for trace in left.refrain left.2.refrain left.3.refrain left.4.refrain; do
        "$refrain" info $trace | grep -x 'calls  *21' || return
    done
}

# in_limit KILOBYTES ENDING: runs a step whose processes have a limited address space
in_limit() {
    limit=$1
    shift
    step -K --mem=4000M --propagate=NONE sh -c 'ulimit -c 0; ulimit -v $1 && shift && exec "$@"' sh "$limit" $record "./endings.$name" "$@"
}

script() {
    printf '#!/bin/sh\nexec ./endings.%s finalize made\n' "$name" >script && chmod +x script && finalize $record ./script
}

# ---- the cases

one_library() {
    trace=t.refrain
    for kind in $kinds; do
        if is_wanted finalize; then
            check "$name, $kind: srun refrain record" finalize $record "./endings.$name" finalize made
            check "$name, $kind: its trace" whole
            row "\`refrain record\`" "$(cat status)"
            check "$name, $kind: LD_PRELOAD" preloaded
            check "$name, $kind: LD_PRELOAD: its trace" whole
            check "$name, $kind: linked" linked
            check "$name, $kind: linked: its trace" whole
            row linked "$(cat status)"
            check "$name, $kind: a script" script
            check "$name, $kind: a script: its trace" whole
        fi
    done
    set -- $kinds
    kind=$1
    if is_wanted limit; then check "$name: a job with a time limit" limits_batch; fi
    if is_wanted scancel; then
        check "$name: scancel" sent
        check "$name: scancel: merges" merges
        check "$name: scancel: the ranks were told" ends "0-2: signal 15 (SIGTERM)"
        check "$name: scancel: nothing is lost" recovered 012
        check "$name: scancel: verifies" verifies
        row "\`scancel\`" "$(cat status)"
    fi
    if is_wanted crash; then
        check "$name: a rank crashes, with srun -K" step -K $record "./endings.$name" segv made
        check "$name: a crash: merges" merges
        check "$name: a crash: the others were told" ends "0,2: signal 15 (SIGTERM); 1: signal 11 (SIGSEGV)"
        check "$name: a crash: nothing is lost" recovered 012
        check "$name: a crash: verifies" verifies
        row "a rank crashes, \`srun -K\`" "$(cat status)"
        check "$name: MPI_Abort" step $record "./endings.$name" abort made
        check "$name: MPI_Abort: merges" merges
        check "$name: MPI_Abort: the others were killed" ends "0,2: unknown, recorded up to a checkpoint; 1: MPI_Abort with error code -1"
        check "$name: MPI_Abort: calls" recovered 1
        check "$name: MPI_Abort: verifies" verifies
        row "\`MPI_Abort\` on rank 1" "$(cat status)"
    fi
    if is_wanted memory; then
        check "$name: more memory than the job has" step --mem=500M $record "./endings.$name" grow made
        check "$name: memory: Slurm says so" grep -q 'exceeded memory limit' output
        check "$name: memory: merges" merges
        check "$name: memory: killed" ends "0-2: unknown, recorded up to a checkpoint"
        check "$name: memory: calls" recovered ""
        check "$name: memory: verifies" verifies
        row "memory of the job (\`--mem\`)" "$(cat status)"
        check "$name: more addresses than a process may have" in_limit 900000 grow made
        check "$name: addresses: without a word" silent
        check "$name: addresses: merges" merges
        check "$name: addresses: the part has how it ended" ends "0,2: signal 15 (SIGTERM); 1: signal 6 (SIGABRT)"
        check "$name: addresses: nothing is lost" recovered 012
        check "$name: addresses: verifies" verifies
        row "addresses of a process (\`ulimit -v\`), \`srun -K\`" "$(cat status)"
    fi
    if is_wanted steps; then
        check "$name: three steps at a time" several_steps finalize
        cd several
        check "$name: three steps: three traces" all_different endings."$name".refrain endings."$name".2.refrain endings."$name".3.refrain
        cd ..
        check "$name: three steps at a time, two of which are cancelled" several_steps hang
        cd several
        check "$name: three steps: each has its own parts" parts_of_each
        cd ..
    fi
    if is_wanted array; then
        check "$name: an array of jobs" array
        cd array
        check "$name: an array: each task has a trace" all_different endings."$name".refrain endings."$name".2.refrain endings."$name".3.refrain
        check "$name: an array: traces tell their tasks" array_jobs
        cd ..
    fi
    if is_wanted mpirun; then
        check "$name: mpirun, three times at once, in a batch job" batch_mpirun
        cd batch
        check "$name: mpirun: three traces" all_different endings."$name".refrain endings."$name".2.refrain endings."$name".3.refrain
        cd ..
    fi
    if is_wanted sessions && echo 'int main(void) { return MPI_VERSION < 4; }' | "$mpicc" -include mpi.h -x c -o version - && ./version; then
        check "$name: sessions alone, four runs at once" sessions
    fi
    cd "$tmp"
}

for name in $MPI_NAME $MPI_OTHERS; do
    select_mpi $name
    check "$name: the program compiles" "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -w -o endings.$name "$srcdir/tests/endings/endings.c"
    check "$name: and links with the tracer" "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -w -o linked.$name "$srcdir/tests/endings/endings.c" \
        -L"$tracer" -Wl,-rpath,"$tracer" -lrefrain
    kinds=$(kinds_of | xargs)
    echo "# $name: --mpi is $kinds"
    check "$name: a kind of srun's --mpi" test -n "$kinds"
    [ -z "$kinds" ] || one_library
done
if is_wanted limit; then
    for name in $MPI_NAME $MPI_OTHERS; do
        select_mpi $name
        [ -f limit.$name.job ] || continue
        trace=limit.$name.refrain
        check "$name: the time limit is reached" limit_reached
        check "$name: time: the ranks were told" ends "0-2: signal 15 (SIGTERM)"
        check "$name: time: nothing is lost" recovered 012 limit.$name.made
        check "$name: time: verifies" verifies limit.$name.raw
        kind=$(sed -n 's/.*--mpi=\([a-z0-9]*\).*/\1/p' limit.$name.job)
        row "time limit (\`--time\`)" "–" limit.$name.made
    done
fi

echo
echo "| | library | \`--mpi\` | status of srun | rank 0: made / recovered | rank 1 | rank 2 | how the ranks ended |"
echo "|---|---|---|---:|---:|---:|---:|---|"
cat table
echo
finish
