#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that uses the C++ bindings (bindings.cc) does the same with the tracer, and its calls are in the trace.
# Open MPI's bindings create keyvals without a call of MPI.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
mpicxx=$(echo "$mpicc" | sed 's/mpicc/mpicxx/')

start() { LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n 3 "$@" </dev/null; }
same() {
    start ./bindings >untraced && start "$refrain" record -o trace.refrain --verify raw ./bindings >traced || return 1
    sort -o untraced untraced && sort traced | diff untraced - && [ "$(wc -l <untraced)" = 3 ]
}
said() {
    cat >expected <<'END'
0: 12 from 2, tag 7; largest 12, deleted 1
1: 10 from 0, tag 7; largest 12, deleted 1
2: 11 from 1, tag 7; largest 12, deleted 1
END
    diff expected untraced
}
calls() {
    "$refrain" verify trace.refrain raw && "$refrain" text --rank 1 trace.refrain >text || return 1
    for call in 'MPI_Isend(.*dest=2, tag=7, comm=MPI_COMM_WORLD, .*= MPI_SUCCESS' 'MPI_Recv(.*source=0, tag=MPI_ANY_TAG, .*= MPI_SUCCESS' \
        'MPI_Wait(' 'MPI_Op_create(' 'MPI_Allreduce(' 'MPI_Op_free(' 'MPI_Comm_dup(' 'MPI_Comm_set_errhandler(comm=comm0, errhandler=MPI_ERRORS_RETURN)' \
        'MPI_Send(.*dest=8, tag=0, .*= MPI_ERR_RANK' 'MPI_Comm_free(' 'MPI_Barrier(comm=MPI_COMM_WORLD)' 'MPI_Finalize()'; do
        grep -q "$call" text || { echo "not there: $call"; cat text; return 1; }
    done
}

if ! "$mpicxx" -g -o bindings "$srcdir/tests/mpi/bindings.cc" >made 2>&1; then
    head -n 3 made
    echo "SKIP: $mpicxx does not compile programs that use the C++ bindings"
    exit 77
fi
check "does the same" same
check "is right" said
check "its calls are recorded" calls
finish
