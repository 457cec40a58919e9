/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting at the beginning and the end of a run. */
#include "decoder/waits/search/wait_search.h"

const struct metric patterns_run[] = {
    {.uniq_name = "mpi_wait_init",
     .name = "wait at MPI_Init",
     .parent = "mpi_init",
     .part = true,
     .apart = true,
     .blamed = "the last to enter",
     .text = "A process waits in MPI_Init until the last process enters it: processes start one after "
             "another. The page shows this apart: all waiting means waiting after the run has started.",
     .events = EVENTS(EVENT_INIT)},
    {.uniq_name = "mpi_wait_finalize",
     .name = "wait at MPI_Finalize",
     .parent = "mpi_init_exit",
     .part = true,
     .blamed = "the last to enter",
     .text = "A process waits in MPI_Finalize until the last process enters it.",
     .drawing = "0  ---[ MPI_Finalize    ]\n"
                "      |<wait->|\n"
                "1  -----------[ Finalize]\n",
     .events = EVENTS(EVENT_FINALIZE)},
    {0},
};
