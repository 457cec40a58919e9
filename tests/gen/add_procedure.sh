#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A procedure only needs to be added to a .tex file to be traced and decoded: an invented MPI
# library gets one more procedure for each dialect, mpi-std as many descriptions, and nothing else
# changes. The library also has procedures of mpi-std that libraries of MPI 4.0 and before lack.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/include" "$work/std" "$work/generated"

# An MPI library with more procedures: a header before mpi.h, and the procedures themselves.
cat >"$work/include/mpi.h" <<'END'
#include_next <mpi.h>
#define BOTH(result, name, list) result MPI_##name list; result PMPI_##name list;
BOTH(int, Refrain_scale, (const void *values, int n, MPI_Comm comm, void *unused, int factors[], int *total))
BOTH(int, Refrain_share, (MPI_Comm comm, int n, const int ranks[], MPI_Group *newgroup))
BOTH(int, Comm_toint, (MPI_Comm comm))
BOTH(MPI_Comm, Comm_fromint, (int comm))
BOTH(int, Abi_get_version, (int *abi_major, int *abi_minor))
BOTH(int, Abi_get_fortran_booleans, (int logical_size, void *logical_true, void *logical_false, int *is_set))
BOTH(int, Comm_get_failed, (MPI_Comm comm, MPI_Group *failedgrp))
BOTH(int, Comm_ack_failed, (MPI_Comm comm, int num_to_ack, int *num_acked))
BOTH(int, Request_get_status_some, (int incount, const MPI_Request array_of_requests[], int *outcount,
                                    int array_of_indices[], MPI_Status array_of_statuses[]))
BOTH(int, Buffer_iflush, (MPI_Request *request))
END
cat >"$work/library.c" <<'END'
#include <mpi.h>
#include <string.h>
int PMPI_Refrain_scale(const void *values, int n, MPI_Comm comm, void *unused, int factors[], int *total)
{
    (void)values, (void)comm, (void)unused;
    *total = 0;
    for (int i = 0; i < n; i++)
        *total += factors[i] = 10 * (i + 1);
    return MPI_SUCCESS;
}
int PMPI_Refrain_share(MPI_Comm comm, int n, const int ranks[], MPI_Group *newgroup)
{
    MPI_Group all;
    PMPI_Comm_group(comm, &all);
    PMPI_Group_incl(all, n, ranks, newgroup);
    return PMPI_Group_free(&all);
}
int PMPI_Comm_toint(MPI_Comm comm) { return comm == MPI_COMM_WORLD ? 257 : 4711; }
MPI_Comm PMPI_Comm_fromint(int comm) { return comm == 257 ? MPI_COMM_WORLD : MPI_COMM_NULL; }
int PMPI_Abi_get_version(int *abi_major, int *abi_minor)
{
    *abi_major = 1;
    *abi_minor = 0;
    return MPI_SUCCESS;
}
int PMPI_Abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false, int *is_set)
{
    memset(logical_true, -1, (size_t)logical_size);
    memset(logical_false, 0, (size_t)logical_size);
    *is_set = 1;
    return MPI_SUCCESS;
}
int PMPI_Comm_get_failed(MPI_Comm comm, MPI_Group *failedgrp)
{
    (void)comm;
    *failedgrp = MPI_GROUP_EMPTY;
    return MPI_SUCCESS;
}
int PMPI_Comm_ack_failed(MPI_Comm comm, int num_to_ack, int *num_acked)
{
    (void)comm;
    *num_acked = num_to_ack - 1;
    return MPI_SUCCESS;
}
int PMPI_Request_get_status_some(int incount, const MPI_Request array_of_requests[], int *outcount,
                                 int array_of_indices[], MPI_Status array_of_statuses[])
{
    *outcount = 0;
    for (int i = 0; i < incount; i++) {
        int flag;
        PMPI_Request_get_status(array_of_requests[i], &flag, &array_of_statuses[*outcount]);
        if (flag)
            array_of_indices[(*outcount)++] = i;
    }
    return MPI_SUCCESS;
}
int PMPI_Buffer_iflush(MPI_Request *request) { return PMPI_Ibarrier(MPI_COMM_SELF, request); }
END
cat >"$work/program.c" <<'END'
#include <mpi.h>
#include <stddef.h>
static double values[3] = {1, 2, 3};
static char yes, no; /* a LOGICAL of one byte: nothing behind it may be read */
static int got[2];
static void look_at_requests(void)
{
    MPI_Request requests[3];
    MPI_Status statuses[2];
    int n = 0, indices[2];
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&got[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
    MPI_Send(&n, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Request_get_status_some(2, requests, &n, indices, statuses);
    MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Buffer_iflush(&requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}
int main(int argc, char **argv)
{
    int factors[3], total, rank = 0, major, minor, set, acked;
    MPI_Group group;
    MPI_Init(&argc, &argv);
    MPI_Refrain_scale(values, 3, MPI_COMM_WORLD, NULL, factors, &total);
    MPI_Refrain_share(MPI_COMM_WORLD, 1, &rank, &group);
    MPI_Group_free(&group);
    if (MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_WORLD)) != MPI_COMM_WORLD)
        return 2;
    MPI_Abi_get_version(&major, &minor);
    MPI_Abi_get_fortran_booleans(1, &yes, &no, &set);
    MPI_Comm_get_failed(MPI_COMM_WORLD, &group);
    MPI_Comm_ack_failed(MPI_COMM_WORLD, 4, &acked);
    look_at_requests();
    MPI_Finalize();
    return total != 60 || major != 1 || yes != -1 || no || acked != 3;
}
END
cp "$srcdir"/mpi-std/*.tex "$work/std"
cat >"$work/std/more.tex" <<'END'
\begin{mpi-binding}
    function_name("MPI_Refrain_scale")
    parameter("values", "BUFFER", direction="IN", constant=True)
    parameter("n", "ARRAY_LENGTH_NNI", direction="IN")
    parameter("comm", "COMMUNICATOR", direction="IN")
    parameter("unused", "BUFFER", direction="IN")
    parameter("factors", "INDEX", direction="OUT", length="n")
    parameter("total", "INDEX", direction="OUT")
\end{mpi-binding}
\begin{funcdef}{MPI\_REFRAIN\_SHARE(comm, n, ranks, newgroup)}
\funcarg{\IN}{comm}{(handle)}
\funcarg{\IN}{n}{number of ranks (integer)}
\funcarg{\IN}{ranks}{their ranks (array of integers)}
\funcarg{\OUT}{newgroup}{(handle)}
\end{funcdef}
\mpibind{MPI\_Refrain\_share(MPI\_Comm comm, int n, const int ranks[], MPI\_Group *newgroup)}
END

build() {
    echo '#include <mpi.h>' | $CC -I"$work/include" $MPI_CPPFLAGS -E -dD - >"$work/declared" &&
        "$top_builddir/gen/gen" --declared "$work/declared" --own "$srcdir/src/user/refrain.tex" --out "$work/generated" \
            "$work"/std/*.tex || return 1
    for file in $(find "$srcdir/src" -name "*.c" ! -path "*/src/core/*") "$work"/generated/*.c "$work/library.c"; do
        $CC -std=c11 -D_GNU_SOURCE -DPACKAGE_VERSION=\"0\" -O1 -fPIC -I"$work/include" -iquote "$work" -iquote "$srcdir" \
            $MPI_CPPFLAGS -c "$file" \
            -o "$work/$(basename "$file" .c).o" || return 1
    done
    $CC -shared $(printf ' -Wl,%s' $EMERGENCY) -o "$work/librefrain.so" "$work"/*.o "$top_builddir/src/core/libcore.a" $MPI_LIBS $TRACER_LIBS &&
        $CC -I"$work/include" $MPI_CPPFLAGS "$work/program.c" -o "$work/program" "$work/librefrain.so" $MPI_LIBS \
            -Wl,-rpath,"$work"
}

record() { REFRAIN_OUTPUT=$work/t.refrain REFRAIN_VERIFY=$work/raw "$mpirun" $flags -n 1 "$work/program"; }

decodes() {
    "$refrain" text --function "$1" "$work/t.refrain" | sed 's/^0  [0-9]*  //' >"$work/text" || return 1
    cat >"$work/expected"
    diff -u "$work/expected" "$work/text"
}

messages_came() {
    cat >"$work/expected"
    "$refrain" messages "$work/t.refrain" | diff -u "$work/expected" -
}

check "a tracer with more procedures" build
check "is recorded" record
check "is verified" "$refrain" verify "$work/t.refrain" "$work/raw"
check "an mpi-binding block is decoded" decodes MPI_Refrain_scale <<'END'
MPI_Refrain_scale(values=&values, n=3, comm=MPI_COMM_WORLD, unused=NULL, factors=[10, 20, 30], total=60) = MPI_SUCCESS
END
check "a funcdef block is decoded" decodes MPI_Refrain_share <<'END'
MPI_Refrain_share(comm=MPI_COMM_WORLD, n=1, ranks=[0], newgroup=group0) = MPI_SUCCESS
END
check "the ABI's procedures are decoded" decodes 'MPI_Abi_*' <<'END'
MPI_Abi_get_version(abi_major=1, abi_minor=0) = MPI_SUCCESS
MPI_Abi_get_fortran_booleans(logical_size=1, logical_true=&yes, logical_false=&no, is_set=1) = MPI_SUCCESS
END
check "handles as numbers are decoded" decodes 'MPI_Comm_*int' <<'END'
MPI_Comm_toint(comm=MPI_COMM_WORLD) = 257
MPI_Comm_fromint(comm=257) = MPI_COMM_WORLD
END
check "requests that stay as they are are decoded" decodes 'MPI_*_[si][of][ml]*' <<'END'
MPI_Request_get_status_some(incount=2, array_of_requests=[req0, req1], outcount=1, array_of_indices=[1], array_of_statuses=[{source=0, tag=1, error=MPI_SUCCESS, bytes=4}]) = MPI_SUCCESS
MPI_Buffer_iflush(request=req2) = MPI_SUCCESS
END
check "and tell when messages came" messages_came <<'END'
message  0:12 -> 0:11, 0:13  comm=MPI_COMM_SELF  tag=1  bytes=4
message  0:14 -> 0:10, 0:16  comm=MPI_COMM_SELF  tag=0  bytes=4
END
check "fault tolerance is decoded" decodes 'MPI_Comm_*failed' <<'END'
MPI_Comm_get_failed(comm=MPI_COMM_WORLD, failedgrp=MPI_GROUP_EMPTY) = MPI_SUCCESS
MPI_Comm_ack_failed(comm=MPI_COMM_WORLD, num_to_ack=4, num_acked=3) = MPI_SUCCESS
END
finish
