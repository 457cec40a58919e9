/* SPDX-License-Identifier: BSD-3-Clause */
#include "compass.h"

#include "decoder/topology/identify/pattern_rules.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

/* ---- places ---------------------------------------------------------------------------------- */

static bool same_pattern(const struct candidate *a, const struct candidate *b)
{
    return a->pattern == b->pattern && a->n == b->n && a->arity == b->arity && a->n_dims == b->n_dims &&
           a->periodic == b->periodic && a->mirrored == b->mirrored &&
           memcmp(a->sizes, b->sizes, a->n_dims * sizeof *a->sizes) == 0 &&
           memcmp(a->axis, b->axis, a->n_dims) == 0;
}

/* Returns the topology that all components of the run share. */
static const struct topology *common_topology(const struct survey *s)
{
    const struct topology *first = s && s->components.n > 0 ? &s->components.items[0].topology : NULL;
    for (size_t i = 0; first && i < s->components.n; i++) {
        const struct topology *t = &s->components.items[i].topology;
        if (!t->found || !same_pattern(&t->best, &first->best))
            return NULL;
    }
    return first;
}

/* If a silent rank has coordinates, the run has a single component, and the rank is in it. */
static uint32_t component_of(const struct survey *s, uint32_t rank)
{
    return s->component_of[rank] == NOWHERE ? 0 : s->component_of[rank];
}

static enum refrain_status find_places(struct compass *c)
{
    const struct survey *s = c->survey;
    const struct candidate *best = &c->topology->best;
    const unsigned dims = best->n_dims;
    c->lattice = dims > 0 ? best : NULL;
    c->coordinates = calloc((size_t)best->n * dims + 1, sizeof *c->coordinates);
    c->rank_at = calloc(s->components.n * best->n + 1, sizeof *c->rank_at);
    if (!c->coordinates || !c->rank_at) {
        log_error("out of memory: the places of %u ranks", c->n_ranks);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t image = 0; image < best->n; image++)
        candidate_coordinates(best, image, c->coordinates + (size_t)image * dims);
    for (uint32_t rank = 0; rank < c->n_ranks; rank++) {
        const uint32_t component = component_of(s, rank);
        if (s->component_of[rank] != NOWHERE)
            c->image[rank] = s->components.items[component].topology.image[s->node_of[rank]];
        else if (s->given)
            c->image[rank] = s->given->at[rank];
        if (c->image[rank] != NOWHERE)
            c->rank_at[(size_t)component * best->n + c->image[rank]] = rank;
    }
    return REFRAIN_OK;
}

enum refrain_status compass_create(struct compass *c, const struct survey *s, uint32_t first_rank,
                                   uint32_t n_ranks)
{
    enum refrain_status status = REFRAIN_OK;
    *c = (struct compass){.first_rank = first_rank, .n_ranks = n_ranks, .survey = s};
    c->topology = common_topology(s);
    c->image = malloc(((size_t)n_ranks + 1) * sizeof *c->image);
    if (!c->image) {
        log_error("out of memory: the places of %u ranks", n_ranks);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        c->image[rank] = NOWHERE;
    if (c->topology)
        status = find_places(c);
    if (status != REFRAIN_OK)
        compass_free(c);
    return status;
}

void compass_free(struct compass *c)
{
    free(c->image);
    free(c->coordinates);
    free(c->rank_at);
    *c = (struct compass){0};
}

static uint32_t place_of(const struct compass *c, uint32_t rank)
{
    return rank - c->first_rank < c->n_ranks ? c->image[rank - c->first_rank] : NOWHERE;
}

const uint32_t *compass_coordinates(const struct compass *c, uint32_t rank)
{
    const uint32_t image = place_of(c, rank);
    return c->lattice && image != NOWHERE ? c->coordinates + (size_t)image * c->lattice->n_dims : NULL;
}

static const uint32_t *part_places(const struct compass *c, uint32_t rank)
{
    return c->rank_at + (size_t)component_of(c->survey, rank - c->first_rank) * c->topology->best.n;
}

/* ---- patterns that are no lattices ----------------------------------------------------------- */

/* The laws that are useful in a pattern. For example, in any pattern two ranks differ in some
 * bits. */
static const struct {
    const char *word; /* word of the rule */
    uint32_t laws;
} rules[] = {
    {"tree", 1U << DIRECTION_PARENT | 1U << DIRECTION_CHILD},
    {"binomial", 1U << DIRECTION_PARENT | 1U << DIRECTION_CHILD},
    {"star", 1U << DIRECTION_PARENT},
    {"complete", 1U << DIRECTION_CYCLIC | 1U << DIRECTION_BITS},
    {"ring-distances", 1U << DIRECTION_CYCLIC},
    {"doubling", 1U << DIRECTION_BITS},
    {"butterfly", 1U << DIRECTION_BITS},
    {"cg", 1U << DIRECTION_BITS | 1U << DIRECTION_TRANSPOSED},
};

static uint32_t laws_of(const struct compass *c)
{
    const char *word = c->topology && !c->lattice ? pattern_rules[c->topology->best.pattern->rule].word : "";
    if (c->lattice)
        return 1U << DIRECTION_CYCLIC;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (strcmp(rules[i].word, word) == 0)
            return rules[i].laws;
    }
    return c->topology ? 0 : 1U << DIRECTION_CYCLIC | 1U << DIRECTION_BITS;
}

/* Returns the parent of a node that is not the root. */
static uint32_t parent_of(const struct candidate *tree, uint32_t node)
{
    const bool binomial = strcmp(pattern_rules[tree->pattern->rule].word, "binomial") == 0;
    return binomial ? node & (node - 1) : tree->arity > 0 ? (node - 1) / tree->arity : 0;
}

static uint32_t child_of(const struct candidate *tree, uint32_t node, uint32_t number)
{
    return tree->arity > 0 ? tree->arity * node + 1 + number : node + (1U << number);
}

static uint32_t child_number(const struct candidate *tree, uint32_t node, uint32_t child)
{
    return tree->arity > 0 ? child - tree->arity * node - 1 : (uint32_t)__builtin_ctz(child - node);
}

/* ---- steps in a lattice ---------------------------------------------------------------------- */
/* Encodes the distance in all dimensions as one number: each is steps + size, in 0 … 2 * size - 1;
 * x is the lowest digit. */

static uint64_t steps_between(const struct candidate *l, const uint32_t *from, const uint32_t *to, bool wrap)
{
    uint64_t all = 0;
    for (unsigned d = l->n_dims; d-- > 0;) {
        const int64_t size = l->sizes[d];
        int64_t steps = (int64_t)to[d] - from[d];
        if (wrap || candidate_is_periodic(l, d)) {
            steps = (steps % size + size) % size;
            if (2 * steps > size)
                steps -= size;
        }
        all = all * 2 * (uint64_t)size + (uint64_t)(steps + size);
    }
    return all;
}

static int64_t take_steps(const struct candidate *l, unsigned d, uint64_t *value)
{
    const uint64_t size = l->sizes[d];
    const int64_t steps = (int64_t)(*value % (2 * size)) - (int64_t)size;
    *value /= 2 * size;
    return steps;
}

static uint32_t walk(const struct candidate *l, const uint32_t *from, uint64_t value)
{
    uint32_t image = 0, stride = 1;
    for (unsigned d = 0; d < l->n_dims; d++) {
        const int64_t size = l->sizes[d], at = from[d] + take_steps(l, d, &value);
        image += (uint32_t)((at % size + size) % size) * stride;
        stride *= l->sizes[d];
    }
    return image;
}

/* ---- directions ------------------------------------------------------------------------------ */

static void add_law(struct direction *d, enum direction_law law, uint64_t value)
{
    d->laws |= 1U << law;
    d->values[law] = value;
}

static void add_bits(struct direction *d, uint32_t bits)
{
    add_law(d, DIRECTION_BITS, bits);
    if (bits != 0 && (bits & (bits - 1)) == 0)
        add_law(d, DIRECTION_POWER, (uint64_t)__builtin_ctz(bits));
}

static bool same_part(const struct compass *c, uint32_t a, uint32_t b)
{
    return c->topology && place_of(c, a) != NOWHERE && place_of(c, b) != NOWHERE &&
           component_of(c->survey, a - c->first_rank) == component_of(c->survey, b - c->first_rank);
}

static void add_kin(const struct compass *c, uint32_t image, uint32_t other, struct direction *d)
{
    const struct candidate *tree = &c->topology->best;
    const uint32_t laws = laws_of(c);
    if (laws >> DIRECTION_PARENT & 1 && image > 0 && parent_of(tree, image) == other)
        add_law(d, DIRECTION_PARENT, 0);
    if (laws >> DIRECTION_CHILD & 1 && other > 0 && parent_of(tree, other) == image)
        add_law(d, DIRECTION_CHILD, child_number(tree, image, other));
}

struct direction compass_direction(const struct compass *c, uint32_t from, uint32_t to)
{
    struct direction d = {0};
    const uint32_t a = from - c->first_rank, b = to - c->first_rank, laws = laws_of(c);
    add_law(&d, DIRECTION_RANK, to);
    add_law(&d, DIRECTION_DISTANCE, (uint64_t)to - from);
    if (a >= c->n_ranks || b >= c->n_ranks)
        return d;
    if (laws >> DIRECTION_CYCLIC & 1)
        add_law(&d, DIRECTION_CYCLIC, b >= a ? b - a : (uint64_t)b + c->n_ranks - a);
    if (!c->topology)
        add_bits(&d, a ^ b);
    if (!same_part(c, from, to))
        return d;
    const uint32_t image = place_of(c, from), other = place_of(c, to);
    if (c->lattice) {
        const uint32_t *x = compass_coordinates(c, from), *y = compass_coordinates(c, to);
        add_law(&d, DIRECTION_OFFSET, steps_between(c->lattice, x, y, false));
        add_law(&d, DIRECTION_WRAPPED, steps_between(c->lattice, x, y, true));
        return d;
    }
    if (laws >> DIRECTION_BITS & 1)
        add_bits(&d, image ^ other);
    if (laws >> DIRECTION_TRANSPOSED & 1 && pattern_transposed(c->topology->best.n, image) == other)
        add_law(&d, DIRECTION_TRANSPOSED, 0);
    add_kin(c, image, other, &d);
    return d;
}

bool direction_meet(struct direction *d, const struct direction *other)
{
    uint32_t laws = d->laws & other->laws;
    for (unsigned law = 0; law < DIRECTION_LAWS; law++) {
        if (laws >> law & 1 && d->values[law] != other->values[law])
            laws &= ~(1U << law);
    }
    if (laws != 0)
        d->laws = laws;
    return laws != 0;
}

static uint32_t follow_places(const struct compass *c, enum direction_law law, uint64_t value, uint32_t from)
{
    const struct candidate *best = &c->topology->best;
    const uint32_t image = place_of(c, from);
    switch (law) {
    case DIRECTION_TRANSPOSED:
        return pattern_transposed(best->n, image);
    case DIRECTION_PARENT:
        return parent_of(best, image);
    case DIRECTION_CHILD:
        return child_of(best, image, (uint32_t)value);
    case DIRECTION_BITS:
        return image ^ (uint32_t)value;
    default:
        return walk(c->lattice, compass_coordinates(c, from), value);
    }
}

uint32_t compass_follow(const struct compass *c, enum direction_law law, uint64_t value, uint32_t from)
{
    const uint32_t at = from - c->first_rank;
    int64_t around;
    switch (law) {
    case DIRECTION_DISTANCE:
        return from + (uint32_t)value;
    case DIRECTION_CYCLIC:
        around = (int64_t)(at + value) % c->n_ranks;
        return c->first_rank + (uint32_t)(around < 0 ? around + c->n_ranks : around);
    case DIRECTION_RANK:
        return (uint32_t)value;
    case DIRECTION_POWER:
        return compass_follow(c, DIRECTION_BITS, value < 32 ? UINT64_C(1) << value : 0, from);
    case DIRECTION_BITS:
        if (!c->topology)
            return c->first_rank + (at ^ (uint32_t)value);
        break;
    default:
        break;
    }
    return c->first_rank + part_places(c, from)[follow_places(c, law, value, from)];
}

bool direction_is_strong(uint32_t laws)
{
    return laws & ((1U << DIRECTION_DISTANCE) - 1);
}

bool direction_counts(enum direction_law law)
{
    return law == DIRECTION_DISTANCE || law == DIRECTION_CYCLIC || direction_flips(law) ||
           law == DIRECTION_RANK;
}

enum direction_law direction_law(const struct direction *d, size_t n_ranks)
{
    unsigned law = 0;
    const bool self = d->laws >> DIRECTION_DISTANCE & 1 && d->values[DIRECTION_DISTANCE] == 0;
    if (n_ranks == 1 && !direction_is_strong(d->laws) && d->laws >> DIRECTION_RANK & 1 && !self)
        return DIRECTION_RANK;
    while (!(d->laws >> law & 1))
        law++;
    return (enum direction_law)law;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Writes "x+1", "x^1" in a ring of two, "(y-1)%4" around a dimension that is no ring. */
static void put_step(const struct compass *c, unsigned d, int64_t steps, bool wrapped, struct bytes *out)
{
    const struct candidate *l = c->lattice;
    const bool around = wrapped && !candidate_is_periodic(l, d) && l->sizes[d] != 2;
    if (around)
        text_putc(out, '(');
    candidate_put_axis(d, out);
    if (wrapped && l->sizes[d] == 2)
        text_put(out, "^1");
    else
        text_printf(out, "%+lld", (long long)steps);
    if (around)
        text_printf(out, ")%%%u", l->sizes[d]);
}

static void put_steps(const struct compass *c, uint64_t value, bool wrapped, struct bytes *out)
{
    int64_t steps[LATTICE_DIMS];
    unsigned n = 0, shown = 0;
    for (unsigned d = 0; d < c->lattice->n_dims; d++) {
        steps[d] = take_steps(c->lattice, d, &value);
        n += steps[d] != 0;
    }
    if (n == 0)
        text_put(out, "self");
    if (n > 1)
        text_putc(out, '(');
    for (unsigned d = 0; d < c->lattice->n_dims; d++) {
        if (steps[d] == 0)
            continue;
        if (shown++ > 0)
            text_put(out, ", ");
        put_step(c, d, steps[d], wrapped, out);
    }
    if (n > 1)
        text_putc(out, ')');
}

const char *compass_name(const struct compass *c, enum direction_law law)
{
    const bool nodes = c->topology && !c->lattice && !c->topology->in_order;
    return direction_flips(law) && nodes ? "node" : "rank";
}

void compass_put_direction(const struct compass *c, enum direction_law law, uint64_t value, struct bytes *out)
{
    switch (law) {
    case DIRECTION_OFFSET:
    case DIRECTION_WRAPPED:
        put_steps(c, value, law == DIRECTION_WRAPPED, out);
        break;
    case DIRECTION_TRANSPOSED:
        text_put(out, "transposed");
        break;
    case DIRECTION_PARENT:
        text_put(out, laws_of(c) >> DIRECTION_CHILD & 1 ? "parent" : "center");
        break;
    case DIRECTION_CHILD:
        text_printf(out, "child%llu", (unsigned long long)value);
        break;
    case DIRECTION_BITS:
        if (value == 0)
            text_put(out, "self");
        else
            text_printf(out, "%s^%llu", compass_name(c, law), (unsigned long long)value);
        break;
    case DIRECTION_DISTANCE:
        text_printf(out, value == 0 ? "self" : "rank%+lld", (long long)value);
        break;
    case DIRECTION_CYCLIC:
        text_printf(out, "(rank%+lld)%%%u", (long long)(2 * value > c->n_ranks ? value - c->n_ranks : value),
                    c->n_ranks);
        break;
    default:
        text_int(out, (int64_t)value);
    }
}

bool compass_leads(const struct compass *c, uint64_t offset, uint32_t from)
{
    const uint32_t *x = compass_coordinates(c, from);
    bool inside = x != NULL;
    for (unsigned d = 0; inside && d < c->lattice->n_dims; d++) {
        const int64_t to = x[d] + take_steps(c->lattice, d, &offset);
        inside = candidate_is_periodic(c->lattice, d) || (to >= 0 && to < c->lattice->sizes[d]);
    }
    return inside;
}

/* Writes "(x, y)"; with a value, the place at this distance. */
static void put_place(const struct compass *c, const uint64_t *value, bool wrapped, struct bytes *out)
{
    const struct candidate *l = c->lattice;
    uint64_t steps = value ? *value : 0;
    if (l->n_dims > 1)
        text_putc(out, '(');
    for (unsigned d = 0; d < l->n_dims; d++) {
        const int64_t by = value ? take_steps(l, d, &steps) : 0;
        text_put(out, d > 0 ? ", " : "");
        if (by != 0)
            put_step(c, d, by, wrapped, out);
        else
            candidate_put_axis(d, out);
    }
    if (l->n_dims > 1)
        text_putc(out, ')');
}

void compass_put_pair(const struct compass *c, enum direction_law law, uint64_t value, const char *arrow,
                      struct bytes *out)
{
    const bool places = law == DIRECTION_OFFSET || law == DIRECTION_WRAPPED;
    if (places)
        put_place(c, NULL, false, out);
    else
        text_put(out, compass_name(c, law));
    text_put(out, arrow);
    if (places)
        put_place(c, &value, law == DIRECTION_WRAPPED, out);
    else
        compass_put_direction(c, law, value, out);
}
