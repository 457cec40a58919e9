/* SPDX-License-Identifier: BSD-3-Clause */
/* Pasts that have a past in common: a tree of pieces, from the newest ones back to the first.
 *
 *                        ┌─ piece 4 <─ lane 0              each piece is a profile: key -> seconds
 *     piece 1 <─ piece 2 ┤
 *       all of it        ├─ piece 3 <─ a moment of lane 1 that others may still depend on
 *       is common        └─ piece 5 <─ lane 1
 *
 * A piece to which nobody goes back any more is forgotten; one with a single successor, and nobody else, becomes part of
 * that. So there are at most twice as many pieces as there are holders, however long the past is. */
#ifndef REFRAIN_GENEALOGY_H
#define REFRAIN_GENEALOGY_H

#include "src/core/base/array.h"

#include <stdint.h>

#define PIECE_NONE UINT32_MAX

struct profile_entry {
    uint64_t key, value;
};

/* Entries are summed up by key when they have become twice as many. */
struct past_profile {
    struct profile_entry *items;
    size_t n, cap;
    size_t summed; /* so many are, by key, in the beginning */
};

struct piece {
    uint64_t serial;     /* larger than that of the piece before */
    uint64_t until;      /* when it ended, with others behind it: the caller's to set and read */
    uint32_t before;     /* PIECE_NONE */
    uint32_t refs;       /* holders, and pieces behind it; 0: unused */
    uint32_t n_behind;   /* those pieces, … */
    uint32_t xor_behind; /* … and all their numbers in one: that of the only one, if there is one */
    struct past_profile profile;
};

struct genealogy {
    ARRAY(struct piece) pieces;
    ARRAY(uint32_t) unused;
    size_t used, most_used;
    uint64_t serials;
};

void genealogy_free(struct genealogy *g); /* also of a zeroed struct */
/* A new piece behind another (PIECE_NONE: behind none), held by the caller. False when memory is short. */
bool genealogy_begin(struct genealogy *g, uint32_t before, uint32_t *piece);
/* Add to a piece without any behind it. False when memory is short. */
bool genealogy_add(struct genealogy *g, uint32_t piece, uint64_t key, uint64_t value);
void genealogy_hold(struct genealogy *g, uint32_t piece);
/* False when memory is short: then the piece is released, but not made a part of its successor. */
bool genealogy_release(struct genealogy *g, uint32_t piece);
/* The newest piece that is in both pasts; PIECE_NONE. What is in front of it, and in itself, is common to both. */
uint32_t genealogy_common(const struct genealogy *g, uint32_t a, uint32_t b);
/* All of a past, the piece and those before it, summed up, in the order of the keys; to be freed with array_free. */
bool genealogy_sum(const struct genealogy *g, uint32_t piece, struct past_profile *out);

#endif
