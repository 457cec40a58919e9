/* SPDX-License-Identifier: BSD-3-Clause */
/* Colours for values, darker for larger values, so they are readable in grey, too. */
#ifndef REFRAIN_HEAT_COLOUR_H
#define REFRAIN_HEAT_COLOUR_H

#include "src/core/base/bytes.h"

#include <stdbool.h>

/* "#fa0c3d", for a fraction from 0 to 1. */
void heat_colour_put(struct bytes *out, double fraction);
/* Should text on this colour be white? */
bool heat_colour_is_dark(double fraction);

#endif
