/* SPDX-License-Identifier: BSD-3-Clause */
/* What must hold for a description, whichever dialect it came in. */
#ifndef GEN_CHECK_H
#define GEN_CHECK_H

#include "interface_model.h"

/* 0, or -1 with the first thing that is wrong said. */
int check_model(const struct model *m);

#endif
