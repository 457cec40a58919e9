/* SPDX-License-Identifier: BSD-3-Clause */
#include "referenced_constants.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "generated/functions.h"
#include "src/core/base/log.h"
#include "src/core/trace/constant_search.h"
#include "src/record/definition_records.h"

static enum refrain_status select_functions(struct trace *t, uint32_t *to)
{
    memset(to, 0xff, FUNCTION_COUNT * sizeof *to);
    for (size_t i = 0; i < t->sites.n; i++) {
        struct site *site = &t->sites.items[i];
        const uint32_t f = site->function;
        const bool is_definition = f >= FUNCTION_COUNT;
        enum refrain_status status =
            functable_add_function(&t->functions, is_definition ? &definition_records_table : &gen_functable,
                                   is_definition ? f - FUNCTION_COUNT : f, &site->function);
        if (status)
            return status;
        if (!is_definition)
            to[f] = site->function;
    }
    map_free(&t->index.sites); /* the hashes of the sites have changed */
    return REFRAIN_OK;
}

/* List the constants of the three tables of functions.h in this order: integers, handles, addresses. */
static void list_constants(struct constant *out)
{
    for (size_t i = 0; i < gen_n_integers; i++) {
        const struct gen_integer *c = &gen_integers[i];
        *out++ = (struct constant){(char *)c->set, c->value, (char *)c->name};
    }
    for (size_t i = 0; i < gen_n_handles + gen_n_addresses; i++) {
        const struct gen_object *o = i < gen_n_handles ? &gen_handles[i] : &gen_addresses[i - gen_n_handles];
        *out++ = (struct constant){(char *)o->set, o->index, (char *)o->name};
    }
}

static enum refrain_status select_constants(struct trace *t)
{
    const size_t n = gen_n_integers + gen_n_handles + gen_n_addresses;
    struct constant *constants = malloc((n + 1) * sizeof *constants);
    bool *occurs = calloc(n + 1, sizeof *occurs);
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    if (!constants || !occurs) {
        log_error("no memory for the names of constants");
        goto end;
    }
    list_constants(constants);
    status = constant_search(t, constants, n, occurs);
    for (size_t i = 0; i < n && !status; i++) {
        if (occurs[i])
            status = functable_add_constant(&t->functions, constants[i].set, constants[i].value,
                                            constants[i].name);
    }
end:
    free(constants);
    free(occurs);
    return status;
}

enum refrain_status referenced_constants_select(struct trace *t, uint32_t *to)
{
    assert(t->n_ranks == 1 && t->functions.functions.n == 0);
    enum refrain_status status = select_functions(t, to);
    return status ? status : select_constants(t);
}
