/* SPDX-License-Identifier: BSD-3-Clause */
/* Are constructs found where the model's expansion has them, and events where the lane's calls have them? */
#ifndef REFRAIN_TEST_SCAN_CHECKS_H
#define REFRAIN_TEST_SCAN_CHECKS_H

#include "decoder/event/call_event.h"
#include "decoder/scan/occurrences.h"

/* Each point of each construct of a system, found alone and among those of its body, against all events that
 * it has of a process. REFRAIN_ERR_CHECK, logged, if not. *polynomials, if not NULL, goes up by those that
 * have a polynomial, *others by the others. */
enum refrain_status occurrences_check(const struct system *top, uint32_t process, size_t *polynomials,
                                      size_t *others);
/* Each event of a lane, sought from others before and behind it, against the calls one by one. */
enum refrain_status event_lane_check(const struct reader *r, const struct definitions *d,
                                     const struct lane_ref *lane, enum call_event_mode mode);

#endif
