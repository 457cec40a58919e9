/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a rank that wait for each other inside MPI (MPI_THREAD_MULTIPLE): one row for each kind of calls. */
#include "decoder/waits/search/wait_search.h"

/* Counts the calls whose time the parent has. */
static enum refrain_status take_overlap(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return s->metrics->parents[self] == s->profile_of_site[e->call.site] ? wait_search_wait(s, self, e)
                                                                         : REFRAIN_OK;
}

#define ROW(name_, parent_)                                                                                  \
    {                                                                                                        \
        .uniq_name = name_, .name = "competition of threads", .parent = parent_, .part = true,               \
        .text = "With MPI_THREAD_MULTIPLE, a call may wait until calls of other threads of its rank leave "  \
                "MPI: the library has locks. Counted is the time in which calls of other threads overlap "   \
                "with the call and end before it, but no more than what the call takes longer than the "     \
                "shortest call at its call site. Time in which either call waits for another rank does not " \
                "count. A trace does not show locks: threads that share a processor look the same. Polls, "  \
                "probes and calls of epochs other than fences do not count.",                                \
        .drawing = "thread 0  ---[ MPI_File_write  ]---------\n"                                             \
                   "thread 1  --------[ MPI_File_write   ]---\n"                                             \
                   "                  |<--wait-->|\n",                                                       \
        .events = EVENTS(EVENT_OVERLAP), .take = take_overlap                                                \
    }

const struct metric patterns_threads[] = {
    ROW("mpi_threads_other", "mpi"),
    ROW("mpi_threads_barrier", "mpi_sync_collective"),
    ROW("mpi_threads_rma_sync", "mpi_rma_sync_active"),
    ROW("mpi_threads_point2point", "mpi_point2point"),
    ROW("mpi_threads_collective", "mpi_collective"),
    ROW("mpi_threads_rma", "mpi_rma_communication"),
    ROW("mpi_threads_io", "mpi_io"),
    ROW("mpi_threads_io_collective", "mpi_io_collective"),
    {0},
};
