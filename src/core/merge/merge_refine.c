/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives two groups one structure: a row for each pair of rows that belong to the same call.
 *
 *     a: rows A B C    stream 0 1 2 2        (calls 3 and 4 have the same partner: MPI_PROC_NULL)
 *     b: rows D E F    stream 0 1 2 1        (calls 2 and 4 have the same partner: one rank)
 *
 *     pairs by call:   (0,0) (1,1) (2,2) (2,1)    numbered by first occurrence: 0 1 2 3
 *     both: rows AD BE CF CE   stream 0 1 2 3
 *
 * If a slot is a column in only one group, it is first taken out of the other group's rows. */
#include "merge_parts.h"

#include <stdlib.h>

#include "merge_given.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"
#include "src/core/grammar/grammar.h"
#include "src/core/trace/slot_sums.h"
#include "src/core/trace/stream_walk.h"

enum { GROUP_COST = 16, ROW_COST = 4, ITEM_COST = 3, COLUMN_COST = 4 };

/* State of one of the two groups. */
struct side {
    const struct group *g;
    uint32_t *lacks; /* slots that are a column in the other group only, ascending */
    uint32_t n_lacks;
    struct merge_given *given; /* one for each slot in `lacks` */
    uint32_t *class;           /* row -> class of the rows that are equal in all slots not in `lacks` */
    uint32_t *row;             /* class -> its first row */
    uint32_t *timing;          /* class -> member of merge_timings that its rows share */
    uint32_t n_classes;
};

struct pair {
    uint32_t a, b; /* classes */
};

struct refinement {
    struct side a, b;
    struct merge_domain domain; /* the ranks of both */
    ARRAY(struct pair) pairs;
    struct map by_classes; /* (a << 32 | b) -> index into pairs */
    struct grammar *grammar;
    struct rules *stream; /* NULL when there is one pair */
};

/* ---- sides ----------------------------------------------------------------------------------- */

static void side_stop(struct side *s)
{
    for (uint32_t i = 0; s->given && i < s->n_lacks; i++)
        merge_given_free(&s->given[i]);
    free(s->given);
    free(s->lacks);
    free(s->class);
    free(s->row);
    free(s->timing);
}

static bool has_column(const struct group *g, uint32_t slot)
{
    for (size_t i = 0; i < g->columns.n; i++)
        if (g->columns.items[i].slot == slot)
            return true;
    return false;
}

static bool lacks(const struct side *s, uint32_t slot)
{
    for (uint32_t i = 0; i < s->n_lacks; i++)
        if (s->lacks[i] == slot)
            return true;
    return false;
}

static bool rows_equal(const struct side *s, const struct row *x, const struct row *y)
{
    if (x->n_slots != y->n_slots)
        return false;
    for (uint32_t i = 0; i < x->n_slots; i++)
        if (!lacks(s, i) && !rankfn_equal(row_slot(x, i), row_slot(y, i)))
            return false;
    return true;
}

/* Return a key of the row's values on the first rank; equal rows have equal keys. */
static uint64_t row_key(const struct side *s, const struct row *row, int64_t first_rank)
{
    uint64_t key = row->n_slots;
    for (uint32_t i = 0; i < row->n_slots; i++)
        if (!lacks(s, i))
            key = mix(key, (uint64_t)rankfn_at(row_slot(row, i), 0, first_rank));
    return key;
}

static enum refrain_status classify_rows(struct side *s)
{
    const struct group *g = s->g;
    enum refrain_status status = REFRAIN_OK;
    struct map known = {0};
    int64_t first_rank = series_at(g->ranks, 0);
    for (uint32_t r = 0; r < g->rows.n; r++) {
        const struct row *row = &g->rows.items[r];
        uint32_t class = MAP_NONE;
        if (s->n_lacks > 0) {
            uint64_t key = row_key(s, row, first_rank);
            size_t at;
            class = map_first(&known, key, &at);
            while (class != MAP_NONE && !rows_equal(s, &g->rows.items[s->row[class]], row))
                class = map_next(&known, key, &at);
            if (class == MAP_NONE && !map_add(&known, key, s->n_classes)) {
                status = REFRAIN_ERR_MEMORY;
                break;
            }
        }
        if (class == MAP_NONE) {
            class = s->n_classes++;
            s->row[class] = r;
        }
        s->class[r] = class;
    }
    map_free(&known);
    return status;
}

static enum refrain_status side_start(struct side *s, const struct group *g, const struct group *other)
{
    s->g = g;
    s->lacks = malloc((other->columns.n + 1) * sizeof *s->lacks);
    s->given = calloc(other->columns.n + 1, sizeof *s->given);
    s->class = malloc(g->rows.n * sizeof *s->class);
    s->row = malloc(g->rows.n * sizeof *s->row);
    s->timing = malloc(g->rows.n * sizeof *s->timing);
    if (!s->lacks || !s->given || !s->class || !s->row || !s->timing) {
        log_error("out of memory for the rows of a group");
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < other->columns.n; i++)
        if (!has_column(g, other->columns.items[i].slot))
            s->lacks[s->n_lacks++] = other->columns.items[i].slot;
    return classify_rows(s);
}

/* ---- the common stream ----------------------------------------------------------------------- */

/* Find or add the number of a pair. *fits becomes false if the pair's rows differ in length, or if there are
 * so many pairs that one group would not cost less than two. */
static enum refrain_status intern_pair(struct refinement *r, uint32_t a, uint32_t b, uint32_t *index,
                                       bool *fits)
{
    uint64_t key = (uint64_t)a << 32 | b;
    *index = map_get(&r->by_classes, key);
    if (*index != MAP_NONE)
        return REFRAIN_OK;
    const struct row *x = &r->a.g->rows.items[r->a.row[a]], *y = &r->b.g->rows.items[r->b.row[b]];
    *fits = x->n_slots == y->n_slots && r->pairs.n < r->a.g->rows.n + r->b.g->rows.n;
    if (!*fits)
        return REFRAIN_OK;
    *index = (uint32_t)r->pairs.n;
    if (!map_set(&r->by_classes, key, *index) || !array_push(&r->pairs, ((struct pair){a, b})))
        return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

/* Walk both streams side by side, and make the common stream of pairs. *fits: they can have a common stream,
 * and *steps was large enough to find it. */
static enum refrain_status pair_streams(struct refinement *r, uint64_t calls, uint64_t *steps, bool *fits)
{
    struct stream_walk a = {0}, b = {0};
    uint32_t row_a = 0, row_b = 0, pair, run_pair = 0;
    uint64_t left_a = 0, left_b = 0, run = 0;
    enum refrain_status status;
    if ((status = stream_walk_start(&a, r->a.g->stream, calls)) != REFRAIN_OK ||
        (status = stream_walk_start(&b, r->b.g->stream, calls)) != REFRAIN_OK)
        goto out;
    *fits = true;
    for (;;) {
        if ((left_a == 0 && !stream_walk_next(&a, &row_a, &left_a)) ||
            (left_b == 0 && !stream_walk_next(&b, &row_b, &left_b)))
            break;
        if (*steps == 0)
            *fits = false;
        else if ((status = intern_pair(r, r->a.class[row_a], r -> b.class[row_b], &pair, fits)) != REFRAIN_OK)
            goto out;
        if (!*fits)
            goto out;
        --*steps;
        uint64_t both = left_a < left_b ? left_a : left_b;
        left_a -= both;
        left_b -= both;
        if (run > 0 && pair != run_pair) {
            if ((status = grammar_append(r->grammar, run_pair, run)) != REFRAIN_OK)
                goto out;
            run = 0;
        }
        run_pair = pair;
        run += both;
    }
    if (r->pairs.n > 1 && (status = grammar_append(r->grammar, run_pair, run)) == REFRAIN_OK)
        status = grammar_rules(r->grammar, &r->stream);
out:
    stream_walk_stop(&a);
    stream_walk_stop(&b);
    return status;
}

/* ---- the cost -------------------------------------------------------------------------------- */

static size_t stream_cost(const struct rules *stream)
{
    return stream ? stream->first[stream->n_rules] * ITEM_COST : 0;
}

/* Cost of a group's structure. The cost of slots is left out, because it depends on the ranks that are
 * already merged. */
static size_t group_cost(const struct group *g)
{
    size_t cost = GROUP_COST + stream_cost(g->stream) + g->columns.n * COLUMN_COST;
    for (size_t r = 0; r < g->rows.n; r++)
        cost += ROW_COST + g->rows.items[r].n_slots;
    return cost;
}

static size_t refined_cost(const struct refinement *r)
{
    size_t cost = GROUP_COST + stream_cost(r->stream) + (r->a.g->columns.n + r->a.n_lacks) * COLUMN_COST;
    for (size_t p = 0; p < r->pairs.n; p++)
        cost += ROW_COST + r->a.g->rows.items[r->a.row[r->pairs.items[p].a]].n_slots;
    for (uint32_t i = 0; i < r->a.n_lacks; i++)
        cost += merge_given_cost(&r->a.given[i]);
    for (uint32_t i = 0; i < r->b.n_lacks; i++)
        cost += merge_given_cost(&r->b.given[i]);
    return cost;
}

static enum refrain_status give_columns(struct side *s, uint64_t calls, uint64_t *steps)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < s->n_lacks && status == REFRAIN_OK; i++)
        status = merge_given_make(s->g, s->lacks[i], calls, steps, &s->given[i]);
    return status;
}

/* ---- the new group --------------------------------------------------------------------------- */

/* Return the value that a row of one side keeps in a slot: 0 if the slot is in `lacks`, because its values
 * move to a column in `given`. */
static struct rankfn side_slot(const struct side *s, const struct row *row, uint32_t slot)
{
    return lacks(s, slot) ? merge_constant(0, s->g->ranks) : rankfn_share(row_slot(row, slot));
}

static enum refrain_status make_slot(const struct refinement *r, const struct row *x, const struct row *y,
                                     uint32_t slot, struct rankfn *out)
{
    struct rankfn f = side_slot(&r->a, x, slot), g = side_slot(&r->b, y, slot);
    enum refrain_status status = merge_rankfns(&f, &g, &r->domain);
    rankfn_free(&g);
    if (status == REFRAIN_OK)
        *out = f;
    else
        rankfn_free(&f);
    return status;
}

static enum refrain_status make_row(const struct refinement *r, const struct pair *p, struct row *out)
{
    const struct row *x = &r->a.g->rows.items[r->a.row[p->a]], *y = &r->b.g->rows.items[r->b.row[p->b]];
    struct row row;
    enum refrain_status status = row_make(&row, x->n_slots);
    for (uint32_t i = 0; i < x->n_slots && status == REFRAIN_OK; i++)
        status = make_slot(r, x, y, i, row_slot_own(&row, i));
    if (status == REFRAIN_OK)
        *out = row;
    else
        row_free(&row);
    return status;
}

static void link_classes(struct side *s, struct merge_timings *m,
                         uint32_t (*member)(const struct merge_timings *m, uint32_t timing))
{
    for (uint32_t c = 0; c < s->n_classes; c++)
        s->timing[c] = TIMING_NONE;
    for (size_t r = 0; r < s->g->rows.n; r++) {
        uint32_t *timing = &s->timing[s->class[r]];
        *timing = merge_timings_link(m, *timing, member(m, s->g->rows.items[r].timing));
    }
}

static enum refrain_status make_timings(struct refinement *r, struct group *out)
{
    struct merge_timings m;
    enum refrain_status status = merge_timings_start(&m, r->a.g, r->b.g);
    if (status != REFRAIN_OK)
        return status;
    link_classes(&r->a, &m, merge_timings_of_a);
    link_classes(&r->b, &m, merge_timings_of_b);
    for (size_t p = 0; p < r->pairs.n; p++)
        out->rows.items[p].timing =
            merge_timings_link(&m, r->a.timing[r->pairs.items[p].a], r->b.timing[r->pairs.items[p].b]);
    status = merge_timings_finish(&m, r->a.g, r->b.g, out);
    merge_timings_stop(&m);
    return status;
}

/* Get the column of a slot on one side: the group's own column, or the new one in `given`. */
static enum refrain_status side_column(const struct side *s, struct trace *t, uint32_t slot,
                                       struct rankfn *out)
{
    for (size_t i = 0; i < s->g->columns.n; i++) {
        if (s->g->columns.items[i].slot == slot) {
            *out = rankfn_share(&s->g->columns.items[i].series);
            return REFRAIN_OK;
        }
    }
    uint32_t i = 0;
    while (s->lacks[i] != slot)
        i++;
    return merge_given_intern(&s->given[i], t, s->g->ranks, out);
}

static enum refrain_status make_column(const struct refinement *r, struct trace *t, uint32_t slot,
                                       struct group *out)
{
    struct rankfn a, b;
    if (!array_reserve(&out->columns, 1))
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status = side_column(&r->a, t, slot, &a);
    if (status != REFRAIN_OK)
        return status;
    status = side_column(&r->b, t, slot, &b);
    if (status == REFRAIN_OK) {
        status = merge_rankfns(&a, &b, &r->domain);
        rankfn_free(&b);
    }
    if (status == REFRAIN_OK)
        out->columns.items[out->columns.n++] = (struct column){slot, a};
    else
        rankfn_free(&a);
    return status;
}

/* Make the columns of the new group: all slots that are a column on either side, ascending. */
static enum refrain_status make_columns(const struct refinement *r, struct trace *t, struct group *out)
{
    const struct group *a = r->a.g;
    enum refrain_status status = REFRAIN_OK;
    size_t i = 0;
    uint32_t k = 0;
    while (status == REFRAIN_OK && (i < a->columns.n || k < r->a.n_lacks)) {
        bool own = k == r->a.n_lacks || (i < a->columns.n && a->columns.items[i].slot < r->a.lacks[k]);
        status = make_column(r, t, own ? a->columns.items[i++].slot : r->a.lacks[k++], out);
    }
    return status;
}

/* Merge the sums of both sides, which match. */
static enum refrain_status make_sums(const struct refinement *r, struct group *out)
{
    const struct group *a = r->a.g, *b = r->b.g;
    enum refrain_status status = array_reserve(&out->sums, a->sums.n) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < a->sums.n && status == REFRAIN_OK; i++) {
        struct slot_sum *sum = &out->sums.items[out->sums.n++];
        *sum = a->sums.items[i];
        sum->factor = rankfn_share(&a->sums.items[i].factor);
        status = merge_rankfns(&sum->factor, &b->sums.items[i].factor, &r->domain);
    }
    return status;
}

static enum refrain_status make_group(struct refinement *r, struct trace *t, struct group *out)
{
    struct group made = {0};
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    if (!array_reserve(&made.rows, r->pairs.n) || !(made.ranks = series_copy(r->a.g->ranks)) ||
        (status = merge_ranks(&made.ranks, r->b.g->ranks)) != REFRAIN_OK)
        goto fail;
    for (size_t p = 0; p < r->pairs.n; p++) {
        if ((status = make_row(r, &r->pairs.items[p], &made.rows.items[p])) != REFRAIN_OK)
            goto fail;
        made.rows.n++;
    }
    if ((status = make_timings(r, &made)) != REFRAIN_OK ||
        (status = make_columns(r, t, &made)) != REFRAIN_OK || (status = make_sums(r, &made)) != REFRAIN_OK)
        goto fail;
    made.stream = r->stream;
    r->stream = NULL;
    *out = made;
    return REFRAIN_OK;
fail:
    group_free(&made);
    return status;
}

enum refrain_status merge_groups_refine(struct trace *t, const struct group *a, const struct group *b,
                                        uint64_t calls, uint64_t *steps, struct group *out, bool *done)
{
    struct refinement r = {.domain = merge_domain_of(a->ranks, b->ranks)};
    bool fits = false;
    enum refrain_status status;
    *done = false;
    if (!slot_sums_match(a, b))
        return REFRAIN_OK;
    if ((status = side_start(&r.a, a, b)) != REFRAIN_OK || (status = side_start(&r.b, b, a)) != REFRAIN_OK)
        goto out;
    r.grammar = grammar_create();
    status = r.grammar ? pair_streams(&r, calls, steps, &fits) : REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK || !fits)
        goto out;
    if ((status = give_columns(&r.a, calls, steps)) != REFRAIN_OK ||
        (status = give_columns(&r.b, calls, steps)) != REFRAIN_OK)
        goto out;
    if (*steps == 0 || refined_cost(&r) >= group_cost(a) + group_cost(b))
        goto out;
    status = make_group(&r, t, out);
    *done = status == REFRAIN_OK;
out:
    side_stop(&r.a);
    side_stop(&r.b);
    array_free(&r.pairs);
    map_free(&r.by_classes);
    grammar_free(r.grammar);
    rules_free(r.stream);
    return status;
}
