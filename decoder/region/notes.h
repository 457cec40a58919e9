/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program has noted of its run (refrain_note): pairs of a key and a value, each once, with who said so. */
#ifndef REFRAIN_NOTES_H
#define REFRAIN_NOTES_H

#include "decoder/trace/reader.h"
#include "decoder/util/text_table.h"

#define NOTES_MOST 1000 /* are kept */

struct note {
    uint32_t key, value; /* in the texts */
    uint32_t first;      /* the first rank that noted it, */
    uint32_t last;       /* and the last, */
    uint32_t ranks;      /* of so many */
};

struct notes {
    struct text_table texts;  /* keys and values */
    ARRAY(struct note) items; /* in the order of ranks and sites */
    struct map by_pair;       /* key and value -> item */
    bool more;                /* there are others */
};

enum refrain_status notes_read(struct notes *n, const struct reader *r);
void notes_free(struct notes *n); /* also of a zeroed struct */

#endif
