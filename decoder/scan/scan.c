/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan.h"

#include "decoder/loops/loop_text.h"
#include "decoder/util/text.h"
#include "decoder/util/text_table.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>

void scan_free(struct scan *s)
{
    for (size_t i = 0; i < s->parts.n; i++)
        occurrences_free(&s->parts.items[i].occurrences);
    array_free(&s->parts);
    array_free(&s->values);
}

/* All rows must have the same number of indices. */
static enum refrain_status check_depth(struct scan *s, const struct scan_part *p, const char *range)
{
    if (s->parts.n > 0 && p->occurrences.depth != s->depth) {
        if (s->several)
            log_error("%s: some of these constructs are loops, and others are not: choose one kind", range);
        else
            log_error("%s is a loop of one rank, but not of rank %u: choose ranks with --rank", range,
                      p->rank);
        return REFRAIN_ERR_USAGE;
    }
    s->depth = p->occurrences.depth;
    return REFRAIN_OK;
}

/* Adds the current construct in the process of `p`. */
static enum refrain_status add_part(struct scan *s, struct scan_part p, struct construct_occurrences *place,
                                    const char *range, const enum occurrence_point *point)
{
    const bool loop = construct_is_loop(place->body->items[place->at]);
    const enum occurrence_point usual = loop ? OCCURRENCE_ITERATION : OCCURRENCE_EVENT;
    enum refrain_status status = construct_occurrences_of(place, point ? *point : usual, &p.occurrences);
    if (status == REFRAIN_OK)
        status = check_depth(s, &p, range);
    if (status == REFRAIN_OK && !array_push(&s->parts, p))
        status = REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK)
        occurrences_free(&p.occurrences);
    return status;
}

enum refrain_status scan_add(struct scan *s, const struct model *m, uint32_t process,
                             const struct system *top, const char *range_text,
                             const enum occurrence_point *point)
{
    struct scan_part part = {.rank = m->processes.items[process].rank,
                             .thread = m->processes.items[process].thread};
    struct construct_range range;
    struct construct_occurrences place;
    enum refrain_status status = construct_range_find(top, range_text, &range);
    if (status != REFRAIN_OK)
        return status;
    s->several = range.n > 1;
    s->range = range;
    if (!construct_range_has(&range, process))
        return REFRAIN_OK;
    status = construct_occurrences_find(&place, top, &range.first, process);
    for (; part.member < range.n && status == REFRAIN_OK; part.member++) {
        if (construct_has(place.body->items[place.at], process))
            status = add_part(s, part, &place, range_text, point);
        construct_occurrences_pass(&place);
    }
    construct_occurrences_free(&place);
    return status;
}

void scan_put_path(const struct scan *s, const struct scan_part *p, struct bytes *out)
{
    const struct construct_path path = construct_range_at(&s->range, p->member);
    construct_path_put(&path, out);
}

/* ---- positions ------------------------------------------------------------------------------- */

struct polynomial scan_bound(const struct occurrences *o, uint32_t level)
{
    assert(level < o->depth);
    struct polynomial bound = {0}, shown = {0};
    polynomial_add_affine(&bound, o->levels.items[level].bound, level);
    polynomial_add_from_one(&shown, &bound);
    polynomial_free(&bound);
    return shown;
}

/* Writes a polynomial for indices that count from 1. Returns false if it is not exact. */
static bool put_shown(const struct polynomial *p, struct bytes *out)
{
    struct polynomial shown = {0};
    polynomial_add_from_one(&shown, p);
    polynomial_put(&shown, out);
    const bool exact = !shown.inexact;
    out->failed = out->failed || shown.failed;
    polynomial_free(&shown);
    return exact;
}

bool scan_put_nest(const struct scan_part *p, struct bytes *out)
{
    const struct occurrences *o = &p->occurrences;
    if (!occurrences_are_polynomial(o))
        return false;
    for (uint32_t d = 0; d < o->depth; d++) {
        struct polynomial bound = scan_bound(o, d);
        text_printf(out, "%*sfor i%u = 1 to ", (int)(2 * d), "", d);
        polynomial_put(&bound, out);
        text_putc(out, '\n');
        polynomial_free(&bound);
    }
    text_printf(out, "%*sevent ", (int)(2 * o->depth), "");
    bool exact = put_shown(&o->position, out);
    if (!occurrences_are_certain(o)) {
        text_put(out, " if ");
        exact = put_shown(&o->inside.events, out) && exact;
        text_put(out, " > 0");
    }
    text_putc(out, '\n');
    return exact;
}

/* Writes the text after the ranks; parts with equal texts are shown together. */
static void put_subject(const struct scan *s, const struct scan_part *p, struct bytes *out)
{
    static const char none[] = "# no polynomial: a loop may have a bound below 0, or a number is too large\n";
    if (p->thread > 0)
        text_printf(out, ", thread %u", p->thread);
    if (s->several) {
        text_put(out, ", construct ");
        scan_put_path(s, p, out);
    }
    text_putc(out, '\n');
    const size_t from = out->n;
    if (!scan_put_nest(p, out) && !out->failed) {
        out->n = from;
        text_put(out, none);
    }
}

/* The parts grouped by subject, in their order. */
struct subjects {
    struct text_table texts;
    uint32_t *of_part; /* numbers of texts */
    uint32_t *ranks;   /* of the parts of text 0, then of text 1 … */
    size_t *ends;      /* of each text's ranks */
};

static enum refrain_status find_subjects(struct subjects *x, const struct scan *s)
{
    struct bytes text = {0};
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->parts.n && status == REFRAIN_OK; i++) {
        text.n = 0;
        put_subject(s, &s->parts.items[i], &text);
        status = text.failed ? REFRAIN_ERR_MEMORY
                             : text_table_intern(&x->texts, text.data, text.n, &x->of_part[i]);
    }
    bytes_free(&text);
    return status;
}

static void sort_ranks(struct subjects *x, const struct scan *s)
{
    size_t sum = 0;
    for (size_t i = 0; i < s->parts.n; i++)
        x->ends[x->of_part[i]]++;
    for (size_t k = 0; k < x->texts.items.n; k++) {
        const size_t n = x->ends[k];
        x->ends[k] = sum; /* its begin; becomes its end when its ranks are added */
        sum += n;
    }
    for (size_t i = 0; i < s->parts.n; i++)
        x->ranks[x->ends[x->of_part[i]]++] = s->parts.items[i].rank;
}

static enum refrain_status put_subjects(const struct subjects *x, struct output *out)
{
    enum refrain_status status = REFRAIN_OK;
    size_t first = 0;
    for (uint32_t k = 0; k < x->texts.items.n && status == REFRAIN_OK; k++) {
        const size_t n = x->ends[k] - first;
        text_put(&out->text, n == 1 ? "# rank " : "# ranks ");
        loop_put_ranks(x->ranks + first, n, &out->text);
        bytes_put(&out->text, text_table_at(&x->texts, k), x->texts.items.items[k].n);
        first = x->ends[k];
        status = output_drain(out);
    }
    return status;
}

enum refrain_status scan_put_positions(const struct scan *s, struct output *out)
{
    const size_t n = s->parts.n;
    struct subjects x = {.of_part = calloc(n + 1, sizeof *x.of_part),
                         .ranks = calloc(n + 1, sizeof *x.ranks),
                         .ends = calloc(n + 1, sizeof *x.ends)};
    enum refrain_status status = x.of_part && x.ranks && x.ends ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK)
        log_error("out of memory: %zu positions", n);
    else
        status = find_subjects(&x, s);
    if (status == REFRAIN_OK) {
        sort_ranks(&x, s);
        status = put_subjects(&x, out);
    }
    text_table_free(&x.texts);
    free(x.of_part);
    free(x.ranks);
    free(x.ends);
    return status;
}
