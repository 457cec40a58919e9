/* SPDX-License-Identifier: BSD-3-Clause */
#include "declared_topology.h"

#include "decoder/render/call_argument.h"
#include "decoder/util/text.h"
#include "src/core/base/bisect.h"
#include "src/core/base/log.h"
#include "rare_calls.h"

#include <stdlib.h>
#include <string.h>

/* The declaration of the current rank so far. */
struct declaration {
    struct declared_topology *all;
    bool some;
    uint32_t rank;
    uint32_t n; /* dimensions; 0: not usable */
    struct declared_dimension dimensions[DECLARED_DIMENSIONS];
    bool placed;
    int64_t coords[DECLARED_DIMENSIONS];
};

static void forget(struct declaration *d)
{
    for (uint32_t i = 0; i < d->n; i++)
        free(d->dimensions[i].name);
    memset(d->dimensions, 0, sizeof d->dimensions);
    d->n = 0;
    d->placed = false;
}

/* ---- one call -------------------------------------------------------------------------------- */

/* Reads consecutive strings of a list: each is a length and its slots, or only a code. */
static enum refrain_status take_names(struct declaration *d, const struct layout_item *names)
{
    const int64_t *at = names->slots, *end = at + names->n_slots;
    const int64_t n = *at++;
    for (int64_t i = 0; i < n && i < d->n && at < end; i++) {
        const size_t length = *at > 0 ? (size_t)*at : 0;
        char **name = &d->dimensions[i].name;
        if (length > 0 && !(*name = malloc(length + 1))) {
            log_error("out of memory: the name of a dimension");
            return REFRAIN_ERR_MEMORY;
        }
        if (length > 0)
            text_of_slots(at, *name, length + 1);
        at += 1 + (length + 7) / 8;
    }
    return REFRAIN_OK;
}

static enum refrain_status take_cart(struct declaration *d, const struct reader *r, const struct call *call)
{
    struct layout_item dims, periodic, names;
    forget(d);
    d->some = true;
    if (!call_argument(r, call, "dims", &dims) || dims.count <= 0 || dims.count > DECLARED_DIMENSIONS ||
        dims.n_slots != dims.count)
        return REFRAIN_OK;
    const bool some = call_argument(r, call, "periodic", &periodic) && periodic.count == dims.count &&
                      periodic.n_slots == dims.n_slots;
    for (int64_t i = 0; i < dims.count; i++) {
        if (dims.slots[i] < 1 || dims.slots[i] > UINT32_MAX)
            return REFRAIN_OK;
    }
    d->n = (uint32_t)dims.count;
    for (uint32_t i = 0; i < d->n; i++) {
        d->dimensions[i].size = (uint32_t)dims.slots[i];
        d->dimensions[i].periodic = some && periodic.slots[i] != 0;
    }
    return call_argument(r, call, "names", &names) && names.kind->type == VALUE_STRINGS
               ? take_names(d, &names)
               : REFRAIN_OK;
}

static void take_coords(struct declaration *d, const struct reader *r, const struct call *call)
{
    struct layout_item coords;
    d->placed = d->n > 0 && call_argument(r, call, "coords", &coords) && coords.count == d->n &&
                coords.n_slots == d->n;
    for (uint32_t i = 0; d->placed && i < d->n; i++) {
        d->coords[i] = coords.slots[i];
        d->placed = coords.slots[i] >= 0 && coords.slots[i] < d->dimensions[i].size;
    }
}

/* ---- a rank ---------------------------------------------------------------------------------- */

static enum refrain_status become(struct declared_topology *t, struct declaration *d)
{
    t->dimensions = calloc(d->n, sizeof *t->dimensions);
    if (!t->dimensions) {
        log_error("out of memory: a topology");
        return REFRAIN_ERR_MEMORY;
    }
    t->n = d->n;
    for (uint32_t i = 0; i < d->n; i++) {
        t->dimensions[i] = d->dimensions[i];
        d->dimensions[i].name = NULL;
    }
    return REFRAIN_OK;
}

static bool is_same(const struct declared_topology *t, const struct declaration *d)
{
    bool same = t->n == d->n;
    for (uint32_t i = 0; same && i < t->n; i++)
        same = t->dimensions[i].size == d->dimensions[i].size &&
               t->dimensions[i].periodic == d->dimensions[i].periodic;
    return same;
}

static enum refrain_status place(struct declared_topology *t, const struct declaration *d)
{
    if (!array_push(&t->ranks, d->rank) || !array_reserve(&t->coords, t->n))
        return REFRAIN_ERR_MEMORY;
    memcpy(t->coords.items + t->coords.n, d->coords, t->n * sizeof *d->coords);
    t->coords.n += t->n;
    return REFRAIN_OK;
}

static enum refrain_status finish_rank(struct declaration *d)
{
    struct declared_topology *t = d->all;
    enum refrain_status status = REFRAIN_OK;
    if (d->some && d->n > 0 && t->n == 0)
        status = become(t, d);
    if (status == REFRAIN_OK && d->some && t->n > 0 && !is_same(t, d))
        t->different++;
    else if (status == REFRAIN_OK && d->placed)
        status = place(t, d);
    forget(d);
    d->some = false;
    return status;
}

static enum refrain_status take(void *context, const struct reader *r, const struct call *call)
{
    struct declaration *d = context;
    enum refrain_status status = d->rank == call->rank ? REFRAIN_OK : finish_rank(d);
    d->rank = call->rank;
    if (status != REFRAIN_OK)
        return status;
    if (strcmp(reader_function(r, call->site), "refrain_topology_cart") == 0)
        return take_cart(d, r, call);
    take_coords(d, r, call);
    return REFRAIN_OK;
}

/* ---- the run --------------------------------------------------------------------------------- */

enum refrain_status declared_topology_read(struct declared_topology *t, const struct reader *r)
{
    static const char *const functions[] = {"refrain_topology_cart", "refrain_topology_coords", NULL};
    *t = (struct declared_topology){0};
    struct declaration d = {.all = t, .rank = r->trace.first_rank};
    const struct rare_calls calls = {.functions = functions, .ordered = true, .take = take, .context = &d};
    enum refrain_status status = rare_calls_find(&calls, r);
    if (status == REFRAIN_OK)
        status = finish_rank(&d);
    forget(&d);
    if (status != REFRAIN_OK)
        declared_topology_free(t);
    return status;
}

void declared_topology_free(struct declared_topology *t)
{
    for (uint32_t i = 0; t->dimensions && i < t->n; i++)
        free(t->dimensions[i].name);
    free(t->dimensions);
    array_free(&t->ranks);
    array_free(&t->coords);
    *t = (struct declared_topology){0};
}

const int64_t *declared_topology_coords(const struct declared_topology *t, uint32_t rank)
{
    const size_t at = BISECT(i, t->ranks.n, t->ranks.items[i] < rank);
    return at < t->ranks.n && t->ranks.items[at] == rank ? t->coords.items + at * t->n : NULL;
}
