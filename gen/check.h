/* SPDX-License-Identifier: BSD-3-Clause */
/* What must hold for a description, whichever dialect it came in. */
#ifndef GEN_CHECK_H
#define GEN_CHECK_H

#include "interface_model.h"

/* Says what is wrong with each parameter. */
void check_model(const struct model *m);

#endif
