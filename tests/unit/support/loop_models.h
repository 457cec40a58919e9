/* SPDX-License-Identifier: BSD-3-Clause */
/* Is the model of a lane (lift.h) what the lane's calls are, one by one? */
#ifndef REFRAIN_TEST_LOOP_MODELS_H
#define REFRAIN_TEST_LOOP_MODELS_H

#include "decoder/event/call_event.h"

/* REFRAIN_ERR_CHECK, logged, if not. *nodes, if not NULL, becomes the size of the model. */
enum refrain_status loop_model_check(const struct reader *r, const struct definitions *d,
                                     const struct lane_ref *lane, enum call_event_mode mode, size_t *nodes);

#endif
