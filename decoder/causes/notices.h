/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the numbers of a page mislead a reader who does not know how they were made: one line for each. Those from
 * NOTICE_THREADS on are about the reasons of waiting, and stand next to them. */
#ifndef REFRAIN_NOTICES_H
#define REFRAIN_NOTICES_H

#include "decoder/trace/symbols.h"
#include "decoder/util/json.h"
#include "decoder/waits/search/wait_search.h"
#include "preceding.h"

enum notice_about {
    NOTICE_RECORDING,  /* it was off for a part of the run, or functions were left out */
    NOTICE_UNRETURNED, /* calls that did not return */
    NOTICE_UNMATCHED,  /* messages that are never received, and the like */
    NOTICE_ABSENT,     /* lanes without a thread (struct efficiency) */
    NOTICE_PROCESSOR,  /* ranks had no processor for a part of the run */
    NOTICE_POLLS,      /* long gaps between polls that found nothing count as computing */
    NOTICE_TRANSFERS,  /* calls take longer without waiting than all waiting is */
    NOTICE_WRAPPERS,   /* calls are in wrappers, whose callers are not known */
    NOTICE_THREADS,    /* what threads of a rank wait for each other outside of MPI */
    NOTICES
};

struct notices {
    struct notice {
        uint64_t time;     /* ns that it is about, of all lanes; 0: not known */
        struct bytes says; /* nothing: there is no need to say it */
    } items[NOTICES];
};

/* Adds the notices about recording, calls that did not return, operations without a match, lanes without a thread, and
 * threads. `p`: of all lanes; NULL: not known. If memory is short, the texts have failed. */
void notices_find(struct notices *n, const struct wait_search *s, const struct preceding *p,
                  const struct symbols *symbols);
static inline void notices_free(struct notices *n) /* also of a zeroed struct */
{
    for (size_t i = 0; i < NOTICES; i++)
        bytes_free(&n->items[i].says);
}
/* Lines: those of the run, and those about reasons. */
void notices_put(const struct notices *n, bool reasons, struct bytes *out);
/* A member of the open object: "notices". */
void notices_put_json(const struct notices *n, struct json *j);

#endif
