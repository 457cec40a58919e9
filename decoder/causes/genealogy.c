/* SPDX-License-Identifier: BSD-3-Clause */
#include "genealogy.h"

#include <stdlib.h>
#include <string.h>

/* ---- profiles ------------------------------------------------------------------------------------ */

#define SUM_FROM         32  /* in entries */
#define SUM_BY_INSERTION 128 /* at most this many */
#define KEPT             64  /* an unused piece keeps memory for at most this many entries */

static int by_key(const void *a, const void *b)
{
    const struct profile_entry *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

static void add_to(struct profile_entry *to, const struct profile_entry *e)
{
    to->value += e->value;
    to->n += e->n;
    to->last = e->last > to->last ? e->last : to->last;
}

/* Moves an entry after the sorted ones to its place, or adds it to the entry with its key. */
static void insert(struct past_profile *p, struct profile_entry e)
{
    size_t at = p->summed;
    while (at > 0 && p->items[at - 1].key > e.key)
        at--;
    if (at > 0 && p->items[at - 1].key == e.key) {
        add_to(&p->items[at - 1], &e);
        return;
    }
    memmove(p->items + at + 1, p->items + at, (p->summed++ - at) * sizeof e);
    p->items[at] = e;
}

static void sum_up(struct past_profile *p)
{
    const size_t n = p->n;
    if (n > SUM_BY_INSERTION) {
        qsort(p->items, n, sizeof *p->items, by_key);
        p->summed = 0;
    }
    for (size_t i = p->summed; i < n; i++)
        insert(p, p->items[i]);
    p->n = p->summed;
}

static bool add(struct past_profile *p, struct profile_entry e)
{
    if (p->n > 0 && p->items[p->n - 1].key == e.key) {
        add_to(&p->items[p->n - 1], &e);
        return true;
    }
    if (p->n >= SUM_FROM && p->n >= 2 * p->summed)
        sum_up(p);
    return array_push(p, e);
}

/* Adds all entries of one profile to the other, always the smaller to the larger; `from` then has
 * the memory of the smaller one. Changes nothing on failure. */
static bool merge(struct past_profile *to, struct past_profile *from)
{
    if (from->n > to->n) {
        const struct past_profile larger = *from;
        *from = *to;
        *to = larger;
    }
    if (!array_reserve(to, from->n))
        return false;
    for (size_t i = 0; i < from->n; i++)
        (void)add(to, from->items[i]);
    return true;
}

/* ---- pieces -------------------------------------------------------------------------------------- */

void genealogy_free(struct genealogy *g)
{
    for (size_t i = 0; i < g->pieces.n; i++)
        array_free(&g->pieces.items[i].profile);
    array_free(&g->pieces);
    array_free(&g->unused);
    *g = (struct genealogy){0};
}

static void append(struct genealogy *g, uint32_t before, uint32_t piece)
{
    if (before == PIECE_NONE)
        return;
    struct piece *b = &g->pieces.items[before];
    b->refs++;
    b->n_behind++;
    b->xor_behind ^= piece;
}

/* A piece keeps a small profile memory for its next use. */
static void forget(struct genealogy *g, uint32_t piece)
{
    struct past_profile *profile = &g->pieces.items[piece].profile;
    if (profile->cap > KEPT)
        array_free(profile);
    profile->n = profile->summed = 0;
    g->pieces.items[piece] = (struct piece){.profile = *profile};
    g->unused.items[g->unused.n++] = piece;
    g->used--;
}

bool genealogy_begin(struct genealogy *g, uint32_t before, uint32_t *piece)
{
    if (g->unused.n == 0) {
        /* The list of unused pieces must have room for all pieces. */
        if (!array_push(&g->pieces, (struct piece){0}) || !array_reserve(&g->unused, g->pieces.n))
            return false;
        g->unused.items[g->unused.n++] = (uint32_t)(g->pieces.n - 1);
    }
    *piece = g->unused.items[--g->unused.n];
    struct piece *p = &g->pieces.items[*piece];
    *p = (struct piece){.serial = ++g->serials, .before = before, .refs = 1, .profile = p->profile};
    g->used++;
    g->most_used = g->used > g->most_used ? g->used : g->most_used;
    append(g, before, *piece);
    return true;
}

bool genealogy_add(struct genealogy *g, uint32_t piece, uint64_t key, uint64_t value, uint64_t now)
{
    return value == 0 || add(&g->pieces.items[piece].profile, (struct profile_entry){key, value, 1, now});
}

void genealogy_hold(struct genealogy *g, uint32_t piece)
{
    g->pieces.items[piece].refs++;
}

/* Only its single successor refers to the piece: the piece becomes part of the successor. */
static bool merge_into_successor(struct genealogy *g, uint32_t piece)
{
    struct piece *p = &g->pieces.items[piece];
    const uint32_t behind = p->xor_behind, before = p->before;
    struct piece *successor = &g->pieces.items[behind];
    if (!merge(&successor->profile, &p->profile))
        return false;
    successor->before = before;
    if (before != PIECE_NONE)
        g->pieces.items[before].xor_behind ^= piece ^ behind;
    forget(g, piece);
    return true;
}

bool genealogy_release(struct genealogy *g, uint32_t piece)
{
    uint32_t at = piece;
    while (at != PIECE_NONE) {
        struct piece *p = &g->pieces.items[at];
        const uint32_t before = p->before;
        if (--p->refs > 0)
            return p->refs > 1 || p->n_behind == 0 || merge_into_successor(g, at);
        forget(g, at);
        if (before != PIECE_NONE) {
            g->pieces.items[before].n_behind--;
            g->pieces.items[before].xor_behind ^= at;
        }
        at = before;
    }
    return true;
}

uint32_t genealogy_common(const struct genealogy *g, uint32_t a, uint32_t b)
{
    const struct piece *pieces = g->pieces.items;
    while (a != b && a != PIECE_NONE && b != PIECE_NONE) {
        if (pieces[a].serial > pieces[b].serial)
            a = pieces[a].before;
        else
            b = pieces[b].before;
    }
    return a == b ? a : PIECE_NONE;
}

bool genealogy_sum(const struct genealogy *g, uint32_t piece, struct past_profile *out)
{
    *out = (struct past_profile){0};
    for (uint32_t at = piece; at != PIECE_NONE; at = g->pieces.items[at].before) {
        const struct past_profile *p = &g->pieces.items[at].profile;
        for (size_t i = 0; i < p->n; i++) {
            if (!add(out, p->items[i])) {
                array_free(out);
                return false;
            }
        }
    }
    sum_up(out);
    return true;
}
