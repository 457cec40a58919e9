/* The SERI section, and the ways to write a list that are no series: compositions (codec_compose.h), whole
 * lists (codec_whole.h) and running sums (codec_sums.h). They become plain series here; nobody else knows of
 * them. */
#include "codec_impl.h"

#include "log.h"

#include <stdlib.h>

/* The values of a series, the caller's to free. */
static enum refrain_status expand(struct decoder *d, enum section_id section, const struct series *s,
                                  int64_t **out)
{
    const uint64_t n = series_length(s);
    int64_t *values;
    if (n > d->budget / sizeof *values)
        return codec_spend(d, section, UINT64_MAX);
    enum refrain_status status = codec_spend(d, section, n * sizeof *values);
    if (status != REFRAIN_OK)
        return status;
    if (!(values = malloc((n ? n : 1) * sizeof *values))) {
        log_error("out of memory: %llu values of a series", (unsigned long long)n);
        return REFRAIN_ERR_MEMORY;
    }
    series_values(s, 0, n, values);
    *out = values;
    return REFRAIN_OK;
}

/* The function that a list is, which it takes; simpler if all values are the same. */
static struct rankfn list_function(struct series *list, bool relative)
{
    int64_t value;
    if (!series_is_constant(list, &value))
        return relative ? (struct rankfn){.forms = RANKFN_RELATIVE, .relative = list}
                        : (struct rankfn){.forms = RANKFN_PLAIN, .plain = list};
    series_free(list);
    return relative ? (struct rankfn){.forms = RANKFN_OFFSET, .offset = value}
                    : (struct rankfn){.forms = RANKFN_CONSTANT, .constant = value};
}

/* ---- compositions -------------------------------------------------------------------------------------- */

/* The series of values[k] for each k of classes. */
static enum refrain_status compose(struct decoder *d, const struct series *classes,
                                   const struct series *values, struct series **out)
{
    const uint64_t n = series_length(classes), n_values = series_length(values);
    int64_t *k = NULL, *v = NULL;
    struct series *s = series_create();
    enum refrain_status status = s ? expand(d, SECTION_SERI, classes, &k) : REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK)
        status = expand(d, SECTION_SERI, values, &v);
    for (uint64_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = (uint64_t)k[i] < n_values
                     ? series_append(s, v[k[i]])
                     : codec_damaged(d, SECTION_SERI, "a composition of class %lld", (long long)k[i]);
    if (status == REFRAIN_OK)
        status = codec_spend(d, SECTION_SERI, codec_series_bytes(s));
    free(k);
    free(v);
    if (status == REFRAIN_OK)
        *out = s;
    else
        series_free(s);
    return status;
}

/* Numbers of two series, counted behind the compositions. */
struct composed {
    uint64_t classes, values;
};

static enum refrain_status read_compositions(struct bytes_reader *in, size_t *n, struct composed **out)
{
    *n = bytes_get_count(in, 2);
    struct composed *list = malloc((*n + 1) * sizeof *list), last = {0};
    if (!list) {
        log_error("out of memory: %zu compositions", *n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < *n; i++) {
        last.classes += (uint64_t)bytes_get_int(in);
        last.values += (uint64_t)bytes_get_int(in);
        list[i] = last;
    }
    *out = list;
    return REFRAIN_OK;
}

/* ---- the section --------------------------------------------------------------------------------------- */

static enum refrain_status read_columns(struct bytes_reader *in, struct trace *t)
{
    const size_t n = bytes_get_count(in, 1);
    enum refrain_status status = array_reserve(&t->columns, n) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
        struct series *s;
        status = series_decode(in, &s);
        if (status == REFRAIN_OK)
            t->columns.items[t->columns.n++] = s;
    }
    return status;
}

/* Compositions come first in the table, and are made when what they consist of is there. */
enum refrain_status codec_decode_series(struct decoder *d, struct bytes_reader *in)
{
    size_t n_composed = 0;
    struct composed *composed = NULL;
    enum refrain_status status = read_columns(in, &d->trace);
    if (status == REFRAIN_OK)
        status = read_compositions(in, &n_composed, &composed);
    if (status != REFRAIN_OK)
        return status;
    const size_t n = bytes_get_count(in, 1);
    if (!array_reserve(&d->series, n_composed + n))
        status = REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n_composed && status == REFRAIN_OK; i++)
        d->series.items[d->series.n++] = NULL;
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
        struct series *s;
        status = series_decode(in, &s);
        if (status == REFRAIN_OK)
            d->series.items[d->series.n++] = s;
    }
    for (size_t i = 0; i < n_composed && status == REFRAIN_OK; i++) {
        const struct composed *c = &composed[i];
        struct series *const *direct = d->series.items + n_composed;
        status = c->classes < n && c->values < n
                     ? compose(d, direct[c->classes], direct[c->values], &d->series.items[i])
                     : codec_damaged(d, SECTION_SERI, "a composition of series that do not exist");
    }
    free(composed);
    return status;
}

/* ---- whole lists --------------------------------------------------------------------------------------- */

/* The values of a whole list are expanded once, for all groups that cut theirs out of it. */
static enum refrain_status whole_values(struct decoder *d, uint32_t number, const int64_t **out)
{
    const struct series *s = d->series.items[number];
    if (series_length(s) != d->trace.n_ranks)
        return codec_damaged(d, SECTION_SIGN, "series %u is not over all ranks", number);
    if (!d->whole && !(d->whole = calloc(d->series.n, sizeof *d->whole))) {
        log_error("out of memory: %zu series", d->series.n);
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = REFRAIN_OK;
    if (!d->whole[number])
        status = expand(d, SECTION_SIGN, s, &d->whole[number]);
    *out = d->whole[number];
    return status;
}

enum refrain_status codec_cut_whole(struct decoder *d, const struct slot_code *code,
                                    const struct series *ranks, struct rankfn *f)
{
    const bool relative = code->forms == SLOT_WHOLE_RELATIVE;
    const int64_t *values = NULL;
    *f = (struct rankfn){0}; /* its owner may free it after an error */
    if (!d->final)
        return codec_damaged(d, SECTION_SIGN, "a whole list in a part");
    enum refrain_status status = whole_values(d, relative ? code->relative : code->plain, &values);
    if (status != REFRAIN_OK)
        return status;

    struct series *list = series_create();
    struct series_cursor at;
    int64_t rank;
    if (!list)
        return REFRAIN_ERR_MEMORY;
    series_cursor_start(&at, ranks);
    while (status == REFRAIN_OK && series_cursor_next(&at, &rank)) {
        const uint64_t i = (uint64_t)rank - d->trace.first_rank;
        status = i < d->trace.n_ranks
                     ? series_append(list, values[i])
                     : codec_damaged(d, SECTION_SHAP, "rank %lld does not exist", (long long)rank);
    }
    if (status == REFRAIN_OK)
        status = codec_spend(d, SECTION_SHAP, codec_series_bytes(list));
    if (status != REFRAIN_OK)
        series_free(list);
    else
        *f = list_function(list, relative);
    return status;
}

/* ---- running sums -------------------------------------------------------------------------------------- */

static bool lists_fit(const struct rankfn *f, uint64_t n)
{
    return (!f->plain || series_length(f->plain) == n) && (!f->relative || series_length(f->relative) == n);
}

/* The sums of both slots on n ranks; `room` has space for 2 n values. */
static enum refrain_status add_values(const struct rankfn *a, const struct rankfn *b, const int64_t *ranks,
                                      uint64_t n, int64_t *room, struct series **out)
{
    struct series *s = series_create();
    enum refrain_status status = s ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    int64_t *x = room, *y = room + n;
    rankfn_values(a, ranks, n, x);
    rankfn_values(b, ranks, n, y);
    for (uint64_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = series_append(s, (int64_t)((uint64_t)x[i] + (uint64_t)y[i]));
    if (status == REFRAIN_OK)
        *out = s;
    else
        series_free(s);
    return status;
}

enum refrain_status codec_add_slots(struct decoder *d, const struct rankfn *a, const struct rankfn *b,
                                    const struct series *ranks, struct rankfn *f)
{
    const uint64_t n = series_length(ranks);
    int64_t *values = NULL, *room = NULL;
    struct series *list = NULL;
    *f = (struct rankfn){0}; /* its owner may free it after an error */
    if (!d->final)
        return codec_damaged(d, SECTION_SIGN, "a running sum in a part");
    if (a->forms & b->forms & RANKFN_CONSTANT) {
        *f = (struct rankfn){.forms = RANKFN_CONSTANT,
                             .constant = (int64_t)((uint64_t)a->constant + (uint64_t)b->constant)};
        return REFRAIN_OK;
    }
    if (!lists_fit(a, n) || !lists_fit(b, n))
        return codec_damaged(d, SECTION_SIGN, "a running sum of lists of another length");
    enum refrain_status status = expand(d, SECTION_SHAP, ranks, &values);
    if (status == REFRAIN_OK)
        status = codec_spend(d, SECTION_SHAP, 2 * n * sizeof *room);
    if (status == REFRAIN_OK && !(room = malloc(2 * n * sizeof *room))) {
        log_error("out of memory: a running sum over %llu ranks", (unsigned long long)n);
        status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = add_values(a, b, values, n, room, &list);
    free(values);
    free(room);
    if (status != REFRAIN_OK)
        return status;
    status = codec_spend(d, SECTION_SHAP, codec_series_bytes(list));
    *f = list_function(list, false);
    return status;
}
