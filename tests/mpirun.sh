# SPDX-License-Identifier: BSD-3-Clause
# For the scripts that trace MPI programs: `refrain`, `mpicc` and `mpifort` (empty if there is
# none), and `mpirun` with its `flags`.
#
# From the environment: REFRAIN (default: the build tree's), MPICC, MPIFORT, MPIRUN, MPIRUN_FLAGS
# (default: what Open MPI needs to start more processes than cores), top_builddir (default: the
# working directory).
top_builddir=${top_builddir:-$PWD}
refrain=${REFRAIN:-$top_builddir/decoder/refrain}
mpicc=${MPICC:-mpicc}
mpifort=${MPIFORT-}
mpirun=${MPIRUN:-mpirun}
case $("$mpirun" --version 2>&1) in
*"Open MPI"* | *OpenRTE*) flags=${MPIRUN_FLAGS---oversubscribe} ;;
*) flags=${MPIRUN_FLAGS-} ;;
esac
# MPICH's ranks keep their processors while they wait; with this in LD_PRELOAD they do not
# (tests/yield.c). For scripts with many runs.
case ${MPI_NAME-} in
mpich) yield=$top_builddir/tests/yield.so ;;
*) yield= ;;
esac
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1

# Seconds that a run may take: it does not hang, but the machine may be busy.
limit=300

# retry_hangs UNTRACED COMMAND…: repeats COMMAND, at most three times, while it ends with 124, with
# which timeout reports a hang: after a `limit` of 40 seconds, doubled each time. But only if
# UNTRACED, the same without the tracer, also hangs. Open MPI's spawn hangs once in some hundred
# runs: the new process waits in PMIx_Init for an answer. COMMAND must leave its output in another
# place each time: a process of a stopped run may write late.
retry_hangs() {
    untraced=$1 usual_limit=$limit
    shift
    for limit in 40 80 160 320; do
        "$@"
        hang_status=$?
        [ $hang_status -eq 124 ] || break
        echo "it hangs: $limit seconds"
        hangs_untraced || break
    done
    limit=$usual_limit
    return $hang_status
}
hangs_untraced() {
    for run in $(seq ${UNTRACED_RUNS:-400}); do
        $untraced
        [ $? -ne 124 ] || { echo "so it does without the tracer, in run $run"; return 0; }
    done
    echo "without the tracer it does not, in $run runs"
    return 1
}

# For programs that write `ptr` for every address that is not a constant: replaces each symbol of
# memory by that.
plain_addresses() {
    sed -E ':again
        s/(= |[=[]|, |->)((heap|map|mpimem|winmem)[0-9]+(\+[0-9]+)?|stack(\+[0-9]+)?|&[A-Za-z0-9_.:]+(\+[0-9]+)?|[^ ,+="]+\+0x[0-9a-f]+)([],)]|->|$)/\1ptr\7/
        t again'
}
