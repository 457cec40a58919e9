/* SPDX-License-Identifier: BSD-3-Clause */
#include "codec_derived.h"

#include "src/core/base/log.h"
#include "src/core/series/series.h"

#include <stddef.h>
#include <string.h>

/* The fields of a permuted list, each a series over all of them: what goes on from step to step are loops. */
static const size_t columns[] = {offsetof(struct permuted, base),  offsetof(struct permuted, map),
                                 offsetof(struct permuted, row),   offsetof(struct permuted, column),
                                 offsetof(struct permuted, scale), offsetof(struct permuted, shift),
                                 offsetof(struct permuted, slope)};

#define FIELDS (sizeof columns / sizeof columns[0])

static int64_t get_field(const struct permuted *t, size_t offset)
{
    int64_t value;
    memcpy(&value, (const char *)t + offset, sizeof value);
    return value;
}

static void set_field(struct permuted *t, size_t offset, int64_t value)
{
    memcpy((char *)t + offset, &value, sizeof value);
}

void derived_free(struct derived *d)
{
    array_free(&d->added);
    array_free(&d->maps);
    array_free(&d->permuted);
    array_free(&d->compositions);
}

size_t derived_count(const struct derived *d)
{
    return d->added.n + d->permuted.n + d->compositions.n;
}

bool derived_is_late(const struct derived *d)
{
    return d->added.n + d->permuted.n > 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Pairs of numbers, each less the one before; `before` are those before the first. */
static void put_pair(struct bytes *out, const uint64_t *pair, uint64_t *before)
{
    for (int k = 0; k < 2; k++) {
        bytes_put_int(out, (int64_t)(pair[k] - before[k]));
        before[k] = pair[k];
    }
}

static enum refrain_status put_column(const struct derived *d, size_t offset, struct bytes *out)
{
    struct series *s = series_create();
    enum refrain_status status = s ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < d->permuted.n && status == REFRAIN_OK; i++)
        status = series_append(s, get_field(&d->permuted.items[i], offset));
    if (status == REFRAIN_OK)
        series_encode(s, out);
    series_free(s);
    return status;
}

enum refrain_status derived_encode(const struct derived *d, bool late, struct bytes *out)
{
    enum refrain_status status = REFRAIN_OK;
    uint64_t before[2] = {0, 0};
    if (late) {
        bytes_put_uint(out, d->added.n);
        for (size_t i = 0; i < d->added.n; i++) {
            const struct added *a = &d->added.items[i];
            put_pair(out, (const uint64_t[]){a->a, a->b}, before);
            bytes_put_int(out, a->factor);
        }
        bytes_put_uint(out, d->maps.n);
        for (size_t i = 0; i < d->maps.n; i++) {
            const struct torus_map *m = &d->maps.items[i];
            bytes_put_uint(out, m->columns);
            bytes_put_int(out, m->rr);
            bytes_put_int(out, m->rc);
            bytes_put_int(out, m->cr);
            bytes_put_int(out, m->cc);
        }
        bytes_put_uint(out, d->permuted.n);
        for (size_t i = 0; i < FIELDS && d->permuted.n > 0 && status == REFRAIN_OK; i++)
            status = put_column(d, columns[i], out);
    }
    before[0] = before[1] = 0;
    bytes_put_uint(out, d->compositions.n);
    for (size_t i = 0; i < d->compositions.n; i++) {
        const struct composition *c = &d->compositions.items[i];
        put_pair(out, (const uint64_t[]){c->classes, c->values}, before);
    }
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void get_pair(struct bytes_reader *in, uint64_t *pair)
{
    for (int k = 0; k < 2; k++)
        pair[k] += (uint64_t)bytes_get_int(in);
}

static enum refrain_status get_added(struct bytes_reader *in, struct derived *d)
{
    uint64_t pair[2] = {0, 0};
    const size_t n = bytes_get_count(in, 3);
    if (!array_reserve(&d->added, n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        get_pair(in, pair);
        d->added.items[d->added.n++] = (struct added){pair[0], pair[1], bytes_get_int(in)};
    }
    return REFRAIN_OK;
}

static enum refrain_status get_maps(struct bytes_reader *in, struct derived *d)
{
    const size_t n = bytes_get_count(in, 5);
    if (!array_reserve(&d->maps, n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        struct torus_map *m = &d->maps.items[d->maps.n++];
        const uint64_t length = bytes_get_uint(in);
        m->columns = (uint32_t)length;
        m->rr = bytes_get_int(in);
        m->rc = bytes_get_int(in);
        m->cr = bytes_get_int(in);
        m->cc = bytes_get_int(in);
        if (length == 0 || length > UINT32_MAX) {
            log_error("damaged data: a torus with rows of %llu places", (unsigned long long)length);
            return REFRAIN_ERR_FORMAT;
        }
    }
    return REFRAIN_OK;
}

static enum refrain_status get_column(struct bytes_reader *in, struct derived *d, size_t offset)
{
    struct series *s = NULL;
    struct series_cursor at;
    int64_t value;
    enum refrain_status status = series_decode(in, &s);
    if (status != REFRAIN_OK)
        return status;
    if (series_length(s) != d->permuted.n) {
        log_error("damaged data: %zu permuted lists, and a field of %llu", d->permuted.n,
                  (unsigned long long)series_length(s));
        status = REFRAIN_ERR_FORMAT;
    }
    series_cursor_start(&at, s);
    for (size_t i = 0; status == REFRAIN_OK && series_cursor_next(&at, &value); i++)
        set_field(&d->permuted.items[i], offset, value);
    series_free(s);
    return status;
}

static enum refrain_status get_turned(struct bytes_reader *in, uint64_t most, struct derived *d)
{
    const uint64_t n = bytes_get_uint(in);
    enum refrain_status status = REFRAIN_OK;
    if (n > most) {
        log_error("damaged data: %llu permuted lists", (unsigned long long)n);
        return REFRAIN_ERR_FORMAT;
    }
    if (!array_reserve(&d->permuted, n))
        return REFRAIN_ERR_MEMORY;
    d->permuted.n = n;
    for (size_t i = 0; i < FIELDS && n > 0 && status == REFRAIN_OK; i++)
        status = get_column(in, d, columns[i]);
    return status;
}

static enum refrain_status get_compositions(struct bytes_reader *in, struct derived *d)
{
    uint64_t pair[2] = {0, 0};
    const size_t n = bytes_get_count(in, 2);
    if (!array_reserve(&d->compositions, n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        get_pair(in, pair);
        d->compositions.items[d->compositions.n++] = (struct composition){pair[0], pair[1]};
    }
    return REFRAIN_OK;
}

enum refrain_status derived_decode(struct bytes_reader *in, bool late, uint64_t most, struct derived *out)
{
    struct derived d = {.permuted = {0}};
    enum refrain_status status = late ? get_added(in, &d) : REFRAIN_OK;
    if (status == REFRAIN_OK && late)
        status = get_maps(in, &d);
    if (status == REFRAIN_OK && late)
        status = get_turned(in, most, &d);
    if (status == REFRAIN_OK)
        status = get_compositions(in, &d);
    if (status == REFRAIN_OK)
        *out = d;
    else
        derived_free(&d);
    return status;
}
