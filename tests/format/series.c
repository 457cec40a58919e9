/* SPDX-License-Identifier: BSD-3-Clause */
/* Section 7: series, and sets of ranks, which are series. Value number i is looked up, as in
 * rules. */
#include "steps.h"

#include <stdlib.h>

#define DEPTH_MAX 8

uint64_t body_length(const struct body *body)
{
    return body->n ? body->ends[body->n - 1] : 0;
}

/* `last` is the value of the previous leaf. */
struct body get_body(struct input *in, unsigned depth, uint64_t *last)
{
    struct body body = {0};
    size_t n = get_count(in, 2), elements = 0;
    body.parts = zeroed(n, sizeof *body.parts);
    body.ends = zeroed(n, sizeof *body.ends);
    for (; body.n < n; body.n++) {
        struct part *part = &body.parts[body.n];
        uint64_t g = get_uint(in), length;
        if (g & 1) {
            refuse_if(in, body.n > 0 && part[-1].leaves, "leaves stand beside leaves");
            uint64_t n_leaves = (g >> 1) + 1;
            bool plain = depth == 0 && n_leaves >= 64;
            check_count(in, plain ? n_leaves / 8 : n_leaves, 1 + depth);
            int64_t *leaf = part->leaves = zeroed(n_leaves, (1 + depth) * sizeof *leaf);
            if (plain) {
                get_plain(in, leaf, n_leaves);
                *last = (uint64_t)leaf[n_leaves - 1];
            }
            for (size_t i = 0; i < n_leaves && !plain; i++) {
                *leaf++ = (int64_t)(*last += (uint64_t)get_int(in));
                for (unsigned k = 0; k < depth; k++)
                    *leaf++ = get_int(in);
            }
            length = n_leaves;
            elements += n_leaves;
        } else {
            refuse_if(in, depth == DEPTH_MAX, "loops are nested too deeply");
            part->body = get_body(in, depth + 1, last);
            refuse_if(in, part->body.n == 0, "a loop's body is empty");
            length = lengthen(in, 0, (g >> 1) + 2, body_length(&part->body));
            elements++;
        }
        refuse_if(in, depth > 0 && elements > 16, "a loop's body has more than 16 elements");
        body.ends[body.n] = lengthen(in, body_length(&body), length, 1);
    }
    return body;
}

/* Returns value number i < body_length(series). */
int64_t series_at(const struct body *series, uint64_t i)
{
    uint64_t index[DEPTH_MAX];
    for (unsigned depth = 0;; depth++) {
        const struct part *part = &series->parts[find_part(series->ends, series->n, &i)];
        if (part->leaves) {
            const int64_t *leaf = part->leaves + i * (1 + depth);
            uint64_t value = (uint64_t)*leaf;
            for (unsigned k = 0; k < depth; k++)
                value += (uint64_t)leaf[1 + k] * index[k];
            return (int64_t)value;
        }
        series = &part->body;
        index[depth] = i / body_length(series);
        i %= body_length(series);
    }
}

/* Reads the series after the permuted lists. */
static struct body *read_bodies(struct input *in, size_t before, size_t *n)
{
    *n = before + get_count(in, 1);
    struct body *bodies = zeroed(*n, sizeof *bodies);
    for (size_t i = before; i < *n; i++)
        bodies[i] = get_body(in, 0, &(uint64_t){0});
    return bodies;
}

/* Reads a column that is a separate file in the annex. */
static struct body get_piece(const struct input *cols, const struct piece *p)
{
    struct trace *inside = zeroed(1, sizeof *inside);
    struct input file = p->content;
    read_container(inside, &file);
    struct input *in = section(inside, SERI);
    refuse_if(cols, !in, "a piece without a column");
    for (unsigned number = 0; number < N_SECTIONS; number++)
        refuse_if(cols, number != SERI && section(inside, number), "a piece with more than a column");
    struct body column = get_body(in, 0, &(uint64_t){0});
    section_end(in);
    free(inside);
    return column;
}

static void read_columns_apart(struct trace *t)
{
    struct input *in = section(t, COLS);
    uint64_t column = 0;
    size_t n = in ? get_count(in, 3) : 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t more = get_uint(in), rank = get_uint(in), lane = get_uint(in);
        refuse_if(in, i > 0 && more == 0, "columns do not ascend");
        column += more;
        struct piece *p = find_piece(t, rank, 1, lane);
        refuse_if(in, p && p->taken, "two columns that are one piece");
        refuse_if(in, more > t->n_columns || column >= t->n_columns || !p,
                  "a column or a piece that does not exist");
        struct body body = get_piece(in, p);
        p->taken = true;
        refuse_if(in, body_length(&body) != body_length(&t->columns[column]), "a column of another length");
        t->columns[column] = body;
    }
    if (in)
        section_end(in);
}

void read_series(struct trace *t)
{
    struct input *in = section(t, SERI);
    if (!in)
        return;
    size_t n;
    t->columns = read_bodies(in, 0, &t->n_columns);
    struct lists *lists = get_lists(in, t, &n);
    t->series = read_bodies(in, n, &t->n_series);
    make_lists(in, lists, t->series, t->n_series);
    section_end(in);
    read_columns_apart(t);
}

/* Reads a set of ranks: an ascending series of ranks of the file. Elsewhere NULL means all
 * ranks. */
const struct body *get_ranks(struct input *in, const struct trace *t, uint64_t number)
{
    refuse_if(in, number >= t->n_series, "a set of ranks is no series");
    const struct body *ranks = &t->series[number];
    uint64_t n = body_length(ranks), next = t->first_rank;
    refuse_if(in, n == 0 || n > t->n_ranks, "a set of no or of too many ranks");
    for (uint64_t i = 0; i < n; i++) {
        uint64_t rank = (uint64_t)series_at(ranks, i);
        refuse_if(in, rank < next || rank >= t->first_rank + t->n_ranks,
                  "a set of ranks does not ascend, or has ranks that are not of the file");
        next = rank + 1;
    }
    return ranks;
}

uint64_t ranks_count(const struct trace *t, const struct body *ranks)
{
    return ranks ? body_length(ranks) : t->n_ranks;
}

/* Is the rank in the set, and at which ordinal? */
bool ranks_find(const struct trace *t, const struct body *ranks, uint64_t rank, uint64_t *ordinal)
{
    uint64_t low = 0, high = ranks_count(t, ranks);
    if (!ranks) {
        *ordinal = rank - t->first_rank;
        return *ordinal < high;
    }
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if ((uint64_t)series_at(ranks, middle) < rank)
            low = middle + 1;
        else
            high = middle;
    }
    *ordinal = low;
    return low < body_length(ranks) && (uint64_t)series_at(ranks, low) == rank;
}
