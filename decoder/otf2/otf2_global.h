/* SPDX-License-Identifier: BSD-3-Clause */
/* The definitions of an OTF2 archive: what the numbers in its events mean. */
#ifndef REFRAIN_OTF2_GLOBAL_H
#define REFRAIN_OTF2_GLOBAL_H

#include "otf2_shared.h"

/* Writes the definitions, and for each location its own file of definitions. All events must have
 * been written. */
enum refrain_status otf2_global_write(const struct otf2_shared *x, const struct otf2_locations *locations);

#endif
