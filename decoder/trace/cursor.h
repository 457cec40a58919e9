/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the calls of one lane of one rank, in order, from any call on.
 *
 *     skeleton   a b c a b c …        which site comes next
 *     a: group   stream  0 0 1 0 …    which row of the site
 *        columns tag     0 1 2 3 …    what is put over the row's slots
 *
 * The position at a site is the number of its earlier calls, so seeking counts: the skeleton says how often
 * each site was passed; then stream, columns and the filler (if any) seek to that position. This reads all
 * their parts, which are many in an irregular lane, so a short way ahead is walked instead. Memory is the
 * rows of this rank, for any number of calls. */
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
    const int64_t *slots;      /* owned by the cursor, valid until its next step */
    uint32_t n_slots;
};

/* Seeking examines about this many elements of grammars and series in the time of one call. */
#define CURSOR_ELEMENTS_A_CALL 32

/* A rank's view of one entry of the shape; see cursor.c. */
struct cursor_site;

struct cursor {
    const struct reader *reader;
    struct lane_ref lane;
    uint64_t index; /* of the next call */
    uint64_t calls; /* of the whole lane */
    struct lane_walk skeleton;
    size_t n_sites;
    struct cursor_site *sites; /* in the order of the shape's entries */
    uint32_t *entry_of_site;   /* for each site that the skeleton can name */
    uint64_t *skipped;         /* scratch of seeking */
    uint64_t near;             /* number of calls that take as long to walk as one seek; 0: not known yet */
};

/* Logs errors; after an error, cursor_stop is not needed. */
enum refrain_status cursor_start(struct cursor *c, const struct reader *r, const struct lane_ref *lane);
/* Sets the next call to number `index` (<= the lane's calls). */
enum refrain_status cursor_seek(struct cursor *c, uint64_t index);
/* Estimates how many calls take as long to walk as one seek. */
uint64_t cursor_near(struct cursor *c);
/* Returns the next call. False at the end, and when memory is short (see *status). */
bool cursor_next(struct cursor *c, struct call *call, enum refrain_status *status);
uint64_t cursor_calls(const struct cursor *c); /* of the whole lane */
/* Finds a repetition from the next call on: the next *period calls, a multiple of `unit`, come *times times, with
 * the same sites, rows and slots each time. *times is 0 if nothing says so: only grammars and series are looked
 * at, and no calls are compared. */
enum refrain_status cursor_repetition(struct cursor *c, uint64_t unit, uint64_t *period, uint64_t *times);
void cursor_stop(struct cursor *c);
/* Calls `take` with each call of the lane, until one fails. */
enum refrain_status cursor_walk(const struct reader *r, const struct lane_ref *lane,
                                enum refrain_status (*take)(void *context, const struct reader *r,
                                                            const struct call *call),
                                void *context);

/* Finds the group of an entry that contains a rank of the shape, and the rank's position in the group. */
enum refrain_status entry_group(const struct entry *entry, uint32_t rank, const struct group **group,
                                uint64_t *ordinal);
/* Computes the n_slots slots of a group's row for one rank. */
void row_at(const struct row *row, uint64_t ordinal, uint32_t rank, int64_t *slots);

#endif
