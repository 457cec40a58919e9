/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_code.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The sets of weights. */
enum { GAPS, DURATIONS = 2, HIGH = 0, LOW = 1 };

/* Nodes of the low digits. They must differ from those of high digits. */
#define LOW_NODE (UINT32_C(1) << 16)

enum refrain_status time_code_create(struct time_code *c, const struct time_mode *mode)
{
    *c = (struct time_code){.mode = mode, .model = digit_model_create()};
    return c->model ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

void time_code_free(struct time_code *c)
{
    free(c->model);
    array_free(&c->sites);
    *c = (struct time_code){0};
}

/* Sites are numbered in the order of their first calls in the block, so the coded bytes do not depend on the
 * numbers that the caller gives to sites. */
static void start(struct time_code *c)
{
    digit_model_reset(c->model);
    if (c->sites.n > 0)
        memset(c->sites.items, 0, c->sites.n * sizeof *c->sites.items);
    c->n_sites = c->duration = 0;
}

void time_code_start_writing(struct time_code *c, struct range_encoder *to)
{
    start(c);
    c->writes = to;
}

void time_code_start_reading(struct time_code *c, const void *block, size_t n)
{
    start(c);
    c->writes = NULL;
    c->reads = range_decoder_of(block, n);
}

/* ---- digits and symbols: written, or read and returned ----------------------------------------- */

static unsigned code_digit(struct time_code *c, const struct digit_contexts *contexts, uint32_t node,
                           unsigned set, unsigned digit)
{
    struct digit_prediction p;
    digit_model_predict(c->model, contexts, node, set, &p);
    if (!c->writes)
        digit = digit_at(&p, range_decoder_at(&c->reads));
    const uint32_t from = digit_start(&p, digit), width = digit_width(&p, digit);
    if (c->writes)
        range_encode(c->writes, from, width);
    else
        range_decode(&c->reads, from, width);
    digit_model_learn(&p, digit);
    return digit;
}

/* Neighbouring symbols stand for neighbouring values, so they share the high digit. The low digit is below 8.
 * A high digit that is too large for one digit is a sum of several: all but the last are 15.
 *
 *     symbol   17 = 2 * 8 + 1        high 2          low 1
 *             163 = 20 * 8 + 3       high 15, 5      low 3
 *
 * Returns a symbol above `most` if the bytes are invalid. */
#define LOW_BITS    3
#define LOW_ONE     (UINT32_C(1) << LOW_BITS)
#define SUM_GOES_ON (DIGITS - 1)

static uint32_t code_symbol(struct time_code *c, const struct digit_contexts *contexts, unsigned set,
                            uint32_t symbol, uint32_t most)
{
    uint32_t left = symbol >> LOW_BITS, high = 0, digit;
    for (uint32_t node = 0;; node++) {
        digit = code_digit(c, contexts, node, set + HIGH, left < SUM_GOES_ON ? left : SUM_GOES_ON);
        high += digit;
        left -= digit;
        if (digit != SUM_GOES_ON || high > most >> LOW_BITS)
            break;
    }
    return (high << LOW_BITS) + code_digit(c, contexts, LOW_NODE + high, set + LOW, symbol & (LOW_ONE - 1));
}

/* ---- numbers ----------------------------------------------------------------------------------- */

/* Classes of numbers. Each number below 16 has a class of its own; above, each length in bits has
 * four classes:
 *
 *     0 … 15 | 16: 100xx   17: 101xx   18: 110xx   19: 111xx | 20: 100xxx …
 *
 * The bits x are not modelled. */
#define PLAIN_BITS 4
#define CLASSES    256u

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

static uint32_t code_bits(struct time_code *c, unsigned n, uint32_t bits)
{
    const unsigned shift = RANGE_BITS - n;
    if (c->writes) {
        range_encode(c->writes, bits << shift, UINT32_C(1) << shift);
    } else {
        bits = range_decoder_at(&c->reads) >> shift;
        range_decode(&c->reads, bits << shift, UINT32_C(1) << shift);
    }
    return bits;
}

/* Codes the bits of a number that its class does not say, the highest first. */
static uint64_t code_raw(struct time_code *c, uint32_t class, uint64_t number)
{
    uint64_t read = class < 1 << PLAIN_BITS ? class : 4 + (class & 3);
    for (unsigned left = raw_bits(class); left > 0;) {
        const unsigned n = left < RANGE_BITS ? left : RANGE_BITS;
        left -= n;
        read = read << n | code_bits(c, n, (uint32_t)(number >> left) & ((UINT32_C(1) << n) - 1));
    }
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

static bool code_number(struct time_code *c, const struct time_grid *g, uint32_t symbol, uint64_t *number)
{
    if (!g) {
        *number = code_raw(c, symbol, *number);
    } else if (symbol < g->n) {
        *number = symbol;
    } else {
        const uint64_t multiple = code_raw(c, symbol - g->n, *number - g->n + g->first);
        *number = multiple - g->first + g->n;
        return multiple >= g->first;
    }
    return true;
}

size_t time_code_bytes_most(const struct time_code *c)
{
    enum { DIGIT_BITS = 12, RAW_BITS = 61, END_BITS = 40 }; /* at most, of a digit, a number, a block's end */
    uint32_t n = 0;
    for (size_t i = 0; i < c->mode->grids.n; i++)
        n = c->mode->grids.items[i].n > n ? c->mode->grids.items[i].n : n;
    const size_t digits = ((n + CLASSES) >> LOW_BITS) / SUM_GOES_ON + 2;
    return (2 * DIGIT_BITS + 2 * (digits * DIGIT_BITS + RAW_BITS) + END_BITS + 7) / 8;
}

/* ---- calls ------------------------------------------------------------------------------------- */

static uint32_t hash(uint32_t kind, uint32_t site, uint32_t a, uint32_t b)
{
    return (kind * UINT32_C(0x2545F491) + site) * UINT32_C(0x9E3779B1) + a * UINT32_C(0xC2B2AE3D) +
           b * UINT32_C(0x27D4EB2F);
}

/* A gap or duration depends on the value before it, and on the last one of the site. High digits tell enough:
 * the rest is chance. */
static struct digit_contexts contexts_of(uint32_t kind, const struct time_site *s, uint32_t before,
                                         uint32_t last)
{
    return (struct digit_contexts){hash(kind, 0, 0, 0),
                                   hash(kind, s->number, before >> LOW_BITS, last >> LOW_BITS)};
}

/* Codes a gap, which may be that of a nested call: symbols are one higher, so that 0 says that the call is
 * nested and its gap follows. */
static bool code_gap(struct time_code *c, const struct time_site *s, const struct time_grid *g,
                     struct time_call *call, uint32_t *symbol)
{
    const struct digit_contexts contexts = contexts_of(1, s, c->duration, s->gap);
    const uint32_t most = (g ? g->n : 0) + CLASSES, after = symbol_of(g, call->gap) + 1;
    uint32_t coded = code_symbol(c, &contexts, GAPS, call->nested ? 0 : after, most);
    call->nested = coded == 0;
    if (call->nested)
        coded = code_symbol(c, &contexts, GAPS, after, most);
    *symbol = coded - 1;
    return coded > 0 && coded <= most && code_number(c, g, *symbol, &call->gap);
}

static bool code_duration(struct time_code *c, const struct time_site *s, const struct time_grid *g,
                          uint32_t gap, struct time_call *call, uint32_t *symbol)
{
    const struct digit_contexts contexts = contexts_of(2, s, gap, s->duration);
    const uint32_t most = (g ? g->n : 0) + CLASSES - 1;
    *symbol = code_symbol(c, &contexts, DURATIONS, symbol_of(g, call->duration), most);
    return *symbol <= most && code_number(c, g, *symbol, &call->duration);
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
    const struct time_grid *g = c->mode->unit > 0 ? NULL : &c->mode->grids.items[grid];
    uint32_t gap, duration;
    if (!s || !code_gap(c, s, g, call, &gap) || !code_duration(c, s, g, gap, call, &duration))
        return false;
    s->gap = gap;
    c->duration = s->duration = duration;
    return true;
}
