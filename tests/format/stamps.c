/* SPDX-License-Identifier: BSD-3-Clause */
/* Section 17: when each call began and ended. */
#include "steps.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 32768, FUNCTIONS_MAX = 64, CLASSES = 256 };
#define BASE_ONE 1000000

/* The possible values of a call's g or d, by number. Number n and those after it are multiples of
 * `step`, from multiple number `first` on. */
struct grid {
    uint64_t base, *values, n, step, first;
};

struct site_stamps {
    uint32_t number;        /* of the site in this block; 0: not called yet */
    uint32_t gap, duration; /* symbols of its last call */
};

struct stamps {
    struct input in; /* the piece, between blocks */
    uint64_t unit, bound, floor, base, n_calls;
    size_t n_named, n_grids;
    struct {
        const char *function;
        uint64_t base;
    } named[FUNCTIONS_MAX];
    struct grid grids[FUNCTIONS_MAX + 1];
    struct {
        uint64_t stamp, bytes;
        bool plain;
    } * blocks;

    uint64_t calls; /* so far */
    uint64_t end;   /* end of the previous call */
    /* In the current block: */
    struct input block;
    bool plain;
    struct coder coder;
    struct site_stamps *sites;
    size_t n_sites;
    uint32_t n_numbers; /* of sites so far */
    uint32_t duration;  /* symbol of the previous call */
};

/* ---- grids ----------------------------------------------------------------------------------- */

static void add_value(struct grid *g, uint64_t value)
{
    if ((g->n & (g->n - 1)) == 0 && !(g->values = realloc(g->values, 2 * (g->n + 1) * sizeof *g->values)))
        refuse("out of memory");
    g->values[g->n++] = value;
}

static void make_grid(struct grid *g, uint64_t floor, uint64_t bound)
{
    uint64_t v = floor > 1 ? floor : 1;
    add_value(g, 0);
    if (floor > 1)
        add_value(g, (floor + 7) / 8);
    add_value(g, v);
    g->step = 2 * bound;
    for (;;) {
        uint64_t next = (uint64_t)((unsigned __int128)v * g->base / BASE_ONE);
        next = next > v ? next : v + 1;
        if (next - v >= g->step)
            break;
        add_value(g, v = next);
    }
    g->first = v / g->step + 1;
}

static uint64_t times(const struct input *in, uint64_t number, uint64_t unit)
{
    uint64_t value;
    refuse_if(in, __builtin_mul_overflow(number, unit, &value), "a time is too long");
    return value;
}

static uint64_t add(const struct input *in, uint64_t time, uint64_t more)
{
    refuse_if(in, more > UINT64_MAX - time, "a time is too long");
    return time + more;
}

/* Returns value `number`. */
static uint64_t grid_value(const struct input *in, const struct grid *g, uint64_t number)
{
    return number < g->n ? g->values[number] : times(in, number - g->n + g->first, g->step);
}

uint64_t stamps_base(const struct stamps *s, const struct function *f)
{
    uint64_t base = s->base;
    for (size_t i = 0; i < s->n_named; i++)
        if (strcmp(s->named[i].function, f->name) == 0)
            base = s->named[i].base;
    return base;
}

static const struct grid *find_grid(struct stamps *s, const struct function *f)
{
    const uint64_t base = stamps_base(s, f);
    size_t k = 0;
    while (k < s->n_grids && s->grids[k].base != base)
        k++;
    if (k == s->n_grids) {
        s->grids[s->n_grids++].base = base;
        make_grid(&s->grids[k], s->floor, s->bound);
    }
    return &s->grids[k];
}

/* ---- the piece ------------------------------------------------------------------------------- */

static uint64_t get_base(struct input *in)
{
    uint64_t base = get_uint(in);
    refuse_if(in, base < 1010000 || base > 100000000, "a base is out of bounds");
    return base;
}

/* Reads the form of the values and the number of calls. */
static void get_head(struct stamps *s)
{
    struct input *in = &s->in;
    s->unit = get_uint(in);
    refuse_if(in, s->unit > UINT64_C(1000000000000), "a unit is too long");
    if (s->unit == 0) {
        s->bound = get_uint(in);
        refuse_if(in, s->bound < 1 || s->bound > UINT64_C(1) << 40, "a bound that cannot be");
        s->floor = get_uint(in);
        refuse_if(in, s->floor > 2 * s->bound, "a floor is too high");
        s->base = get_base(in);
        s->n_named = get_below(in, FUNCTIONS_MAX);
        for (size_t i = 0; i < s->n_named; i++) {
            s->named[i].function = get_string(in);
            s->named[i].base = get_base(in);
        }
    }
    s->n_calls = get_uint(in);
}

static void get_index(struct stamps *s)
{
    struct input *in = &s->in;
    size_t n = check_count(in, s->n_calls / BLOCK + (s->n_calls % BLOCK > 0), 2);
    uint64_t stamp = 0, bytes = 0;
    s->blocks = zeroed(n, sizeof *s->blocks);
    for (size_t i = 0; i < n; i++) {
        s->blocks[i].stamp = stamp += get_uint(in);
        uint64_t v = get_uint(in);
        s->blocks[i].bytes = v >> 1;
        s->blocks[i].plain = v & 1;
        refuse_if(in, v >> 1 > left(in) || (bytes += v >> 1) > left(in), "a block is longer than its piece");
    }
    refuse_if(in, bytes != left(in), "the blocks are not as long as what is left of the piece");
    s->end = n > 0 ? s->blocks[0].stamp : 0;
}

struct stamps *open_stamps(const struct trace *t, uint64_t rank, uint64_t lane)
{
    const struct piece *piece = find_piece(t, rank, 0, lane);
    if (!piece)
        return NULL;
    struct stamps *s = zeroed(1, sizeof *s);
    s->in = piece->content;
    s->sites = zeroed(s->n_sites = t->n_sites, sizeof *s->sites);
    get_head(s);
    get_index(s);
    return s;
}

uint64_t first_stamp(const struct piece *p)
{
    struct stamps head = {.in = p->content};
    get_head(&head);
    return head.n_calls > 0 ? get_uint(&head.in) : UINT64_MAX;
}

uint64_t stamps_floor(const struct stamps *s)
{
    return s->floor;
}

uint64_t stamps_bound(const struct stamps *s)
{
    return s->bound;
}

uint64_t stamps_unit(const struct stamps *s)
{
    return s->unit;
}

void close_stamps(struct stamps *s)
{
    if (!s)
        return;
    refuse_if(&s->in, s->calls < s->n_calls, "there are times of more calls than the lane has");
    refuse_if(&s->block, s->plain && left(&s->block) > 0, "bytes are left over");
    for (size_t i = 0; i < s->n_grids; i++)
        free(s->grids[i].values);
    free(s->blocks);
    free(s->sites);
    free(s);
}

static void start_block(struct stamps *s)
{
    size_t i = (size_t)(s->calls / BLOCK);
    refuse_if(&s->block, s->plain && left(&s->block) > 0, "bytes are left over");
    refuse_if(&s->in, s->blocks[i].stamp != s->end,
              "a block begins at another time than the one before ended");
    s->plain = s->blocks[i].plain;
    const uint8_t *start = get(&s->in, s->blocks[i].bytes);
    s->block = (struct input){"a block of times", start, start, s->in.at};
    if (!s->plain)
        coder_start(&s->coder, &s->block);
    memset(s->sites, 0, s->n_sites * sizeof *s->sites);
    s->n_numbers = s->duration = 0;
}

/* ---- coded values ---------------------------------------------------------------------------- */

static uint32_t hash(uint32_t k, uint32_t q, uint32_t a, uint32_t b)
{
    return (k * 0x2545F491 + q) * 0x9E3779B1 + a * 0xC2B2AE3D + b * 0x27D4EB2F;
}

static struct contexts get_contexts(uint32_t k, uint32_t q, uint32_t a, uint32_t b)
{
    return (struct contexts){hash(k, 0, 0, 0), hash(k, q, a / 8, b / 8)};
}

/* Returns the number for a class and the raw bits after it. */
static uint64_t get_number(struct coder *c, uint32_t class)
{
    if (class < 16)
        return class;
    unsigned r = (class - 16) / 4 + 2;
    return ((uint64_t)(4 + class % 4) << r) + coder_raw(c, r);
}

/* Returns g or d with that symbol, in nanoseconds. */
static uint64_t get_coded(struct stamps *s, const struct grid *grid, uint32_t symbol)
{
    if (s->unit > 0)
        return times(&s->block, get_number(&s->coder, symbol), s->unit);
    if (symbol < grid->n)
        return grid->values[symbol];
    const uint64_t multiple = get_number(&s->coder, symbol - (uint32_t)grid->n);
    refuse_if(&s->block, multiple < grid->first, "a multiple that is in the table");
    return grid_value(&s->block, grid, multiple - grid->first + grid->n);
}

static bool next_coded(struct stamps *s, const struct grid *grid, struct site_stamps *at, uint64_t *g,
                       uint64_t *d)
{
    if (at->number == 0)
        at->number = ++s->n_numbers;
    const uint64_t n = CLASSES + (s->unit > 0 ? 0 : grid->n);
    const struct contexts X = get_contexts(1, at->number, s->duration, at->gap);
    uint32_t symbol = coder_symbol(&s->coder, X, 0, n + 1);
    const bool nested = symbol == 0;
    if (nested) {
        symbol = coder_symbol(&s->coder, X, 0, n + 1);
        refuse_if(&s->block, symbol == 0, "a call is nested twice");
    }
    at->gap = symbol - 1;
    *g = get_coded(s, grid, at->gap);
    const struct contexts Y = get_contexts(2, at->number, at->gap, at->duration);
    s->duration = at->duration = coder_symbol(&s->coder, Y, 2, n);
    *d = get_coded(s, grid, at->duration);
    return nested;
}

/* ---- plain values ---------------------------------------------------------------------------- */

static uint64_t get_value(struct stamps *s, const struct grid *grid, uint64_t number)
{
    return s->unit > 0 ? times(&s->block, number, s->unit) : grid_value(&s->block, grid, number);
}

static bool next_plain(struct stamps *s, const struct grid *grid, uint64_t *g, uint64_t *d)
{
    uint64_t v = get_uint(&s->block);
    *g = get_value(s, grid, v >> 1);
    *d = get_value(s, grid, get_uint(&s->block));
    return v & 1;
}

/* ---- calls ----------------------------------------------------------------------------------- */

bool next_stamps(struct stamps *s, const struct trace *t, size_t site, uint64_t *entry, uint64_t *leaving)
{
    uint64_t g, d;
    if (s->calls >= s->n_calls)
        return false;
    if (s->calls % BLOCK == 0)
        start_block(s);
    const struct grid *grid = s->unit > 0 ? NULL : find_grid(s, t->sites[site].function);
    const bool nested = s->plain ? next_plain(s, grid, &g, &d) : next_coded(s, grid, &s->sites[site], &g, &d);
    *entry = !nested ? add(&s->block, s->end, g) : g > s->end ? 0 : s->end - g;
    *leaving = add(&s->block, nested ? s->end : *entry, d);
    s->end = *leaving;
    s->calls++;
    return true;
}
