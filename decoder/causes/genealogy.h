/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths with a common past: a tree of pieces, from the newest ones back to the first.
 *
 *                        ┌─ piece 4 <─ lane 0              each piece is a profile: key -> seconds
 *     piece 1 <─ piece 2 ┤
 *       all of it        ├─ piece 3 <─ a moment of lane 1 that others may still depend on
 *       is common        └─ piece 5 <─ lane 1
 *
 * A piece without holders and successors is removed. A piece with a single successor and no holder is merged
 * into that successor. So there are at most twice as many pieces as holders, for any length of the past. */
#ifndef REFRAIN_GENEALOGY_H
#define REFRAIN_GENEALOGY_H

#include "src/core/base/array.h"

#include <stdint.h>

#define PIECE_NONE UINT32_MAX

struct profile_entry {
    uint64_t key, value;
    uint64_t n;    /* how many values were added up */
    uint64_t last; /* when the last of them was spent */
};

/* Entries with the same key are summed up whenever the number of entries has doubled. */
struct past_profile {
    struct profile_entry *items;
    size_t n, cap;
    size_t summed; /* the first `summed` entries are summed up and sorted by key */
};

struct piece {
    uint64_t serial;     /* larger than that of the piece before */
    uint64_t until;      /* end of a piece that has successors; set and read by the caller */
    uint32_t before;     /* PIECE_NONE */
    uint32_t refs;       /* holders, and pieces after it; 0: unused */
    uint32_t n_behind;   /* number of pieces after it (successors) */
    uint32_t xor_behind; /* xor of the successors' numbers: with a single successor, its number */
    struct past_profile profile;
};

struct genealogy {
    ARRAY(struct piece) pieces;
    ARRAY(uint32_t) unused;
    size_t used, most_used;
    uint64_t serials;
};

void genealogy_free(struct genealogy *g); /* also of a zeroed struct */
/* Starts a piece after `before` (PIECE_NONE: after none); the caller holds it. Returns false when memory is
 * short. */
bool genealogy_begin(struct genealogy *g, uint32_t before, uint32_t *piece);
/* Adds a value, spent until `now`, to a piece without successors. Returns false when memory is short. */
bool genealogy_add(struct genealogy *g, uint32_t piece, uint64_t key, uint64_t value, uint64_t now);
void genealogy_hold(struct genealogy *g, uint32_t piece);
/* Returns false when memory is short: then the piece is released, but not merged into its successor. */
bool genealogy_release(struct genealogy *g, uint32_t piece);
/* Returns the newest piece that is in both pasts, or PIECE_NONE. That piece and all pieces before it are
 * common. */
uint32_t genealogy_common(const struct genealogy *g, uint32_t a, uint32_t b);
/* Sums up the piece and all pieces before it, sorted by key; the caller frees *out with array_free. */
bool genealogy_sum(const struct genealogy *g, uint32_t piece, struct past_profile *out);

#endif
