/* SPDX-License-Identifier: BSD-3-Clause */
/* A sound file of a few bytes may stand for 2^60 calls: what is done with each call is done where there are few. */
#ifndef REFRAIN_TEST_SIZE_H
#define REFRAIN_TEST_SIZE_H

#include "src/core/trace/trace.h"

/* Are there few ranks, and in their lanes of this kind few calls together? */
bool size_is_small(const struct trace *t, enum lane_kind kind);

#endif
