/* SPDX-License-Identifier: BSD-3-Clause */
/* What a page can show over the calls, found by others: the critical path, waiting, and the longest waits in
 * words.
 *
 *     rank 0   ══╗  [Recv////]══      ═ the path      / waiting in a call
 *     rank 1     ╚═══════════╝ */
#ifndef REFRAIN_TIMELINE_OVERLAY_H
#define REFRAIN_TIMELINE_OVERLAY_H

#include "decoder/util/json.h"
#include "timeline.h"

/* A part of a lane; ns, as in the timeline. */
struct timeline_stay {
    uint64_t from, to;
    uint32_t rank, thread;
};

struct timeline_wait {
    struct timeline_stay stay;
    size_t text; /* where its words begin in `texts`; they end with a zero byte */
};

struct timeline_overlay {
    ARRAY(struct timeline_stay) path;  /* in the order of time */
    ARRAY(struct timeline_stay) waits; /* in any order */
    ARRAY(struct timeline_wait) worst; /* the longest first; also among `waits` */
    struct bytes texts;
    bool path_is_cut; /* the path has too many stays to be known */
};

void timeline_overlay_free(struct timeline_overlay *x); /* also of a zeroed struct */
/* Writes "path", "waits" and "worst", as timeline_html.c says. Leaves out lanes that the timeline does not
 * have. */
void timeline_overlay_put(const struct timeline_overlay *x, const struct timeline *t, struct json *j);

#endif
