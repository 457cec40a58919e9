/* SPDX-License-Identifier: BSD-3-Clause */
#include "statement_text.h"

#include "decoder/logical/condition.h"
#include "decoder/logical/formula.h"
#include "decoder/loops/loop_text.h"
#include "decoder/util/text.h"

#include <stdlib.h>

/* Writes {0-3: 5, 4: 7}, by rank. */
static void put_list(const struct logical *l, const struct step *s, const struct number *n, struct bytes *out)
{
    text_putc(out, '{');
    for (uint32_t i = 0, end; i < s->n_processes; i = end) {
        const uint32_t first = logical_rank(l, s->processes[i]);
        for (end = i + 1; end < s->n_processes && n->values[end] == n->values[i] &&
                          logical_rank(l, s->processes[end]) == first + (end - i);)
            end++;
        text_printf(out, i > 0 ? ", %u" : "%u", first);
        if (end > i + 1)
            text_printf(out, "-%u", first + (end - i - 1));
        text_put(out, ": ");
        text_int(out, (int64_t)n->values[i]);
    }
    text_putc(out, '}');
}

/* At most this many cases are distinguished by conditions. */
#define CASES_MOST 4

/* Finds the distinct values in order of appearance. Returns false if there are too many. */
static bool find_cases(const struct step *s, const struct number *n, uint64_t *cases, unsigned *n_cases)
{
    *n_cases = 0;
    for (uint32_t i = 0; i < s->n_processes; i++) {
        unsigned k = 0;
        while (k < *n_cases && cases[k] != n->values[i])
            k++;
        if (k == CASES_MOST)
            return false;
        if (k == *n_cases)
            cases[(*n_cases)++] = n->values[i];
    }
    return true;
}

static void put_cases(const struct logical *l, const struct step *s, const struct number *n,
                      const uint64_t *cases, unsigned n_cases, struct bytes *out)
{
    const struct process_set all = {s->processes, s->n_processes};
    uint32_t *these = malloc((s->n_processes + 1) * sizeof *these);
    out->failed = out->failed || !these;
    text_putc(out, '{');
    for (unsigned k = 0; k < n_cases && !out->failed; k++) {
        uint32_t n_these = 0;
        for (uint32_t i = 0; i < s->n_processes; i++)
            if (n->values[i] == cases[k])
                these[n_these++] = s->processes[i];
        text_put(out, k > 0 ? ", " : "");
        text_int(out, (int64_t)cases[k]);
        text_put(out, " if ");
        condition_put(l, (struct process_set){these, n_these}, all, out);
    }
    text_putc(out, '}');
    free(these);
}

/* ---- footnotes ------------------------------------------------------------------------------- */

/* Longer texts become footnotes. */
#define SHORT 40

void footnotes_free(struct footnotes *f)
{
    text_table_free(&f->texts);
}

void footnotes_put(const struct footnotes *f, struct bytes *out)
{
    for (uint32_t i = 0; i < f->texts.items.n; i++)
        text_printf(out, "[%u]: %.*s\n", i + 1, (int)f->texts.items.items[i].n, text_table_at(&f->texts, i));
}

static void put_footnote(struct footnotes *f, const struct bytes *text, struct bytes *out)
{
    uint32_t number;
    if (f && text->n > SHORT && !text->failed) {
        if (text_table_intern(&f->texts, text->data, text->n, &number) == REFRAIN_OK)
            text_printf(out, "[%u]", number + 1);
        else
            out->failed = true;
        return;
    }
    bytes_put(out, text->data, text->n);
    out->failed = out->failed || text->failed;
}

void statement_put_number(const struct logical *l, const struct step *s, const struct number *n,
                          bool brackets, struct footnotes *footnotes, struct bytes *out)
{
    struct bytes text = {0};
    uint64_t cases[CASES_MOST];
    unsigned n_cases;
    struct formula f;
    if (formula_find(l, s->processes, s->n_processes, n, &f)) {
        formula_put(&f, n->coefs, s->depth, brackets, out);
        return;
    }
    if (find_cases(s, n, cases, &n_cases))
        put_cases(l, s, n, cases, n_cases, &text);
    else
        put_list(l, s, n, &text);
    put_footnote(footnotes, &text, out);
    bytes_free(&text);
    for (uint32_t d = 0; d < s->depth; d++) {
        if (n->coefs[d] != 0) {
            loop_put_term((int64_t)n->coefs[d], d, false, out);
            text_printf(out, "%+lld", -(long long)n->coefs[d]);
        }
    }
}

/* ---- partners and names ---------------------------------------------------------------------- */

/* Writes "rank^i0", "rank^(1+2*i0)", "rank^2^(3-i0)". */
static void put_moving_bits(const struct logical *l, const struct step *s, enum direction_law law,
                            struct bytes *out)
{
    int64_t value = (int64_t)s->partner.values[law];
    unsigned terms = 0;
    bool plain = true;
    for (uint32_t d = 0; d < s->depth; d++) {
        value -= (int64_t)s->partner_coefs[d];
        terms += s->partner_coefs[d] != 0;
        plain = plain && s->partner_coefs[d] <= 1;
    }
    plain = plain && terms == 1 && value == 0;
    text_printf(out, "%s^%s%s", compass_name(l->compass, law), law == DIRECTION_POWER ? "2^" : "",
                plain ? "" : "(");
    const size_t before = out->n;
    if (value != 0)
        text_int(out, value);
    for (uint32_t d = 0; d < s->depth; d++) {
        if (s->partner_coefs[d] != 0)
            loop_put_term((int64_t)s->partner_coefs[d], d, out->n == before, out);
    }
    text_put(out, plain ? "" : ")");
}

/* Writes "rank+1+i0", "(rank-i0)%16", "i0". The constant is for indices that count from 1. */
static void put_moving_partner(const struct logical *l, const struct step *s, enum direction_law law,
                               struct bytes *out)
{
    int64_t value = (int64_t)s->partner.values[law];
    if (law == DIRECTION_CYCLIC)
        text_putc(out, '(');
    const size_t before = out->n;
    for (uint32_t d = 0; d < s->depth; d++)
        value -= (int64_t)s->partner_coefs[d];
    if (law == DIRECTION_CYCLIC && value % (int64_t)l->compass->n_ranks == 0)
        value = 0;
    if (law != DIRECTION_RANK)
        text_put(out, "rank");
    if (value != 0)
        text_printf(out, law == DIRECTION_RANK ? "%lld" : "%+lld", (long long)value);
    for (uint32_t d = 0; d < s->depth; d++) {
        if (s->partner_coefs[d] != 0)
            loop_put_term((int64_t)s->partner_coefs[d], d, out->n == before, out);
    }
    if (law == DIRECTION_CYCLIC)
        text_printf(out, ")%%%u", l->compass->n_ranks);
}

void statement_put_partner(const struct logical *l, const struct step *s, struct bytes *out)
{
    const enum direction_law law = direction_law(&s->partner, s->n_processes);
    bool moving = false;
    for (uint32_t d = 0; d < s->depth; d++)
        moving = moving || s->partner_coefs[d] != 0;
    if (moving && direction_flips(law))
        put_moving_bits(l, s, law, out);
    else if (moving)
        put_moving_partner(l, s, law, out);
    else
        compass_put_direction(l->compass, law, s->partner.values[law], out);
}

void statement_put_name(const struct logical *l, uint32_t procedure, struct bytes *out)
{
    const char *name = l->procedures.items[procedure].name;
    if (name)
        text_put(out, name);
    else
        text_printf(out, "part%u", procedure + 1);
}
