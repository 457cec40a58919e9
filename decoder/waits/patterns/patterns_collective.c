/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting in collective operations. For non-blocking ones, the completing call waits. */
#include "decoder/waits/search/wait_search.h"

#define KOJAK "KOJAK (EXPERT)"
#define SCOUT "Scalasca (scout)"

/* Adds the time that a member spends in the operation after all have entered and the first has
 * left. */
static enum refrain_status add_completion(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    const uint64_t leave = e->call.timestamp.leave;
    const uint64_t begin = e->meeting->last_enter < leave ? e->meeting->last_enter : leave;
    struct wait_event completion = *e;
    completion.begin = begin > e->meeting->first_leave ? begin : e->meeting->first_leave;
    completion.until = leave;
    return wait_search_wait(s, self, &completion);
}

static enum refrain_status take_barrier_completion(struct wait_search *s, uint32_t self,
                                                   const struct wait_event *e)
{
    return e->meeting->kind == EVENT_BARRIER ? add_completion(s, self, e) : REFRAIN_OK;
}

static enum refrain_status take_nxn_completion(struct wait_search *s, uint32_t self,
                                               const struct wait_event *e)
{
    const bool moves = e->member->sent > 0 || e->member->received > 0;
    return e->meeting->kind == EVENT_ALL_TO_ALL && moves ? add_completion(s, self, e) : REFRAIN_OK;
}

const struct metric patterns_collective[] = {
    {.uniq_name = "mpi_barrier_wait",
     .name = "wait at barrier",
     .parent = "mpi_sync_collective",
     .part = true,
     .blamed = "the last to enter",
     .text = "A process waits in a barrier until the last process enters it.",
     .drawing = "0  ---[ MPI_Barrier          ]----\n"
                "      |<---wait--->|\n"
                "1  ----------[ MPI_Barrier   ]----\n"
                "             |wait-|\n"
                "2  ----------------[ Barrier ]----\n",
     .source = KOJAK,
     .events = EVENTS(EVENT_BARRIER)},
    {.uniq_name = "mpi_barrier_completion",
     .name = "barrier completion",
     .parent = "mpi_sync_collective",
     .part = true,
     .itself = "all ranks have entered the barrier, which itself takes this time",
     .text = "A process is still in a barrier after all processes have entered it and the first one has left "
             "it. It waits for no late process: this is the end of the barrier itself.",
     .drawing = "0  ---[ MPI_Barrier     ]---------\n"
                "1  ---[ MPI_Barrier        ]------\n"
                "                         |-|\n",
     .source = KOJAK,
     .events = EVENTS(EVENT_MEETING),
     .take = take_barrier_completion},
    {.uniq_name = "mpi_wait_nxn",
     .name = "wait at N x N",
     .parent = "mpi_collective",
     .part = true,
     .blamed = "the last to enter",
     .text = "N x N is an operation in which N processes send data to all N processes. A process waits in it "
             "until the last process that sends it data enters: MPI_Allreduce, MPI_Allgather, MPI_Alltoall, "
             "MPI_Reduce_scatter ... In MPI_Alltoallv, "
             "MPI_Alltoallw and MPI_Reduce_scatter, the calls do not show who needs whom; there, processes "
             "that enter after this process has left do not count.",
     .drawing = "0  ---[ MPI_Allreduce        ]----\n"
                "      |<---wait--->|\n"
                "1  ----------[ MPI_Allreduce ]----\n"
                "             |wait-|\n"
                "2  ----------------[ Allred. ]----\n",
     .source = KOJAK,
     .events = EVENTS(EVENT_ALL_TO_ALL)},
    {.uniq_name = "mpi_nxn_completion",
     .name = "N x N completion",
     .parent = "mpi_collective",
     .part = true,
     .itself = "all ranks have entered the operation, which itself takes this time",
     .text = "A process is still in an operation of mpi_wait_nxn after all processes have entered it and the "
             "first one has left it. It waits for no late process: this is the end of the operation itself.",
     .source = SCOUT,
     .events = EVENTS(EVENT_MEETING),
     .take = take_nxn_completion},
    {.uniq_name = "mpi_latebroadcast",
     .name = "late broadcast",
     .parent = "mpi_collective",
     .part = true,
     .blamed = "the root",
     .text = "A process waits in MPI_Bcast, MPI_Scatter or MPI_Scatterv until the root enters.",
     .drawing = "root   ----------[ MPI_Bcast ]----\n"
                "other  ---[ MPI_Bcast        ]----\n"
                "          |<wait>|\n",
     .source = KOJAK,
     .events = EVENTS(EVENT_FROM_ROOT)},
    {.uniq_name = "mpi_earlyreduce",
     .name = "early reduce",
     .parent = "mpi_collective",
     .part = true,
     .blamed = "the last to enter",
     .text = "The root waits in MPI_Reduce, MPI_Gather or MPI_Gatherv until the last process that sends it "
             "data enters.",
     .drawing = "root   ---[ MPI_Reduce        ]---\n"
                "          |<-wait-->|\n"
                "other  -------------[Reduce]------\n",
     .source = SCOUT,
     .events = EVENTS(EVENT_TO_ROOT)},
    {.uniq_name = "mpi_earlyscan",
     .name = "early scan",
     .parent = "mpi_collective",
     .part = true,
     .blamed = "the last to enter",
     .text = "A process waits in MPI_Scan or MPI_Exscan until the last process with a lower rank enters.",
     .drawing = "rank 0  -------------[ MPI_Scan ]---\n"
                "rank 1  ---[ MPI_Scan           ]---\n"
                "           |<-wait-->|\n",
     .source = SCOUT,
     .events = EVENTS(EVENT_PREFIX)},
    {.uniq_name = "mpi_latemember",
     .name = "late member",
     .parent = "mpi_collective",
     .part = true,
     .blamed = "the late member",
     .text =
         "MPI libraries pass the data of MPI_Bcast, MPI_Reduce, MPI_Scan ... on from process to process. A "
         "process waits until one between it and the root enters, although the root has entered. The trace "
         "does not show who passes data to whom: this counts if the last process that enters meanwhile does "
         "so shortly before the end of the call, in the last quarter of the time that is left. A call that "
         "completes a non-blocking operation may wait in the same way, also in the root.",
     .drawing = "root   -[ MPI_Bcast ]-------------\n"
                "relay  --------------[ MPI_Bcast ]\n"
                "other  ---[ MPI_Bcast            ]\n"
                "          |<--wait-->|\n",
     .events = EVENTS(EVENT_MEMBER_LATE)},
    {.uniq_name = "mpi_wait_neighbours",
     .name = "wait for neighbours",
     .parent = "mpi_collective",
     .part = true,
     .blamed = "the last to enter",
     .text = "A process waits in a neighbourhood operation until its last neighbour enters. A trace does "
             "not always show who is a neighbour: all processes count except those that enter after this "
             "process has left.",
     .events = EVENTS(EVENT_NEIGHBOURS)},
    {.uniq_name = "mpi_wait_communicator",
     .name = "wait at making a communicator",
     .parent = "mpi",
     .part = true,
     .blamed = "the last to enter",
     .text = "A process waits in an operation that creates, changes or frees a communicator until the last "
             "process enters. Processes that enter after this process has left do not count.",
     .events = EVENTS(EVENT_COMMUNICATOR)},
    {.uniq_name = "mpi_io_wait",
     .name = "wait at collective I/O",
     .parent = "mpi_io_collective",
     .part = true,
     .blamed = "the last to enter",
     .text = "A process waits in a collective operation on a file until the last process enters. Processes "
             "that enter after this process has left do not count.",
     .events = EVENTS(EVENT_FILE)},
    {0},
};
