/* SPDX-License-Identifier: BSD-3-Clause */
/* The function table of all procedures of MPI's standard, whatever the MPI library at hand has; gen makes it
 * (tests/unit/local.mk). */
#ifndef REFRAIN_TEST_STANDARD_H
#define REFRAIN_TEST_STANDARD_H

#include "decoder/call/role.h"

extern const struct functable gen_functable;

/* The number of a procedure; the test fails if there is none of that name. */
uint32_t standard_function(const char *name);
/* The roles of all; made once. */
const struct roles *standard_roles(void);
const struct role *standard_role(const char *name);

#endif
