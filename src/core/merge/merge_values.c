/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge_parts.h"

#include <assert.h>

enum refrain_status merge_values_start(struct merge_values *v)
{
    *v = (struct merge_values){.is_constant = true, .is_offset = true};
    v->plain = series_create();
    v->relative = series_create();
    if (v->plain && v->relative)
        return REFRAIN_OK;
    merge_values_stop(v);
    return REFRAIN_ERR_MEMORY;
}

enum refrain_status merge_values_append(struct merge_values *v, int64_t value, int64_t rank)
{
    int64_t offset = (int64_t)((uint64_t)value - (uint64_t)rank); /* wraps, as series do */
    if (v->n++ == 0) {
        v->constant = value;
        v->offset = offset;
    }
    v->is_constant &= value == v->constant;
    v->is_offset &= offset == v->offset;
    enum refrain_status status = series_append(v->plain, value);
    return status == REFRAIN_OK ? series_append(v->relative, offset) : status;
}

struct rankfn merge_values_finish(struct merge_values *v)
{
    assert(v->n > 0);
    struct rankfn f = {0};
    if (v->is_constant) {
        f.forms |= RANKFN_CONSTANT;
        f.constant = v->constant;
    }
    if (v->is_offset) {
        f.forms |= RANKFN_OFFSET;
        f.offset = v->offset;
    }
    if (f.forms == 0) {
        f = (struct rankfn){
            .forms = RANKFN_PLAIN | RANKFN_RELATIVE, .plain = v->plain, .relative = v->relative};
        v->plain = v->relative = NULL;
    }
    return f;
}

void merge_values_stop(struct merge_values *v)
{
    series_free(v->plain);
    series_free(v->relative);
    *v = (struct merge_values){0};
}

struct rankfn merge_constant(int64_t value, const struct series *ranks)
{
    assert(series_length(ranks) > 0);
    if (series_length(ranks) == 1)
        return rankfn_single(value, series_at(ranks, 0));
    return (struct rankfn){.forms = RANKFN_CONSTANT, .constant = value};
}

/* ---- ranks of two groups --------------------------------------------------------------------- */

struct merge_domain merge_domain_of(const struct series *ranks, const struct series *more)
{
    return (struct merge_domain){.ranks = ranks,
                                 .more = more,
                                 .behind = series_at(ranks, series_length(ranks) - 1) < series_at(more, 0)};
}

/* Two ascending series of ranks, walked as one. */
struct zip {
    struct series_cursor cursor[2];
    int64_t rank[2];
    uint64_t ordinal[2]; /* ordinal of that rank in each series */
    bool more[2];
};

static void zip_start(struct zip *z, const struct series *a, const struct series *b)
{
    const struct series *both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        z->ordinal[i] = 0;
        series_cursor_start(&z->cursor[i], both[i]);
        z->more[i] = series_cursor_next(&z->cursor[i], &z->rank[i]);
    }
}

/* Return the series (0 or 1) that has the next rank; -1 at the end. */
static int zip_next(struct zip *z, int64_t *rank, uint64_t *ordinal)
{
    if (!z->more[0] && !z->more[1])
        return -1;
    int i = !z->more[0] || (z->more[1] && z->rank[1] < z->rank[0]);
    *rank = z->rank[i];
    *ordinal = z->ordinal[i]++;
    z->more[i] = series_cursor_next(&z->cursor[i], &z->rank[i]);
    return i;
}

enum refrain_status merge_rankfns(struct rankfn *f, const struct rankfn *g, const struct merge_domain *d)
{
    if (d->known)
        return merge_known_rankfns(f, g, d);
    if (d->behind || rankfn_common_forms(f, g) != 0)
        return rankfn_concat(f, d->ranks, g, d->more);
    struct merge_values values;
    struct zip z;
    int64_t rank;
    uint64_t ordinal;
    enum refrain_status status = merge_values_start(&values);
    zip_start(&z, d->ranks, d->more);
    for (int i; status == REFRAIN_OK && (i = zip_next(&z, &rank, &ordinal)) >= 0;)
        status = merge_values_append(&values, rankfn_at(i == 0 ? f : g, ordinal, rank), rank);
    if (status == REFRAIN_OK) {
        rankfn_free(f);
        *f = merge_values_finish(&values);
    }
    merge_values_stop(&values);
    return status;
}

enum refrain_status merge_ranks(struct series **ranks, const struct series *more)
{
    enum refrain_status status;
    if (merge_domain_of(*ranks, more).behind) {
        status = series_own(ranks);
        return status == REFRAIN_OK ? series_concat(*ranks, more) : status;
    }
    struct zip z;
    int64_t rank;
    uint64_t ordinal;
    struct series *both = series_create();
    status = both ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    zip_start(&z, *ranks, more);
    while (status == REFRAIN_OK && zip_next(&z, &rank, &ordinal) >= 0)
        status = series_append(both, rank);
    if (status == REFRAIN_OK) {
        series_free(*ranks);
        *ranks = both;
    } else {
        series_free(both);
    }
    return status;
}
