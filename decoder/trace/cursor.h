/* SPDX-License-Identifier: BSD-3-Clause */
/* Walking the calls of one lane of one rank, in order, from any call on.
 *
 *     skeleton   a b c a b c …        which site comes next
 *     a: group   stream  0 0 1 0 …    which row of the site
 *        columns tag     0 1 2 3 …    what is put over the row's slots
 *
 * A position at a site is how many calls the site had before, so that seeking is a matter of counting: the
 * skeleton says how often each site was passed, and stream and columns go there, and the filler, where there
 * is one. That is to look at all that they are made of, which for an irregular lane is much: a short way
 * ahead is walked. Memory is the rows of this rank, whatever the number of calls. */
#ifndef REFRAIN_CURSOR_H
#define REFRAIN_CURSOR_H

#include "reader.h"
#include "src/core/trace/lane_walk.h"

struct call {
    uint64_t index; /* in its lane, from 0 */
    uint32_t rank;
    uint32_t thread; /* number of the lane */
    uint32_t site, function;
    uint32_t entry, row;       /* number in the shape's entries, and in the rows of … */
    const struct group *group; /* … the rank's group */
    const int64_t *slots;      /* the cursor's, until its next step */
    uint32_t n_slots;
};

/* A rank's view of one entry of the shape; see cursor.c. */
struct cursor_site;

struct cursor {
    const struct reader *reader;
    struct lane_ref lane;
    uint64_t index; /* of the next call */
    uint64_t calls; /* of the whole lane */
    struct lane_walk skeleton;
    size_t n_sites;
    struct cursor_site *sites; /* as the shape's entries */
    uint32_t *entry_of_site;   /* of each site that the skeleton can name */
    uint64_t *skipped;         /* scratch of seeking */
    uint64_t near;             /* calls that are as soon walked as seeking takes; 0: not known yet */
};

/* Logs what goes wrong; the cursor needs no stop then. */
enum refrain_status cursor_start(struct cursor *c, const struct reader *r, const struct lane_ref *lane);
/* So that the next call is number `index` (<= the lane's calls). */
enum refrain_status cursor_seek(struct cursor *c, uint64_t index);
/* The next call; false at the end, and when memory is short (then *status says so). */
bool cursor_next(struct cursor *c, struct call *call, enum refrain_status *status);
uint64_t cursor_calls(const struct cursor *c); /* of the whole lane */
void cursor_stop(struct cursor *c);
/* Calls `take` with each call of the lane, until one fails. */
enum refrain_status cursor_walk(const struct reader *r, const struct lane_ref *lane,
                                enum refrain_status (*take)(void *context, const struct reader *r,
                                                            const struct call *call),
                                void *context);

/* The group of an entry that a rank of the shape is in, and its place there. */
enum refrain_status entry_group(const struct entry *entry, uint32_t rank, const struct group **group,
                                uint64_t *ordinal);
/* The slots of a row of a group at a rank, n_slots of them. */
void row_at(const struct row *row, uint64_t ordinal, uint32_t rank, int64_t *slots);

#endif
