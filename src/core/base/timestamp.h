/* SPDX-License-Identifier: BSD-3-Clause */
/* The begin and end of a call, in nanoseconds of one rank's clock. */
#ifndef REFRAIN_TIMESTAMP_H
#define REFRAIN_TIMESTAMP_H

#include <stdint.h>

struct timestamp {
    uint64_t enter, leave; /* enter <= leave */
};

#endif
