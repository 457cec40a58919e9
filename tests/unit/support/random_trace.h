/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces made at random, for the codec: sound by trace_check, and otherwise without sense or measure. */
#ifndef REFRAIN_TEST_RANDOM_TRACE_H
#define REFRAIN_TEST_RANDOM_TRACE_H

#include "src/core/trace/trace.h"

/* The same seed gives the same trace. `settled`: each rank function has one form, as after merge_finish. */
void random_trace(uint32_t seed, bool settled, struct trace *out);

/* Same trace, field by field? `folded`: b was read from a final file, so that sequences are compared instead
 * of rules, and only sums of times. Logs the first difference. */
bool random_trace_equal(const struct trace *a, const struct trace *b, bool folded);

#endif
