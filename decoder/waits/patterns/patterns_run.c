/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting at the beginning and the end of a run. */
#include "decoder/waits/search/wait_search.h"

const struct metric patterns_run[] = {
    {.uniq_name = "mpi_wait_init",
     .name = "wait at MPI_Init",
     .parent = "mpi_init",
     .part = true,
     .apart = true,
     .blamed = "the last one to come",
     .text = "A process is in MPI_Init before the last one has come: processes start one after the other. "
             "The page says it "
             "apart: all waiting is that of the run once it has started.",
     .events = EVENTS(EVENT_INIT)},
    {.uniq_name = "mpi_wait_finalize",
     .name = "wait at MPI_Finalize",
     .parent = "mpi_init_exit",
     .part = true,
     .blamed = "the last one to come",
     .text = "A process is in MPI_Finalize before the last one has come.",
     .drawing = "0  ---[ MPI_Finalize    ]\n"
                "      |<wait->|\n"
                "1  -----------[ Finalize]\n",
     .events = EVENTS(EVENT_FINALIZE)},
    {0},
};
