/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the events of all threads of a rank. */
#ifndef REFRAIN_OTF2_RANK_H
#define REFRAIN_OTF2_RANK_H

#include "otf2_shared.h"

/* Appends the location of each thread to *out. Different ranks may be written in parallel. */
enum refrain_status otf2_rank_write(const struct otf2_shared *x, uint32_t rank, struct otf2_locations *out);

#endif
