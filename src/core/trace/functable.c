/* SPDX-License-Identifier: BSD-3-Clause */
#include "functable.h"

#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void function_free(struct function *f)
{
    for (uint32_t p = 0; f->params && p < f->n_params; p++)
        free(f->params[p].name);
    free(f->params);
    free(f->name);
}

void functable_free(struct functable *t)
{
    for (size_t i = 0; i < t->kinds.n; i++) {
        free(t->kinds.items[i].name);
        free(t->kinds.items[i].set);
        free(t->kinds.items[i].prefix);
    }
    for (size_t i = 0; i < t->functions.n; i++)
        function_free(&t->functions.items[i]);
    for (size_t i = 0; i < t->constants.n; i++) {
        free(t->constants.items[i].set);
        free(t->constants.items[i].name);
    }
    array_free(&t->kinds);
    array_free(&t->functions);
    array_free(&t->constants);
}

const char *functable_constant(const struct functable *t, const char *set, int64_t value)
{
    for (size_t i = 0; i < t->constants.n; i++) {
        const struct constant *c = &t->constants.items[i];
        if (c->value == value && strcmp(c->set, set) == 0)
            return c->name;
    }
    return NULL;
}

int64_t functable_value(const struct functable *t, const char *set, const char *name)
{
    for (size_t i = 0; i < t->constants.n; i++) {
        const struct constant *c = &t->constants.items[i];
        if (strcmp(c->name, name) == 0 && (!set || strcmp(c->set, set) == 0))
            return c->value;
    }
    return FUNCTABLE_UNUSED;
}

int64_t functable_handle(const struct functable *t, const char *set, const char *name)
{
    const int64_t index = functable_value(t, set, name);
    return index == FUNCTABLE_UNUSED ? index : (int64_t)((uint64_t)index << 1 | 1);
}

static char *copy_string(const char *s)
{
    char *copy = strdup(s);
    if (!copy)
        log_error("out of memory: the function table");
    return copy;
}

static enum refrain_status described_twice(const char *what, const char *name)
{
    log_error("%s %s has two meanings: are these parts of different runs?", what, name);
    return REFRAIN_ERR_FORMAT;
}

static bool kinds_equal(const struct kind *a, const struct kind *b)
{
    return strcmp(a->name, b->name) == 0 && a->type == b->type && strcmp(a->set, b->set) == 0 &&
           strcmp(a->prefix, b->prefix) == 0;
}

/* Whether rows of the two functions, which have the same name in two tables, are read in the same
 * way. */
static bool functions_equal(const struct functable *t, const struct function *f, const struct functable *u,
                            const struct function *g)
{
    if (f->n_params != g->n_params || !f->result != !g->result ||
        (f->result > 0 && !kinds_equal(&t->kinds.items[f->result - 1], &u->kinds.items[g->result - 1])))
        return false;
    for (uint32_t p = 0; p < f->n_params; p++) {
        const struct param *a = &f->params[p], *b = &g->params[p];
        if (a->flags != b->flags || strcmp(a->name, b->name) != 0 ||
            !kinds_equal(&t->kinds.items[a->kind], &u->kinds.items[b->kind]))
            return false;
    }
    return true;
}

/* Find the kind with this name; add it if it is missing. */
static enum refrain_status intern_kind(struct functable *t, const struct kind *kind, uint32_t *index)
{
    for (size_t i = 0; i < t->kinds.n; i++) {
        if (strcmp(t->kinds.items[i].name, kind->name) == 0) {
            if (!kinds_equal(&t->kinds.items[i], kind))
                return described_twice("kind", kind->name);
            *index = (uint32_t)i;
            return REFRAIN_OK;
        }
    }
    struct kind copy = {.type = kind->type};
    if ((copy.name = copy_string(kind->name)) && (copy.set = copy_string(kind->set)) &&
        (copy.prefix = copy_string(kind->prefix)) && array_push(&t->kinds, copy)) {
        *index = (uint32_t)(t->kinds.n - 1);
        return REFRAIN_OK;
    }
    free(copy.name);
    free(copy.set);
    free(copy.prefix);
    return REFRAIN_ERR_MEMORY;
}

/* Find a function by its name, which is unique. Try the likely index first: ranks that make the
 * same calls have equal tables. */
static bool find_function(const struct functable *t, const char *name, uint32_t likely, uint32_t *index)
{
    bool found = likely < t->functions.n && strcmp(t->functions.items[likely].name, name) == 0;
    if (found)
        *index = likely;
    for (uint32_t i = 0; i < t->functions.n && !found; i++) {
        if ((found = strcmp(t->functions.items[i].name, name) == 0))
            *index = i;
    }
    return found;
}

enum refrain_status functable_add_function(struct functable *t, const struct functable *from,
                                           uint32_t function, uint32_t *index)
{
    assert(function < from->functions.n);
    const struct function *f = &from->functions.items[function];
    uint32_t known;
    if (find_function(t, f->name, function, &known)) {
        if (!functions_equal(t, &t->functions.items[known], from, f))
            return described_twice("function", f->name);
        *index = known;
        return REFRAIN_OK;
    }

    enum refrain_status status = REFRAIN_ERR_MEMORY;
    struct function copy = {.name = copy_string(f->name), .n_params = f->n_params};
    if (!copy.name)
        goto fail;
    copy.params = calloc(f->n_params ? f->n_params : 1, sizeof *copy.params);
    if (!copy.params) {
        log_error("out of memory: the parameters of %s", f->name);
        goto fail;
    }
    if (f->result > 0) {
        status = intern_kind(t, &from->kinds.items[f->result - 1], &copy.result);
        if (status != REFRAIN_OK)
            goto fail;
        copy.result++;
    }
    for (uint32_t p = 0; p < f->n_params; p++) {
        struct param *param = &copy.params[p];
        status = intern_kind(t, &from->kinds.items[f->params[p].kind], &param->kind);
        if (status != REFRAIN_OK)
            goto fail;
        param->flags = f->params[p].flags;
        status = REFRAIN_ERR_MEMORY;
        param->name = copy_string(f->params[p].name);
        if (!param->name)
            goto fail;
    }
    status = REFRAIN_ERR_MEMORY;
    if (!array_push(&t->functions, copy))
        goto fail;
    *index = (uint32_t)(t->functions.n - 1);
    return REFRAIN_OK;

fail:
    function_free(&copy);
    return status;
}

enum refrain_status functable_add_constant(struct functable *t, const char *set, int64_t value,
                                           const char *name)
{
    for (size_t i = 0; i < t->constants.n; i++) {
        const struct constant *c = &t->constants.items[i];
        if (c->value == value && strcmp(c->set, set) == 0 && strcmp(c->name, name) == 0)
            return REFRAIN_OK;
    }
    struct constant copy = {.value = value};
    if ((copy.set = copy_string(set)) && (copy.name = copy_string(name)) && array_push(&t->constants, copy))
        return REFRAIN_OK;
    free(copy.set);
    free(copy.name);
    return REFRAIN_ERR_MEMORY;
}
