/* SPDX-License-Identifier: BSD-3-Clause */
/* Times as they are given on the command line: "1.5" seconds. */
#ifndef REFRAIN_SECONDS_H
#define REFRAIN_SECONDS_H

#include "options.h"

#include <stdint.h>

/* Nanoseconds of --from and --to, 0 and UINT64_MAX where they are not given. What is not a number of seconds, or
 * the wrong way round, is logged. */
enum refrain_status seconds_between(const struct options *o, uint64_t *from, uint64_t *to);

#endif
