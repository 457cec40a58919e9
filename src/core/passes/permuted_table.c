/* SPDX-License-Identifier: BSD-3-Clause */
#include "permuted_table.h"

#include "src/core/base/log.h"
#include "src/core/series/series.h"

#include <stddef.h>
#include <string.h>

/* The fields of a permuted list. Each field is written as a series over all lists, so regular steps
 * become loops. */
static const size_t columns[] = {offsetof(struct permuted, base),  offsetof(struct permuted, map),
                                 offsetof(struct permuted, row),   offsetof(struct permuted, column),
                                 offsetof(struct permuted, scale), offsetof(struct permuted, shift),
                                 offsetof(struct permuted, slope)};

#define FIELDS (sizeof columns / sizeof columns[0])

static int64_t get_field(const struct permuted *p, size_t offset)
{
    int64_t value;
    memcpy(&value, (const char *)p + offset, sizeof value);
    return value;
}

static void set_field(struct permuted *p, size_t offset, int64_t value)
{
    memcpy((char *)p + offset, &value, sizeof value);
}

void permuted_table_free(struct permuted_table *t)
{
    array_free(&t->maps);
    array_free(&t->lists);
}

/* ---- writing --------------------------------------------------------------------------------- */

static enum refrain_status put_column(const struct permuted_table *t, size_t offset, struct bytes *out)
{
    struct series *s = series_create();
    enum refrain_status status = s ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < t->lists.n && status == REFRAIN_OK; i++)
        status = series_append(s, get_field(&t->lists.items[i], offset));
    if (status == REFRAIN_OK)
        series_encode(s, out);
    series_free(s);
    return status;
}

enum refrain_status permuted_table_encode(const struct permuted_table *t, struct bytes *out)
{
    enum refrain_status status = REFRAIN_OK;
    bytes_put_uint(out, t->maps.n);
    for (size_t i = 0; i < t->maps.n; i++) {
        const struct torus_map *m = &t->maps.items[i];
        bytes_put_uint(out, m->columns);
        bytes_put_int(out, m->rr);
        bytes_put_int(out, m->rc);
        bytes_put_int(out, m->cr);
        bytes_put_int(out, m->cc);
    }
    bytes_put_uint(out, t->lists.n);
    for (size_t i = 0; i < FIELDS && t->lists.n > 0 && status == REFRAIN_OK; i++)
        status = put_column(t, columns[i], out);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static enum refrain_status get_maps(struct bytes_reader *in, struct permuted_table *t)
{
    const size_t n = bytes_get_count(in, 5);
    if (!array_reserve(&t->maps, n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        struct torus_map *m = &t->maps.items[t->maps.n++];
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

static enum refrain_status get_column(struct bytes_reader *in, struct permuted_table *t, size_t offset)
{
    struct series *s = NULL;
    struct series_cursor at;
    int64_t value;
    enum refrain_status status = series_decode(in, &s);
    if (status != REFRAIN_OK)
        return status;
    if (series_length(s) != t->lists.n) {
        log_error("damaged data: %zu permuted lists, and a field of %llu", t->lists.n,
                  (unsigned long long)series_length(s));
        status = REFRAIN_ERR_FORMAT;
    }
    series_cursor_start(&at, s);
    for (size_t i = 0; status == REFRAIN_OK && series_cursor_next(&at, &value); i++)
        set_field(&t->lists.items[i], offset, value);
    series_free(s);
    return status;
}

static enum refrain_status get_lists(struct bytes_reader *in, uint64_t most, struct permuted_table *t)
{
    const uint64_t n = bytes_get_uint(in);
    enum refrain_status status = REFRAIN_OK;
    if (n > most) {
        log_error("damaged data: %llu permuted lists", (unsigned long long)n);
        return REFRAIN_ERR_FORMAT;
    }
    if (!array_reserve(&t->lists, n))
        return REFRAIN_ERR_MEMORY;
    t->lists.n = n;
    for (size_t i = 0; i < FIELDS && n > 0 && status == REFRAIN_OK; i++)
        status = get_column(in, t, columns[i]);
    return status;
}

enum refrain_status permuted_table_decode(struct bytes_reader *in, uint64_t most, struct permuted_table *out)
{
    struct permuted_table t = {.maps = {0}};
    enum refrain_status status = get_maps(in, &t);
    if (status == REFRAIN_OK)
        status = get_lists(in, most, &t);
    if (status == REFRAIN_OK)
        *out = t;
    else
        permuted_table_free(&t);
    return status;
}
