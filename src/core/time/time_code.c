/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_code.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "symbol_list.h"

#define RAW_P (BIT_P_ONE / 2)

/* Sites are numbered in the order of their first calls in the block, so the coded bytes do not depend on the
 * numbers that the caller gives to sites. */
struct time_site {
    uint32_t number;        /* from 1; 0: no call yet */
    uint32_t gap, duration; /* symbols of its last call */
    struct symbol_list gaps, durations;
};

/* For each kind of bit, the number of its first set of weights. SETS_LISTED: number of sets for the bits that
 * find a symbol in its list (code_symbol). */
enum { GAPS = 0, DURATIONS = 16, NEW = 40, NESTED = 56, SETS_LISTED = 16 };

/* The roots of trees. They must differ from all symbols. */
#define NEW_ROOT    (UINT32_C(1) << 15)
#define NESTED_NODE (NEW_ROOT - 1)

enum refrain_status time_code_create(struct time_code *c, const struct time_mode *mode)
{
    *c = (struct time_code){.mode = mode, .model = bit_model_create()};
    return c->model ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

void time_code_free(struct time_code *c)
{
    free(c->model);
    array_free(&c->sites);
    *c = (struct time_code){0};
}

static void start(struct time_code *c)
{
    bit_model_reset(c->model);
    if (c->sites.n > 0)
        memset(c->sites.items, 0, c->sites.n * sizeof *c->sites.items);
    c->n_sites = c->site = c->gap = c->duration = 0;
}

void time_code_start_writing(struct time_code *c, struct bit_encoder *to)
{
    start(c);
    c->writes = to;
}

void time_code_start_reading(struct time_code *c, const void *block, size_t n)
{
    start(c);
    c->writes = NULL;
    c->reads = bit_decoder_of(block, n);
}

/* ---- bits and numbers: written, or read and returned ----------------------------------------- */

static unsigned code_bit(struct time_code *c, uint32_t p, unsigned bit)
{
    if (c->writes)
        bit_encode(c->writes, p, bit);
    else
        bit = bit_decode(&c->reads, p);
    return bit;
}

static unsigned code_modelled(struct time_code *c, const uint32_t *contexts, uint32_t node, unsigned set,
                              unsigned bit)
{
    const struct bit_prediction predicted = bit_model_predict(c->model, contexts, node, set);
    bit = code_bit(c, predicted.p, bit);
    bit_model_learn(&predicted, bit);
    return bit;
}

static uint32_t context(uint32_t kind, uint32_t site, uint32_t a, uint32_t b)
{
    return (kind * UINT32_C(0x2545F491) + site) * UINT32_C(0x9E3779B1) + a * UINT32_C(0xC2B2AE3D) +
           b * UINT32_C(0x27D4EB2F);
}

/* Code a number, from its highest bit to its lowest. The root and the bits that are already coded are the
 * number of the node in the binary tree. */
static uint32_t code_tree(struct time_code *c, const uint32_t *contexts, unsigned sets, uint32_t root,
                          unsigned bits, uint32_t number)
{
    uint32_t node = root;
    for (unsigned i = bits; i-- > 0;)
        node = node << 1 | code_modelled(c, contexts, node, sets + i, number >> i & 1);
    return node - (root << bits);
}

/* Code one of a few symbols: for each symbol of the list, the commonest first, a bit says whether the coded
 * symbol equals it. A symbol that is not in the list follows in full, with `bits` bits. */
static uint32_t code_symbol(struct time_code *c, struct symbol_list *list, const uint32_t *contexts,
                            unsigned set, unsigned bits, uint32_t symbol)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const uint32_t next = list->items[i].symbol;
        if (code_modelled(c, contexts, next, set + (i < SETS_LISTED ? i : SETS_LISTED - 1), symbol == next)) {
            symbol_list_count(list, i);
            return next;
        }
    }
    const uint32_t near = list->n > 0 ? list->items[0].symbol : 0;
    const uint32_t kinds[BIT_MODEL_INPUTS] = {context(11, set, 0, 0), context(12, set, near, 0),
                                              context(13, set, list->n, near), contexts[0], contexts[1]};
    symbol = code_tree(c, kinds, NEW, NEW_ROOT, bits, symbol);
    symbol_list_add(list, (uint16_t)symbol);
    return symbol;
}

/* Classes of numbers. Each number below 16 has a class of its own; above, each length in bits has
 * four classes:
 *
 *     0 … 15 | 16: 100xx   17: 101xx   18: 110xx   19: 111xx | 20: 100xxx …
 *
 * The bits x are not modelled. */
#define PLAIN_BITS 4
#define CLASS_BITS 8
#define CLASSES    (UINT32_C(1) << CLASS_BITS)

static unsigned raw_bits(uint32_t class)
{
    return class < 1 << PLAIN_BITS ? 0 : (class - (1 << PLAIN_BITS)) / 4 + PLAIN_BITS - 2;
}

static uint32_t class_of(uint64_t number)
{
    if (number < 1 << PLAIN_BITS)
        return (uint32_t)number;
    const unsigned length = 63u - (unsigned)__builtin_clzll(number);
    return (1u << PLAIN_BITS) + 4 * (length - PLAIN_BITS) + ((uint32_t)(number >> (length - 2)) & 3);
}

static uint64_t code_raw(struct time_code *c, uint32_t class, uint64_t number)
{
    const unsigned bits = raw_bits(class);
    uint64_t read = class < 1 << PLAIN_BITS ? class : 4 + (class & 3);
    for (unsigned i = bits; i-- > 0;)
        read = read << 1 | code_bit(c, RAW_P, number >> i & 1);
    return read;
}

/* The symbol of a number. Without a grid: its class. With a grid, the number is the index of one of the
 * grid's values. Each value in the grid's table has a symbol of its own. The values after the table are
 * multiples of the grid's step; they have one symbol for each class of the factor. */
static uint32_t symbol_of(const struct time_grid *g, uint64_t number)
{
    if (!g)
        return class_of(number);
    return number < g->n ? (uint32_t)number : g->n + class_of(number - g->n + g->first);
}

static unsigned symbol_bits(const struct time_grid *g)
{
    return g ? 32u - (unsigned)__builtin_clz(g->n + CLASSES - 1) : CLASS_BITS;
}

/* Code a number. *seen becomes the symbol in the form that contexts use. False if the bytes are invalid. */
static bool code_value(struct time_code *c, struct symbol_list *list, const uint32_t *contexts, unsigned set,
                       const struct time_grid *g, uint64_t *number, uint32_t *seen)
{
    const uint32_t symbol = code_symbol(c, list, contexts, set, symbol_bits(g), symbol_of(g, *number));
    *seen = g ? symbol | 1 : symbol;
    if (!g) {
        *number = code_raw(c, symbol, *number);
    } else if (symbol < g->n) {
        *number = symbol;
    } else {
        if (symbol - g->n >= CLASSES)
            return false;
        const uint64_t multiple = code_raw(c, symbol - g->n, *number - g->n + g->first);
        *number = multiple - g->first + g->n;
        return multiple >= g->first;
    }
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void set_gap_contexts(struct time_code *c, const struct time_site *s)
{
    uint32_t *to = c->gap_contexts;
    to[0] = context(1, s->number, 0, 0);
    to[1] = context(2, s->number, c->site, 0);
    to[2] = context(3, s->number, c->duration, 0);
    to[3] = context(4, s->number, s->gap, 0);
    to[4] = context(5, s->number, c->duration, c->gap);
}

static void set_duration_contexts(struct time_code *c, const struct time_site *s, uint32_t gap)
{
    uint32_t *to = c->duration_contexts;
    to[0] = context(6, s->number, 0, 0);
    to[1] = context(7, s->number, gap, 0);
    to[2] = context(8, s->number, s->duration, 0);
    to[3] = context(9, s->number, c->duration, gap);
    to[4] = context(10, s->number, c->site, c->duration);
}

static struct time_site *find_site(struct time_code *c, uint32_t site)
{
    if (site >= c->sites.n) {
        const size_t more = site + (size_t)1 - c->sites.n;
        if (!array_reserve(&c->sites, more))
            return NULL;
        memset(c->sites.items + c->sites.n, 0, more * sizeof *c->sites.items);
        c->sites.n += more;
    }
    struct time_site *s = &c->sites.items[site];
    if (s->number == 0)
        s->number = ++c->n_sites;
    return s;
}

bool time_code_call(struct time_code *c, uint32_t site, uint32_t grid, struct time_call *call)
{
    assert(c->mode->unit > 0 || grid < c->mode->grids.n);
    struct time_site *s = find_site(c, site);
    if (!s)
        return false;
    set_gap_contexts(c, s);
    call->nested = code_modelled(c, c->gap_contexts, NESTED_NODE, NESTED, call->nested);
    const struct time_grid *g = c->mode->unit > 0 ? NULL : &c->mode->grids.items[grid];
    uint32_t gap, duration;
    if (!code_value(c, &s->gaps, c->gap_contexts, GAPS, g, &call->gap, &gap))
        return false;
    set_duration_contexts(c, s, gap);
    if (!code_value(c, &s->durations, c->duration_contexts, DURATIONS, g, &call->duration, &duration))
        return false;
    c->site = s->number;
    c->gap = s->gap = gap;
    c->duration = s->duration = duration;
    return true;
}
