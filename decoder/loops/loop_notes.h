/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes on the events of loop models, from the calls of all ranks of a group: source locations, bytes, times. */
#ifndef REFRAIN_LOOP_NOTES_H
#define REFRAIN_LOOP_NOTES_H

#include "event_notes.h"
#include "loop_groups.h"

struct loop_notes {
    unsigned what; /* ANNOTATE_… */
    const struct reader *reader;
    const struct symbols *symbols;
    struct event_note **of_group; /* by group: by node of its model */
    size_t n_groups;
    uint64_t run; /* ns, as in event_noting */
};

/* `mode`: what the events of the groups are. ANNOTATE_SIZES and ANNOTATE_TIMES walk all calls of the groups'
 * ranks, ANNOTATE_SITES those of the first rank of each group. The frames of `s` must have been looked up.
 * The reader and the symbols must outlive the notes. The caller frees *n, also after an error. */
enum refrain_status loop_notes_create(struct loop_notes *n, const struct loop_groups *g,
                                      const struct reader *r, const struct definitions *d,
                                      const struct symbols *s, enum call_event_mode mode, unsigned what);
void loop_notes_free(struct loop_notes *n); /* also of a zeroed struct */
/* "exchange (halo.c:31), 80 bytes, 1.2 us, 3.1 %, then MPI_Waitall 12 %"; nothing if nothing is known. */
void loop_notes_put(const struct loop_notes *n, size_t group, size_t node, struct bytes *out);

#endif
