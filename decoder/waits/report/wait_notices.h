/* SPDX-License-Identifier: BSD-3-Clause */
/* What a page of waiting says besides, where its numbers would mislead (struct notices). */
#ifndef REFRAIN_WAIT_NOTICES_H
#define REFRAIN_WAIT_NOTICES_H

#include "decoder/causes/notices.h"
#include "waits_text.h"

/* *n is zeroed before; if memory is short, some of its texts have failed. Those about waiting need v->delays, which are
 * of the whole run. Walks the calls of lanes that seem to compute much before polls. */
enum refrain_status wait_notices_find(struct notices *n, const struct waits *w, const struct waits_view *v);

#endif
