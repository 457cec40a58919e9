/* SPDX-License-Identifier: BSD-3-Clause */
/* From a lane of a trace to its loop model (nlr.h), without expanding it.
 *
 * The skeleton is rules with powers, over sites. A power is walked a few times, not all: where the sites in
 * it all repeat themselves (lift_site.h), with periods that fit each other and the power, the first two units
 * are lifted, each to a model; if nothing differs between them but numbers, these two are iterations 0 and 1
 * of a loop, all but the last iteration are passed, and the last is lifted once more, to see that it is
 * right.
 *
 *     skeleton  (a b)^1000      stream of a  (0 1)^500     column of b  0 1 2 … 999
 *     unit      a b a b         500 of them                loop 500 { a0  b 2i  a1  b 2i + 1 }
 *
 * Repetitions lie in the grammars and series themselves: that they affect the numbers of events in no other
 * way than by an equal step each time is what their own templates say.
 *
 * Rules whose sites are all fixed have one model each, made once. Everything goes into a model that reduces
 * what it is given (nlr.h). So time depends on the sizes of grammars, series and models, not on the number of
 * calls, but for these, which are walked call by call (or, of powers, time by time):
 *
 *     - rows and columns in no order, as far as that goes;
 *     - sites in loops of the shape (trace.h), if they have events that depend on which call it is;
 *     - powers as long as their units' models do not fit each other, down to smaller powers inside;
 *     - what lies more than LIFT_DEPTH_MAX rules and powers, or NLR_DEPTH_MAX loops deep. */
#ifndef REFRAIN_LIFT_H
#define REFRAIN_LIFT_H

#include "decoder/event/call_event.h"
#include "nlr.h"

#define LIFT_DEPTH_MAX 512

/* The model of a lane, finished, into *out, which is the caller's to free. `window`: as for nlr_create. */
enum refrain_status lift_lane(struct call_event_source *source, const struct lane_ref *lane, size_t window,
                              struct nlr **out);

#endif
