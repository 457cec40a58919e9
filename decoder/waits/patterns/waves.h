/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds waves that run through the grid of the processes from a corner (wave_step.h), and the waiting for the first
 * message of each wave from each side. */
#ifndef REFRAIN_WAVES_H
#define REFRAIN_WAVES_H

#include "wave_step.h"

/* Takes an event of the wait search: a message, a send, a late sender, a meeting of processes, the end of a lane.
 * Charges the waiting to metric `self`, with the number of the wave (METRIC_WAVE). */
enum refrain_status waves_take(struct wait_search *s, uint32_t self, const struct wait_event *e);

#endif
