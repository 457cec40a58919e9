/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace_check_tables.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

static enum refrain_status broken(const char *what)
{
    log_error("inconsistent trace: %s", what);
    return REFRAIN_ERR_CHECK;
}

/* ---- references ------------------------------------------------------------------------------ */

static enum refrain_status check_functions(const struct functable *t)
{
    for (size_t i = 0; i < t->kinds.n; i++) {
        if (t->kinds.items[i].type >= VALUE_TYPES)
            return broken("a kind of parameter has an unknown type of value");
    }
    for (size_t i = 0; i < t->functions.n; i++) {
        const struct function *f = &t->functions.items[i];
        if (f->result > t->kinds.n)
            return broken("the kind of a function's result does not exist");
        for (uint32_t p = 0; p < f->n_params; p++) {
            if (f->params[p].kind >= t->kinds.n)
                return broken("the kind of a parameter does not exist");
        }
    }
    return REFRAIN_OK;
}

static enum refrain_status check_sites(const struct trace *t)
{
    for (size_t i = 0; i < t->sites.n; i++) {
        const struct site *s = &t->sites.items[i];
        if (s->function >= t->functions.functions.n)
            return broken("a site's function does not exist");
        for (uint32_t k = 0; k < s->n_frames; k++) {
            if (s->frames[k].module >= t->modules.n)
                return broken("a site's module does not exist");
        }
    }
    return REFRAIN_OK;
}

/* ---- repetitions ----------------------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int compare_kinds(const void *a, const void *b)
{
    return strcmp(((const struct kind *)a)->name, ((const struct kind *)b)->name);
}

static int compare_functions(const void *a, const void *b)
{
    return strcmp(((const struct function *)a)->name, ((const struct function *)b)->name);
}

static int compare_sites(const void *a, const void *b)
{
    const struct site *x = a, *y = b;
    int order = compare_numbers(x->function, y->function);
    if (order == 0)
        order = compare_numbers(x->n_frames, y->n_frames);
    for (uint32_t k = 0; order == 0 && k < x->n_frames; k++) {
        order = compare_numbers(x->frames[k].module, y->frames[k].module);
        if (order == 0)
            order = compare_numbers(x->frames[k].offset, y->frames[k].offset);
    }
    return order;
}

/* Check that no entry of a table occurs twice, on a sorted copy. `what` is the message. */
static enum refrain_status check_distinct(const void *items, size_t n, size_t size,
                                          int (*compare)(const void *, const void *), const char *what)
{
    if (n < 2)
        return REFRAIN_OK;
    char *sorted = malloc(n * size);
    if (!sorted) {
        log_error("out of memory: checking a table of %zu entries", n);
        return REFRAIN_ERR_MEMORY;
    }
    memcpy(sorted, items, n * size);
    qsort(sorted, n, size, compare);
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 1; i < n && status == REFRAIN_OK; i++) {
        if (compare(sorted + (i - 1) * size, sorted + i * size) == 0)
            status = broken(what);
    }
    free(sorted);
    return status;
}

enum refrain_status trace_check_tables(const struct trace *t)
{
    const struct functable *f = &t->functions;
    const struct {
        const void *items;
        size_t n, size;
        int (*compare)(const void *, const void *);
        const char *what;
    } tables[] = {
        {f->kinds.items, f->kinds.n, sizeof *f->kinds.items, compare_kinds, "a kind occurs twice"},
        {f->functions.items, f->functions.n, sizeof *f->functions.items, compare_functions,
         "a function occurs twice"},
        {t->modules.items, t->modules.n, sizeof *t->modules.items, compare_strings, "a module occurs twice"},
        {t->sites.items, t->sites.n, sizeof *t->sites.items, compare_sites, "a call site occurs twice"},
    };
    enum refrain_status status = check_functions(f);
    if (status == REFRAIN_OK)
        status = check_sites(t);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && status == REFRAIN_OK; i++)
        status =
            check_distinct(tables[i].items, tables[i].n, tables[i].size, tables[i].compare, tables[i].what);
    return status;
}
