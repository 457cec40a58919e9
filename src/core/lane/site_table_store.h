/* SPDX-License-Identifier: BSD-3-Clause */
/* A site's table as a group of a trace that speaks of one rank. */
#ifndef REFRAIN_SITE_TABLE_STORE_H
#define REFRAIN_SITE_TABLE_STORE_H

#include "site_table.h"
#include "src/core/trace/trace.h"

/* Rows keep their numbers, but that the filler comes first; and where the rows have an order, so that who
 * comes first is chance, the others are sorted by what they hold. The open run is closed; `varies` as in
 * site_stream.h. *g, empty before, is the caller's to free,
 * also after an error. */
enum refrain_status site_table_store(struct site_table *t, bool varies, uint32_t rank, struct trace *trace,
                                     struct group *g);

#endif
