/* SPDX-License-Identifier: BSD-3-Clause */
/* A tee passes a causal stream to several sinks, to each event by event in the order in which they were
 * added. */
#ifndef REFRAIN_CAUSAL_TEE_H
#define REFRAIN_CAUSAL_TEE_H

#include "causal_stream.h"

#define CAUSAL_TEE_MOST 3

struct causal_tee {
    struct causal_sink sinks[CAUSAL_TEE_MOST];
    size_t n;
};

void causal_tee_add(struct causal_tee *t, const struct causal_sink *sink);
/* The tee must not move in memory. */
struct causal_sink causal_tee_sink(struct causal_tee *t);

#endif
