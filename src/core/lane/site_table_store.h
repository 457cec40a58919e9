/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts a site's table to a group of a trace of one rank. */
#ifndef REFRAIN_SITE_TABLE_STORE_H
#define REFRAIN_SITE_TABLE_STORE_H

#include "site_table.h"
#include "src/core/trace/trace.h"

/* Store the table as group *g. Rows keep their numbers, except that the filler comes first. If the stream
 * is an order, the first occurrences are chance, so the other rows are sorted by content. The open run is
 * closed; `varies` is explained in site_stream.h. *g must be empty; the caller frees it, also after an
 * error. */
enum refrain_status site_table_store(struct site_table *t, bool varies, uint32_t rank, struct trace *trace,
                                     struct group *g);

#endif
