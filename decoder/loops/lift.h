/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the loop model (nlr.h) of a lane of a trace, without expanding the lane.
 *
 * The skeleton consists of rules with powers, over sites. Only a few iterations of a power are walked. If all
 * sites in the power repeat (lift_site.h), with periods that fit each other and the power, then the first two
 * units are lifted, each to a model. If these two models differ only in numbers, they are iterations 0 and 1
 * of a loop. All iterations except the last are then passed over, and the last is lifted too, to check the
 * loop.
 *
 *     skeleton  (a b)^1000      stream of a  (0 1)^500     column of b  0 1 2 … 999
 *     unit      a b a b         500 of them                loop 500 { a0  b 2i  a1  b 2i + 1 }
 *
 * Repetitions are read from the grammars and series. Their templates guarantee that a repetition changes the
 * numbers of events only by an equal step each time.
 *
 * A rule whose sites are all fixed has one model, made once unless it is large. Everything is appended to a
 * model that reduces its input (nlr.h). So time depends on the sizes of grammars, series and models, not on
 * the number of calls.
 * The exceptions are walked call by call (powers: iteration by iteration):
 *
 *     - the parts of rows and columns that are irregular;
 *     - sites in loops of the shape (trace.h), if their events depend on the number of the call;
 *     - powers of few units, and powers while the models of their units do not fit (smaller powers inside may
 *       still be lifted);
 *     - parts nested deeper than LIFT_DEPTH_MAX rules and powers, or NLR_DEPTH_MAX loops. */
#ifndef REFRAIN_LIFT_H
#define REFRAIN_LIFT_H

#include "decoder/event/call_event.h"
#include "nlr.h"

#define LIFT_DEPTH_MAX 512

/* Makes the finished model of a lane. The caller frees *out. `window` is as for nlr_create. Fails with
 * REFRAIN_ERR_USAGE if the model gets more than `most` events and loops in a row (0: no limit). */
enum refrain_status lift_lane(struct call_event_source *source, const struct lane_ref *lane, size_t window,
                              size_t most, struct nlr **out);

#endif
