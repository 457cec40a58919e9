/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_kind.h"

#include <fnmatch.h>
#include <stddef.h>

const struct call_look call_looks[CALL_KINDS] = {
    [CALL_BLOCKING] = {"blocking", "blocking messages", "#0072B2", "#FFFFFF"},
    [CALL_NONBLOCKING] = {"nonblocking", "non-blocking messages", "#56B4E9", "#000000"},
    [CALL_WAITING] = {"waiting", "waiting, testing", "#D55E00", "#000000"},
    [CALL_COLLECTIVE] = {"collective", "collective operations", "#009E73", "#000000"},
    [CALL_ONE_SIDED] = {"onesided", "one-sided", "#CC79A7", "#000000"},
    [CALL_FILE] = {"file", "files", "#E69F00", "#000000"},
    [CALL_OTHER] = {"other", "set-up and other", "#8C8C8C", "#000000"},
};

const struct call_look call_look_rest = {"rest", "computation", "#F0F0F0", "#000000"};

/* The first line that matches holds. Patterns are fnmatch's with FNM_EXTMATCH, without regard to case. */
static const struct line {
    const char *functions;
    enum call_kind kind;
} lines[] = {
    {"MPI_?([bsr])send?(_c)", CALL_BLOCKING},
    {"MPI_?(m)recv?(_c)", CALL_BLOCKING},
    {"MPI_Sendrecv?(_replace)?(_c)", CALL_BLOCKING},
    {"MPI_I?([bsr])send?(_c)", CALL_NONBLOCKING},
    {"MPI_I?(m)recv?(_c)", CALL_NONBLOCKING},
    {"MPI_Isendrecv?(_replace)?(_c)", CALL_NONBLOCKING},
    {"MPI_?([bsrp])send_init?(_c)", CALL_NONBLOCKING},
    {"MPI_?(p)recv_init?(_c)", CALL_NONBLOCKING},
    {"MPI_@(Start?(all)|Pready*|Cancel|Request_free)", CALL_NONBLOCKING},
    {"MPI_@(Wait|Test)?(all|any|some)", CALL_WAITING},
    {"MPI_?(I)?(m)probe", CALL_WAITING},
    {"MPI_@(Request_get_status*|Parrived)", CALL_WAITING},
    {"MPI_?(I)@(barrier|bcast|gather?(v)|scatter?(v)|allgather?(v)|alltoall?([vw])|reduce|allreduce|"
     "reduce_scatter?(_block)|scan|exscan|neighbor_*)?(_init)?(_c)",
     CALL_COLLECTIVE},
    {"MPI_Win_*", CALL_ONE_SIDED},
    {"MPI_?(R)@(put|get|accumulate|get_accumulate)?(_c)", CALL_ONE_SIDED},
    {"MPI_@(Fetch_and_op|Compare_and_swap)", CALL_ONE_SIDED},
    {"MPI_File_*", CALL_FILE},
};

enum call_kind call_kind_of(const char *function)
{
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (fnmatch(lines[i].functions, function, FNM_EXTMATCH | FNM_CASEFOLD) == 0)
            return lines[i].kind;
    }
    return CALL_OTHER;
}
