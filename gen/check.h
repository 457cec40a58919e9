/* SPDX-License-Identifier: BSD-3-Clause */
/* Invariants of a description, in either dialect. */
#ifndef GEN_CHECK_H
#define GEN_CHECK_H

#include "interface_model.h"

/* Reports the errors of each parameter. */
void check_model(const struct model *m);

#endif
