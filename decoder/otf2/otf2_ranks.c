/* SPDX-License-Identifier: BSD-3-Clause */
#include "otf2_ranks.h"

#include "src/core/base/log.h"
#include "src/core/base/order.h"

#include <stdlib.h>
#include <string.h>

static enum refrain_status no_memory(void)
{
    log_error("out of memory: the members of communicators");
    return REFRAIN_ERR_MEMORY;
}

/* ---- locations ------------------------------------------------------------------------------- */

static enum refrain_status choose_ranks(struct otf2_ranks *x, const struct ranges *chosen)
{
    const struct trace *t = &x->reader->trace;
    x->ranks = malloc((t->n_ranks + (size_t)1) * sizeof *x->ranks);
    x->locations = malloc((t->n_ranks + (size_t)1) * sizeof *x->locations);
    if (!x->ranks || !x->locations)
        return no_memory();
    for (uint32_t i = 0; i < t->n_ranks; i++) {
        const bool wanted = ranges_has(chosen, (uint64_t)t->first_rank + i);
        x->locations[i] = wanted ? x->n : OTF2_NOBODY;
        if (wanted)
            x->ranks[x->n++] = t->first_rank + i;
    }
    return REFRAIN_OK;
}

uint32_t otf2_location(const struct otf2_ranks *x, int64_t rank)
{
    const int64_t first = x->reader->trace.first_rank;
    return rank < first || rank - first >= x->reader->trace.n_ranks ? OTF2_NOBODY
                                                                    : x->locations[rank - first];
}

/* ---- communicators --------------------------------------------------------------------------- */

static int by_number_and_rank(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    if (x->second != y->second)
        return x->second ? 1 : -1;
    if (x->rank_in_comm != y->rank_in_comm)
        return x->rank_in_comm < y->rank_in_comm ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Does each rank of each group occur exactly once? */
static bool is_complete(const struct communicator *c, const struct member *members, size_t n)
{
    const int64_t remote = c->remote_size < 0 ? 0 : c->remote_size;
    if (c->size < 0 || c->size + remote != (int64_t)n)
        return false;
    for (size_t i = 0; i < n; i++) {
        const bool second = (int64_t)i >= c->size;
        if (members[i].second != second || members[i].rank_in_comm != (int64_t)i - (second ? c->size : 0))
            return false;
    }
    return true;
}

uint32_t otf2_comm(const struct otf2_ranks *x, int64_t handle)
{
    if (handle < 0)
        return OTF2_NOBODY;
    if (handle & 1)
        return handle == x->world ? OTF2_COMM_WORLD : handle == x->self ? OTF2_COMM_SELF : OTF2_NOBODY;
    return handle >> 1 < x->n_comms ? x->comms[handle >> 1].id : OTF2_NOBODY;
}

/* Makes a communicator of these ordered members. A parent that comes later in the order is left
 * out. */
static enum refrain_status make_comm(struct otf2_ranks *x, uint32_t number, const struct member *members,
                                     size_t n)
{
    const struct communicator *c = &x->definitions->communicators.items[number];
    struct otf2_comm *comm = &x->comms[number];
    if (!is_complete(c, members, n))
        return REFRAIN_OK;
    comm->members = malloc((n + 1) * sizeof *comm->members);
    comm->sorted = malloc((n + 1) * 2 * sizeof *comm->sorted);
    comm->positions = malloc((n + 1) * sizeof *comm->positions);
    if (!comm->members || !comm->sorted || !comm->positions)
        return no_memory();
    comm->n_all = (uint32_t)n;
    comm->n_first = (uint32_t)c->size;
    for (size_t i = 0; i < n; i++) {
        const uint32_t location = otf2_location(x, members[i].rank);
        comm->positions[i] = location == OTF2_NOBODY ? OTF2_NOBODY : comm->n;
        if (location == OTF2_NOBODY)
            continue;
        comm->sorted[2 * (size_t)comm->n] = location;
        comm->sorted[2 * (size_t)comm->n + 1] = comm->n;
        comm->members[comm->n++] = location;
    }
    if (comm->n == 0)
        return REFRAIN_OK;
    qsort(comm->sorted, comm->n, 2 * sizeof *comm->sorted, order_u32);
    comm->parent = otf2_comm(x, c->parent);
    comm->id = OTF2_COMM_FIRST + x->n_ids;
    x->numbers[x->n_ids++] = number;
    return REFRAIN_OK;
}

static enum refrain_status make_comms(struct otf2_ranks *x)
{
    const struct definitions *d = x->definitions;
    const size_t n = d->members.n, n_comms = d->communicators.n;
    enum refrain_status status = REFRAIN_OK;
    struct member *members = malloc((n + 1) * sizeof *members);
    x->comms = calloc(n_comms + 1, sizeof *x->comms);
    x->numbers = calloc(n_comms + 1, sizeof *x->numbers);
    if (!members || !x->comms || !x->numbers) {
        free(members);
        return no_memory();
    }
    x->n_comms = (uint32_t)n_comms;
    for (size_t i = 0; i < n_comms; i++)
        x->comms[i].id = x->comms[i].parent = OTF2_NOBODY;
    if (n > 0)
        memcpy(members, d->members.items, n * sizeof *members);
    qsort(members, n, sizeof *members, by_number_and_rank);
    for (size_t i = 0, end; status == REFRAIN_OK && i < n; i = end) {
        for (end = i; end < n && members[end].number == members[i].number;)
            end++;
        status = make_comm(x, members[i].number, members + i, end - i);
    }
    free(members);
    return status;
}

enum refrain_status otf2_ranks_create(struct otf2_ranks *x, const struct reader *r,
                                      const struct definitions *d, const struct ranges *chosen)
{
    *x = (struct otf2_ranks){.reader = r, .definitions = d};
    x->world = functable_handle(&r->trace.functions, "COMMUNICATOR", "MPI_COMM_WORLD");
    x->self = functable_handle(&r->trace.functions, "COMMUNICATOR", "MPI_COMM_SELF");
    enum refrain_status status = choose_ranks(x, chosen);
    if (status == REFRAIN_OK)
        status = make_comms(x);
    if (status != REFRAIN_OK)
        otf2_ranks_free(x);
    return status;
}

void otf2_ranks_free(struct otf2_ranks *x)
{
    for (uint32_t i = 0; i < x->n_comms; i++) {
        free(x->comms[i].members);
        free(x->comms[i].sorted);
        free(x->comms[i].positions);
    }
    free(x->comms);
    free(x->numbers);
    free(x->ranks);
    free(x->locations);
    *x = (struct otf2_ranks){0};
}

static const struct otf2_comm *made_by_program(const struct otf2_ranks *x, uint32_t comm)
{
    return &x->comms[x->numbers[comm - OTF2_COMM_FIRST]];
}

/* Returns the index of a rank of the run among the members; OTF2_NOBODY if it is none. */
static uint32_t member_of(const struct otf2_ranks *x, const struct otf2_comm *c, int64_t rank)
{
    const uint32_t location = otf2_location(x, rank);
    const uint32_t *found = bsearch(&location, c->sorted, c->n, 2 * sizeof *c->sorted, order_u32);
    return location != OTF2_NOBODY && found ? found[1] : OTF2_NOBODY;
}

uint32_t otf2_rank_in(const struct otf2_ranks *x, uint32_t comm, int64_t rank)
{
    if (comm == OTF2_COMM_WORLD)
        return otf2_location(x, rank);
    if (comm == OTF2_COMM_SELF)
        return otf2_location(x, rank) == OTF2_NOBODY ? OTF2_NOBODY : 0;
    const struct otf2_comm *c = made_by_program(x, comm);
    return member_of(x, c, rank);
}

/* Is this exported member in the first group? The group ends before the first exported member of
 * the second one. */
static bool is_first(const struct otf2_comm *c, uint32_t position)
{
    for (uint32_t i = c->n_first; i < c->n_all; i++) {
        if (c->positions[i] != OTF2_NOBODY)
            return position < c->positions[i];
    }
    return true;
}

uint32_t otf2_root_in(const struct otf2_ranks *x, uint32_t comm, uint32_t rank, int64_t root)
{
    if (comm == OTF2_COMM_WORLD)
        return otf2_location(x, x->reader->trace.first_rank + root);
    if (comm == OTF2_COMM_SELF)
        return 0;
    const struct otf2_comm *c = made_by_program(x, comm);
    const uint32_t position = member_of(x, c, rank);
    const bool first = position != OTF2_NOBODY && c->n_first < c->n_all && is_first(c, position);
    const int64_t number = root + (first ? c->n_first : 0);
    return root < 0 || number >= c->n_all ? OTF2_NOBODY : c->positions[number];
}
