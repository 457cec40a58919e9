/* SPDX-License-Identifier: BSD-3-Clause */
/* When a call began and ended: nanoseconds of one rank's clock. */
#ifndef REFRAIN_TIMESTAMP_H
#define REFRAIN_TIMESTAMP_H

#include <stdint.h>

struct timestamp {
    uint64_t enter, leave; /* enter <= leave */
};

#endif
