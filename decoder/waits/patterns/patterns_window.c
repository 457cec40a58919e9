/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting in one-sided communication. */
#include "decoder/waits/search/wait_search.h"

#define KOJAK "KOJAK (EXPERT)"

/* Counts the part of an early wait in which the last origin had no further accesses to the
 * window. */
static enum refrain_status take_late_complete(struct wait_search *s, uint32_t self,
                                              const struct wait_event *e)
{
    struct wait_event late = *e;
    if (e->last_access == 0)
        return REFRAIN_OK;
    late.begin = e->last_access > e->begin ? e->last_access : e->begin;
    return wait_search_wait(s, self, &late);
}

/* Counts the part of waiting at a fence in which others still accessed the window of the
 * process. */
static enum refrain_status take_early_fence(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    struct wait_event early = *e;
    early.until = e->last_access < e->until ? e->last_access : e->until;
    return e->last_access == 0 ? REFRAIN_OK : wait_search_wait(s, self, &early);
}

/* Counts an event if its kind of waiting is the metric's. */
static enum refrain_status take_which(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return e->which == s->metrics->items[self]->which ? wait_search_wait(s, self, e) : REFRAIN_OK;
}

const struct metric patterns_window[] = {
    {.uniq_name = "mpi_rma_wait_window_create",
     .name = "wait at making a window",
     .parent = "mpi_rma_sync_active",
     .part = true,
     .blamed = "the last to enter",
     .text = "A process waits in the creation of a window until the last process enters. Processes that "
             "enter after this process has left do not count.",
     .source = KOJAK,
     .events = EVENTS(EVENT_WINDOW_CREATE)},
    {.uniq_name = "mpi_rma_wait_window_free",
     .name = "wait at freeing a window",
     .parent = "mpi_rma_sync_active",
     .part = true,
     .blamed = "the last to enter",
     .text = "A process waits in MPI_Win_free until the last process enters. Processes that enter after "
             "this process has left do not count.",
     .source = KOJAK,
     .events = EVENTS(EVENT_WINDOW_FREE)},
    {.uniq_name = "mpi_rma_wait_at_fence",
     .name = "wait at fence",
     .parent = "mpi_rma_sync_active",
     .part = true,
     .blamed = "the last to enter",
     .text = "A process waits in MPI_Win_fence until the last process enters. Processes that enter after "
             "this process has left do not count.",
     .drawing = "0  ---[ MPI_Win_fence   ]---\n"
                "      |<wait->|\n"
                "1  -----------[ fence   ]---\n",
     .source = KOJAK,
     .events = EVENTS(EVENT_FENCE),
     .publishes = EVENT_FENCE_WAIT},
    {.uniq_name = "mpi_rma_early_fence",
     .name = "early fence",
     .parent = "mpi_rma_wait_at_fence",
     .part = true,
     .blamed = "the last to enter",
     .text = "The part of waiting at a fence in which other processes still access the window of the "
             "process.",
     .drawing = "origin  -----------[ Put ]----[ MPI_Win_fence ]---\n"
                "target  ---[ MPI_Win_fence                    ]---\n"
                "           |<---wait---->|\n",
     .source = "Scalasca (scout)",
     .events = EVENTS(EVENT_FENCE_WAIT),
     .take = take_early_fence},
    {.uniq_name = "mpi_rma_late_post",
     .name = "late post",
     .parent = "mpi_rma_sync_active",
     .part = true,
     .blamed = "the target",
     .text = "An origin waits in MPI_Win_start or MPI_Win_complete until the last target calls "
             "MPI_Win_post. The library decides which of the two calls waits.",
     .drawing = "origin  ---[ MPI_Win_start    ]--[ Put ]---\n"
                "           |<wait->|\n"
                "target  -----------[ Win_post ]------------\n",
     .source = KOJAK,
     .events = EVENTS(EVENT_POST),
     .take = take_which,
     .which = POST_EPOCH},
    {.uniq_name = "mpi_rma_early_wait",
     .name = "early wait",
     .parent = "mpi_rma_sync_active",
     .part = true,
     .blamed = "the origin",
     .text = "A target waits in MPI_Win_wait, or polls with MPI_Win_test, until the last origin calls "
             "MPI_Win_complete.",
     .drawing = "origin  --[ Put ]------------[ Win_complete ]---\n"
                "target  -------[ MPI_Win_wait               ]---\n"
                "               |<---wait---->|\n",
     .source = KOJAK,
     .events = EVENTS(EVENT_COMPLETE),
     .publishes = EVENT_EARLY_WAIT},
    {.uniq_name = "mpi_rma_late_complete",
     .name = "late complete",
     .parent = "mpi_rma_early_wait",
     .part = true,
     .blamed = "the origin",
     .text = "The part of an early wait in which the last origin has made its last access, but has not "
             "called MPI_Win_complete.",
     .drawing = "origin  --[ Put ]------------[ Win_complete ]---\n"
                "target  ----[ MPI_Win_wait                  ]---\n"
                "                |<--wait---->|\n",
     .source = KOJAK,
     .events = EVENTS(EVENT_EARLY_WAIT),
     .take = take_late_complete},
    {.uniq_name = "mpi_rma_early_transfer",
     .name = "early transfer",
     .parent = "mpi_rma_communication",
     .part = true,
     .blamed = "the target",
     .text = "An origin waits in an access to a window, such as MPI_Put, until its target calls "
             "MPI_Win_post.",
     .drawing = "origin  --[ start ]--[ MPI_Put          ]---\n"
                "                     |<-wait->|\n"
                "target  ----------------------[ Win_post ]--\n",
     .source = "Scalasca (scout)",
     .events = EVENTS(EVENT_POST),
     .take = take_which,
     .which = POST_ACCESS},
    {.uniq_name = "mpi_rma_lock_competition",
     .name = "lock competition",
     .parent = "mpi_rma_sync_passive",
     .part = true,
     .blamed = "the process that held the lock",
     .text = "An origin waits for the lock of a window until another one gives it back in "
             "MPI_Win_unlock. The library decides whether MPI_Win_lock, an access or MPI_Win_unlock waits.",
     .drawing = "origin  --[ MPI_Win_lock          ]--[ Put ]--\n"
                "          |<------wait------>|\n"
                "origin  --[ Put ]--[ Win_unlock ]-------------\n",
     .source = KOJAK,
     .events = EVENTS(EVENT_LOCK)},
    {0},
};
