/* SPDX-License-Identifier: BSD-3-Clause */
/* When each lane is in which phase, as positions of part_times.h.
 *
 *     events              recv  send        sync          send
 *     calls         Init  Irecv Isend Wait  Bcast │ rank  Send
 *     phase         1─────────────────────────────│ 2─────────
 *
 * A phase that ends with a collective operation of all processes ends with that call; another one ends before
 * the first call of the next one, and before the computing in front of it. Calls without events belong to the
 * phase of the event before, or, after such a collective operation, to the next one.
 *
 * Place 0 is in no phase: a thread that has no events. Phase i is place i + 1. */
#ifndef REFRAIN_PHASE_PLACES_H
#define REFRAIN_PHASE_PLACES_H

#include "decoder/trace/definitions.h"
#include "decoder/waits/values/wait_places.h"
#include "run_phases.h"

/* Walks the calls of all lanes; also sets the phases' sites. The caller frees *places, also after an error.
 * */
enum refrain_status phase_places_fill(struct wait_places *places, struct run_phases *p, const struct model *m,
                                      const struct reader *r, const struct definitions *d);

#endif
