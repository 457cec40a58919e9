/* SPDX-License-Identifier: BSD-3-Clause */
/* The FUNC section: the function table as bytes.
 *
 * Many parameters are equal (comm, count, datatype …), so each distinct one is stored once, and a function
 * is a list of numbers. Constants are stored in runs of one set, with their values as differences. */
#include "functable.h"

#include "src/core/base/log.h"
#include "src/core/base/map.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define PARAM_FLAGS (PARAM_IN | PARAM_OUT | PARAM_ARRAY | PARAM_NULLABLE)

static void put_text(struct bytes *out, const char *s)
{
    bytes_put_string(out, s, strlen(s));
}

static bool params_equal(const struct param *a, const struct param *b)
{
    return a->kind == b->kind && a->flags == b->flags && strcmp(a->name, b->name) == 0;
}

static uint64_t param_key(const struct param *p)
{
    return XXH3_64bits_withSeed(p->name, strlen(p->name), (uint64_t)p->kind << 8 | p->flags);
}

/* The distinct parameters (borrowed), in the order of their first use, and for each parameter of
 * each function the index of the equal one. */
struct param_table {
    ARRAY(const struct param *) distinct;
    ARRAY(uint32_t) numbers;
};

static bool number_params(const struct functable *t, struct param_table *table)
{
    struct map index = {0};
    bool done = false;
    for (size_t i = 0; i < t->functions.n; i++) {
        const struct function *f = &t->functions.items[i];
        for (uint32_t p = 0; p < f->n_params; p++) {
            const struct param *param = &f->params[p];
            uint64_t key = param_key(param);
            size_t at;
            uint32_t number = map_first(&index, key, &at);
            while (number != MAP_NONE && !params_equal(table->distinct.items[number], param))
                number = map_next(&index, key, &at);
            if (number == MAP_NONE) {
                number = (uint32_t)table->distinct.n;
                if (!array_push(&table->distinct, param) || !map_add(&index, key, number))
                    goto out;
            }
            if (!array_push(&table->numbers, number))
                goto out;
        }
    }
    done = true;
out:
    map_free(&index);
    return done;
}

static void encode_constants(const struct functable *t, struct bytes *out)
{
    bytes_put_uint(out, t->constants.n);
    for (size_t i = 0, end; i < t->constants.n; i = end) {
        const struct constant *c = t->constants.items;
        for (end = i + 1; end < t->constants.n && strcmp(c[end].set, c[i].set) == 0;)
            end++;
        put_text(out, c[i].set);
        bytes_put_uint(out, end - i);
        int64_t last = 0;
        for (size_t k = i; k < end; k++) {
            bytes_put_int(out, (int64_t)((uint64_t)c[k].value - (uint64_t)last));
            put_text(out, c[k].name);
            last = c[k].value;
        }
    }
}

void functable_encode(const struct functable *t, struct bytes *out)
{
    struct param_table params = {0};
    if (!number_params(t, &params)) {
        out->failed = true;
        goto done;
    }
    bytes_put_uint(out, t->kinds.n);
    for (size_t i = 0; i < t->kinds.n; i++) {
        const struct kind *k = &t->kinds.items[i];
        put_text(out, k->name);
        bytes_put_uint(out, k->type);
        put_text(out, k->set);
        put_text(out, k->prefix);
    }
    bytes_put_uint(out, params.distinct.n);
    for (size_t i = 0; i < params.distinct.n; i++) {
        const struct param *p = params.distinct.items[i];
        put_text(out, p->name);
        bytes_put_uint(out, p->kind);
        bytes_put_uint(out, p->flags);
    }
    const uint32_t *number = params.numbers.items;
    bytes_put_uint(out, t->functions.n);
    for (size_t i = 0; i < t->functions.n; i++) {
        const struct function *f = &t->functions.items[i];
        put_text(out, f->name);
        bytes_put_uint(out, f->result);
        bytes_put_uint(out, f->n_params);
        for (uint32_t p = 0; p < f->n_params; p++)
            bytes_put_uint(out, *number++);
    }
    encode_constants(t, out);
done:
    array_free(&params.distinct);
    array_free(&params.numbers);
}

/* ---- reading --------------------------------------------------------------------------------- */

static enum refrain_status damaged(const char *what)
{
    log_error("damaged function table: %s", what);
    return REFRAIN_ERR_FORMAT;
}

/* The functions below add an entry to the table before they fill it in, so that functable_free also
 * frees it after an error. */
static enum refrain_status decode_kinds(struct bytes_reader *in, struct functable *t)
{
    size_t n = bytes_get_count(in, 4);
    if (n > 0 && !array_reserve(&t->kinds, n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        struct kind *k = &t->kinds.items[t->kinds.n++];
        *k = (struct kind){.name = bytes_get_string(in)};
        uint64_t type = bytes_get_uint(in);
        k->type = (uint32_t)type;
        k->set = bytes_get_string(in);
        k->prefix = bytes_get_string(in);
        if (in->failed)
            return damaged("a kind is cut off");
        if (type >= VALUE_TYPES)
            return damaged("a kind has an unknown type of value");
    }
    return REFRAIN_OK;
}

typedef ARRAY(struct param) param_array;

static enum refrain_status decode_params(struct bytes_reader *in, size_t n_kinds, param_array *params)
{
    size_t n = bytes_get_count(in, 3);
    if (n > 0 && !array_reserve(params, n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        struct param *p = &params->items[params->n++];
        *p = (struct param){.name = bytes_get_string(in)};
        uint64_t kind = bytes_get_uint(in), flags = bytes_get_uint(in);
        if (in->failed)
            return damaged("a parameter is cut off");
        if (kind >= n_kinds)
            return damaged("a parameter's kind does not exist");
        if (flags & ~(uint64_t)PARAM_FLAGS || !(flags & (PARAM_IN | PARAM_OUT)))
            return damaged("a parameter has invalid flags");
        p->kind = (uint32_t)kind;
        p->flags = (uint32_t)flags;
    }
    return REFRAIN_OK;
}

static enum refrain_status decode_function(struct bytes_reader *in, size_t n_kinds, const param_array *params,
                                           struct function *f)
{
    *f = (struct function){.name = bytes_get_string(in)};
    uint64_t result = bytes_get_uint(in);
    size_t n = bytes_get_count(in, 1);
    if (in->failed)
        return damaged("a function is cut off");
    if (result > n_kinds)
        return damaged("the kind of a function's result does not exist");
    f->result = (uint32_t)result;
    f->params = calloc(n ? n : 1, sizeof *f->params);
    if (!f->params) {
        log_error("out of memory: a function of %zu parameters", n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t number = bytes_get_uint(in);
        if (in->failed || number >= params->n)
            return damaged("a function's parameter does not exist");
        struct param *p = &f->params[f->n_params++];
        *p = params->items[number];
        p->name = strdup(p->name);
        if (!p->name) {
            log_error("out of memory: a parameter's name");
            return REFRAIN_ERR_MEMORY;
        }
    }
    return REFRAIN_OK;
}

static enum refrain_status decode_functions(struct bytes_reader *in, struct functable *t)
{
    param_array params = {0};
    enum refrain_status status = decode_params(in, t->kinds.n, &params);
    if (status != REFRAIN_OK)
        goto out;
    size_t n = bytes_get_count(in, 3);
    status = n == 0 || array_reserve(&t->functions, n) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = decode_function(in, t->kinds.n, &params, &t->functions.items[t->functions.n++]);
out:
    for (size_t i = 0; i < params.n; i++)
        free(params.items[i].name);
    array_free(&params);
    return status;
}

static enum refrain_status decode_constants(struct bytes_reader *in, struct functable *t)
{
    size_t n = bytes_get_count(in, 2);
    if (n > 0 && !array_reserve(&t->constants, n))
        return REFRAIN_ERR_MEMORY;
    while (t->constants.n < n) {
        char *set = bytes_get_string(in);
        size_t run = bytes_get_count(in, 2);
        if (in->failed || run == 0 || run > n - t->constants.n) {
            free(set);
            return damaged("a set of constants is cut off");
        }
        uint64_t value = 0;
        for (size_t k = 0; k < run; k++) {
            struct constant *c = &t->constants.items[t->constants.n++];
            value += (uint64_t)bytes_get_int(in);
            *c = (struct constant){.value = (int64_t)value};
            c->set = strdup(set);
            c->name = bytes_get_string(in);
            if (!c->set || in->failed) {
                bool memory = !c->set;
                free(set);
                return memory ? REFRAIN_ERR_MEMORY : damaged("a constant is cut off");
            }
        }
        free(set);
    }
    return REFRAIN_OK;
}

enum refrain_status functable_decode(struct bytes_reader *in, struct functable *out)
{
    struct functable t = {0};
    enum refrain_status status = decode_kinds(in, &t);
    if (status == REFRAIN_OK)
        status = decode_functions(in, &t);
    if (status == REFRAIN_OK)
        status = decode_constants(in, &t);
    if (status == REFRAIN_OK && in->failed)
        status = damaged("it is cut off");
    if (status != REFRAIN_OK) {
        functable_free(&t);
        return status;
    }
    *out = t;
    return REFRAIN_OK;
}
