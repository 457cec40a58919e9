/* SPDX-License-Identifier: BSD-3-Clause */
#include "logical_impl.h"

#include "src/core/base/mix.h"
#include "src/core/base/order.h"

#include <stdlib.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

static const uint32_t *find_process(const struct step *s, uint32_t process)
{
    const uint32_t guess = process - s->processes[0];
    if (guess < s->n_processes && s->processes[guess] == process)
        return &s->processes[guess];
    return bsearch(&process, s->processes, s->n_processes, sizeof process, order_u32);
}

bool step_has(const struct step *s, uint32_t process)
{
    return find_process(s, process) != NULL;
}

size_t step_place(const struct step *s, uint32_t process)
{
    return (size_t)(find_process(s, process) - s->processes);
}

uint64_t number_value(const struct number *n, size_t place, uint32_t depth, const uint64_t *indices)
{
    uint64_t value = n->values[place * n->cells + (n->cells > 1 ? indices[n->level] : 0)];
    for (uint32_t d = 0; d < depth; d++)
        value += n->coefs[d] * indices[d];
    return value;
}

uint32_t step_partner(const struct logical *l, const struct step *s, uint32_t process,
                      const uint64_t *indices)
{
    const enum direction_law law = direction_law(&s->partner, s->n_processes);
    uint64_t value = s->partner.values[law];
    for (uint32_t d = 0; d < s->depth; d++)
        value += s->partner_coefs[d] * indices[d];
    return compass_follow(l->compass, law, value, logical_rank(l, process));
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool depends(const uint64_t *coefs, uint32_t n)
{
    for (uint32_t d = 0; d < n; d++) {
        if (coefs[d] != 0)
            return true;
    }
    return false;
}

static uint64_t hash_words(uint64_t hash, const uint64_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = mix(hash, words[i]);
    return hash;
}

/* How a step is hashed. */
struct hashing {
    uint32_t base;
    bool values;
    bool failed; /* the step depends on indices of loops outside of the base */
};

static uint64_t hash_number(struct hashing *h, uint64_t hash, const struct step *s, const struct number *n)
{
    h->failed = h->failed || depends(n->coefs, h->base) || (n->cells > 1 && n->level < h->base);
    hash = hash_words(mix(hash, n->cells), n->coefs + h->base, s->depth - h->base);
    if (n->cells > 1)
        hash = mix(hash, n->level - h->base);
    return h->values ? hash_words(hash, n->values, (size_t)s->n_processes * n->cells) : hash;
}

static uint64_t hash_step(struct hashing *h, const struct step *s)
{
    uint64_t hash = mix(s->kind, s->n_processes);
    for (uint32_t i = 0; i < s->n_processes; i++)
        hash = mix(hash, s->processes[i]);
    if (s->kind == STEP_CALL)
        return mix(hash, s->procedure);
    if (s->kind == STEP_LOOP) {
        hash = hash_number(h, hash, s, &s->count);
        for (size_t i = 0; i < s->body.n; i++)
            hash = mix(hash, hash_step(h, s->body.items[i]));
        return hash;
    }
    hash = mix(hash, s->form);
    if (s->has_partner) {
        const enum direction_law law = direction_law(&s->partner, s->n_processes);
        h->failed = h->failed || depends(s->partner_coefs, h->base);
        if (h->values || !direction_counts(law))
            hash = mix(mix(hash, law), s->partner.values[law]);
        hash = hash_words(hash, s->partner_coefs + h->base, s->depth - h->base);
    }
    for (uint32_t k = 0; k < s->n; k++)
        hash = hash_number(h, hash, s, &s->numbers[k]);
    return hash;
}

uint64_t step_shape(const struct step *s)
{
    struct hashing h = {0};
    return hash_step(&h, s);
}

uint64_t step_hash(const struct step *s, uint32_t base)
{
    struct hashing h = {.base = base, .values = true};
    const uint64_t hash = hash_step(&h, s);
    return h.failed ? 0 : hash | 1;
}

static bool words_equal(const uint64_t *a, const uint64_t *b, size_t n)
{
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

/* Compares numbers of two steps that are otherwise equal. */
static bool same_number(const struct number *a, uint32_t base_a, const struct number *b, uint32_t base_b,
                        uint32_t depth, uint32_t n_processes)
{
    return a->cells == b->cells &&
           (a->cells == 1 || (a->level >= base_a && a->level - base_a == b->level - base_b)) &&
           !depends(a->coefs, base_a) && !depends(b->coefs, base_b) &&
           words_equal(a->coefs + base_a, b->coefs + base_b, depth) &&
           words_equal(a->values, b->values, (size_t)n_processes * a->cells);
}

static bool same_event(const struct step *a, uint32_t base_a, const struct step *b, uint32_t base_b)
{
    const uint32_t depth = a->depth - base_a;
    if (a->form != b->form || a->n != b->n)
        return false;
    if (a->has_partner) {
        const enum direction_law law = direction_law(&a->partner, a->n_processes);
        if (law != direction_law(&b->partner, b->n_processes) ||
            a->partner.values[law] != b->partner.values[law] || depends(a->partner_coefs, base_a) ||
            depends(b->partner_coefs, base_b) ||
            !words_equal(a->partner_coefs + base_a, b->partner_coefs + base_b, depth))
            return false;
    }
    for (uint32_t k = 0; k < a->n; k++) {
        if (!same_number(&a->numbers[k], base_a, &b->numbers[k], base_b, depth, a->n_processes))
            return false;
    }
    return true;
}

bool step_same(const struct step *a, uint32_t base_a, const struct step *b, uint32_t base_b)
{
    if (a->kind != b->kind || a->n_processes != b->n_processes || a->depth - base_a != b->depth - base_b ||
        memcmp(a->processes, b->processes, a->n_processes * sizeof *a->processes) != 0)
        return false;
    if (a->kind == STEP_CALL)
        return a->procedure == b->procedure;
    if (a->kind == STEP_EVENT)
        return same_event(a, base_a, b, base_b);
    bool same = a->body.n == b->body.n &&
                same_number(&a->count, base_a, &b->count, base_b, a->depth - base_a, a->n_processes);
    for (size_t i = 0; i < a->body.n && same; i++)
        same = step_same(a->body.items[i], base_a, b->body.items[i], base_b);
    return same;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* How enclosing loops change: the outermost `cut` ones are removed, or one is inserted at
 * `level`. */
struct change {
    struct arena *arena;
    uint32_t cut;
    bool insert;
    uint32_t level;
};

static uint64_t *change_coefs(const struct change *c, const uint64_t *coefs, uint32_t depth)
{
    uint64_t *out = arena_array(c->arena, depth + 2, sizeof *out);
    for (uint32_t d = c->cut; out && d < depth; d++)
        out[d - c->cut + (c->insert && d >= c->level)] = coefs[d];
    return out;
}

static bool change_number(const struct change *c, struct number *n, uint32_t depth)
{
    n->coefs = change_coefs(c, n->coefs, depth);
    n->level = n->level - c->cut + (c->insert && n->level >= c->level);
    return n->coefs != NULL;
}

static struct step *change_step(const struct change *c, const struct step *from)
{
    struct step *s = arena_array(c->arena, 1, sizeof *s);
    bool ok = s != NULL;
    if (!ok)
        return NULL;
    *s = *from;
    s->depth = from->depth - c->cut + c->insert;
    if (s->kind == STEP_EVENT) {
        s->numbers = arena_array(c->arena, s->n + 1, sizeof *s->numbers);
        ok = s->numbers != NULL;
        for (uint32_t k = 0; k < s->n && ok; k++) {
            s->numbers[k] = from->numbers[k];
            ok = change_number(c, &s->numbers[k], from->depth);
        }
        if (s->has_partner && ok)
            ok = (s->partner_coefs = change_coefs(c, from->partner_coefs, from->depth)) != NULL;
    } else if (s->kind == STEP_LOOP) {
        s->body.items = arena_array(c->arena, s->body.n + 1, sizeof *s->body.items);
        ok = s->body.items && change_number(c, &s->count, from->depth);
        for (size_t i = 0; i < s->body.n && ok; i++)
            ok = (s->body.items[i] = change_step(c, from->body.items[i])) != NULL;
    }
    return ok ? s : NULL;
}

struct step *step_deepen(struct arena *a, const struct step *s, uint32_t level)
{
    return change_step(&(struct change){.arena = a, .insert = true, .level = level}, s);
}

struct step *step_rebase(struct arena *a, const struct step *s, uint32_t base)
{
    return change_step(&(struct change){.arena = a, .cut = base}, s);
}

bool step_unite(struct arena *a, struct step *const *steps, size_t n, const uint32_t **processes,
                uint32_t *n_processes)
{
    uint32_t *all = NULL, n_all = 0;
    for (size_t i = 0; i < n; i++) {
        const struct step *s = steps[i];
        uint32_t *both, x = 0, y = 0, k = 0;
        if (n_all == s->n_processes && memcmp(all, s->processes, n_all * sizeof *all) == 0)
            continue;
        both = arena_array(a, n_all + s->n_processes, sizeof *both);
        if (!both)
            return false;
        while (x < n_all || y < s->n_processes) {
            const uint32_t p =
                y == s->n_processes || (x < n_all && all[x] < s->processes[y]) ? all[x] : s->processes[y];
            both[k++] = p;
            x += x < n_all && all[x] == p;
            y += y < s->n_processes && s->processes[y] == p;
        }
        all = both;
        n_all = k;
    }
    *processes = all;
    *n_processes = n_all;
    return true;
}
