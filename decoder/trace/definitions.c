/* SPDX-License-Identifier: BSD-3-Clause */
#include "definitions.h"

#include "cursor.h"
#include "src/core/base/bisect.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The slots may contain text or anything else. */
static int64_t hash_of(const int64_t *slots, uint32_t n)
{
    return (int64_t)XXH3_64bits(slots, n * sizeof slots[0]);
}

/* Hashes a name in the form of a text in a row (functable.h): its length, then its bytes, lowest
 * first. */
int64_t definitions_name_hash(const char *name)
{
    int64_t slots[1 + 256 / 8] = {0};
    const size_t n = strnlen(name, 256);
    slots[0] = (int64_t)n;
    for (size_t i = 0; i < n; i++)
        slots[1 + i / 8] |= (int64_t)((uint64_t)(unsigned char)name[i] << 8 * (i % 8));
    return hash_of(slots, 1 + (uint32_t)(n + 7) / 8);
}

/* The fields of a record, by name. A field that a record lacks keeps its default, so older and
 * newer traces can be read. */
struct field {
    const char *name;
    int64_t *value;
};

static enum refrain_status read_fields(const struct functable *t, const struct call *call,
                                       const struct field *fields, size_t n)
{
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;
    layout_start(&layout, t, call->function, call->slots, call->n_slots);
    while (layout_next(&layout, &item, &status)) {
        for (size_t i = 0; item.param && item.n_slots > 0 && i < n; i++) {
            if (strcmp(fields[i].name, item.param->name) != 0)
                continue;
            const bool number = item.kind->type == VALUE_INT || item.kind->type == VALUE_HANDLE;
            *fields[i].value = number ? item.slots[0] : hash_of(item.slots, item.n_slots);
        }
    }
    return status;
}

static uint64_t symbol_key(uint32_t rank, int64_t symbol)
{
    return (uint64_t)rank << 32 | (uint32_t)symbol;
}

static uint64_t own_key(uint32_t rank, int64_t handle)
{
    const int64_t both[] = {rank, handle};
    return XXH3_64bits(both, sizeof both);
}

static bool is_symbol(int64_t handle)
{
    return !(handle & 1);
}

/* ---- communicators --------------------------------------------------------------------------- */

/* Each side of an intercommunicator calls the other one remote; in the key, the side with the
 * lower leader comes first. The parents of the sides differ, unless they are an intercommunicator
 * themselves. Returns true if the sides were exchanged. */
static bool normalise(const struct definitions *d, struct communicator *c, uint32_t rank)
{
    bool parent_inter = false;
    if (is_symbol(c->parent)) {
        const struct member *parent = definitions_member(d, rank, c->parent >> 1);
        parent_inter = parent && d->communicators.items[parent->number].remote_size >= 0;
        c->parent = parent ? (int64_t)parent->number << 1 : -1;
    }
    if (c->remote_size < 0)
        return false;
    if (!parent_inter)
        c->parent = -1;
    if (c->remote_leader >= c->leader)
        return false;
    const int64_t leader = c->leader, size = c->size;
    c->leader = c->remote_leader;
    c->size = c->remote_size;
    c->remote_leader = leader;
    c->remote_size = size;
    return true;
}

static enum refrain_status intern(struct definitions *d, const struct communicator *c, uint32_t *number)
{
    const uint64_t key = XXH3_64bits(c, sizeof *c); /* seven int64_t, so no padding */
    size_t at;
    for (uint32_t v = map_first(&d->by_key, key, &at); v != MAP_NONE; v = map_next(&d->by_key, key, &at)) {
        if (memcmp(&d->communicators.items[v], c, sizeof *c) == 0) {
            *number = v;
            return REFRAIN_OK;
        }
    }
    *number = (uint32_t)d->communicators.n;
    if (!array_push(&d->communicators, *c) || !map_add(&d->by_key, key, *number))
        return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

static enum refrain_status add_communicator(struct definitions *d, const struct functable *t,
                                            const struct call *call)
{
    struct communicator c = {.parent = -1, .remote_leader = -1, .remote_size = -1};
    struct member m = {.rank = call->rank, .rank_in_comm = -1};
    int64_t handle = -1;
    const struct field fields[] = {
        {"newcomm", &handle},
        {"function", &c.function},
        {"parent", &c.parent},
        {"sequence", &c.sequence},
        {"leader", &c.leader},
        {"size", &c.size},
        {"rank", &m.rank_in_comm},
        {"remote_leader", &c.remote_leader},
        {"remote_size", &c.remote_size},
    };
    enum refrain_status status = read_fields(t, call, fields, sizeof fields / sizeof fields[0]);
    if (status != REFRAIN_OK || !is_symbol(handle))
        return status;
    m.second = normalise(d, &c, call->rank);
    if ((status = intern(d, &c, &m.number)) != REFRAIN_OK)
        return status;
    m.symbol = (uint32_t)(handle >> 1);
    if (!array_push(&d->members, m) ||
        !map_set(&d->by_symbol, symbol_key(m.rank, m.symbol), (uint32_t)(d->members.n - 1)))
        return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

const struct member *definitions_member(const struct definitions *d, uint32_t rank, int64_t symbol)
{
    const uint32_t i = map_get(&d->by_symbol, symbol_key(rank, symbol));
    return i == MAP_NONE ? NULL : &d->members.items[i];
}

/* ---- datatypes ------------------------------------------------------------------------------- */

static enum refrain_status add_datatype(struct definitions *d, const struct functable *t,
                                        const struct call *call)
{
    struct datatype_size size = {.rank = call->rank, .handle = -1, .size = -1};
    const struct field fields[] = {{"newtype", &size.handle}, {"size", &size.size}};
    enum refrain_status status = read_fields(t, call, fields, sizeof fields / sizeof fields[0]);
    if (status != REFRAIN_OK || definitions_type_size(d, call->rank, size.handle) == size.size)
        return status;
    if (!array_push(&d->sizes, size))
        return REFRAIN_ERR_MEMORY;
    const uint32_t index = (uint32_t)(d->sizes.n - 1);
    const bool common = map_get(&d->by_handle, (uint64_t)size.handle) == MAP_NONE;
    return (common ? map_set(&d->by_handle, (uint64_t)size.handle, index)
                   : map_set(&d->by_own, own_key(size.rank, size.handle), index))
               ? REFRAIN_OK
               : REFRAIN_ERR_MEMORY;
}

int64_t definitions_type_size(const struct definitions *d, uint32_t rank, int64_t handle)
{
    const uint32_t own = map_get(&d->by_own, own_key(rank, handle));
    if (own != MAP_NONE && d->sizes.items[own].rank == rank && d->sizes.items[own].handle == handle)
        return d->sizes.items[own].size;
    const uint32_t common = map_get(&d->by_handle, (uint64_t)handle);
    return common == MAP_NONE ? -1 : d->sizes.items[common].size;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static enum refrain_status add_lane(struct definitions *d, const struct functable *t, const struct call *call)
{
    int64_t lane = -1, thread = -1;
    const struct field fields[] = {{"lane", &lane}, {"thread", &thread}};
    enum refrain_status status = read_fields(t, call, fields, sizeof fields / sizeof fields[0]);
    if (status != REFRAIN_OK || lane < 0 || lane >= UINT32_MAX || thread < 0 || thread >= UINT32_MAX)
        return status;
    return map_set(&d->threads, symbol_key(call->rank, lane), (uint32_t)thread) ? REFRAIN_OK
                                                                                : REFRAIN_ERR_MEMORY;
}

int64_t definitions_thread(const struct definitions *d, uint32_t rank, int64_t lane)
{
    const uint32_t thread = map_get(&d->threads, symbol_key(rank, lane));
    return thread == MAP_NONE ? -1 : (int64_t)thread;
}

/* ---- the order between threads --------------------------------------------------------------- */

/* Lanes still have the tracer's numbers: their threads are known later. */
static enum refrain_status add_order(struct definitions *d, const struct functable *t,
                                     const struct call *call)
{
    int64_t lane = -1, from = -1, before = -1, calls = -1;
    const struct field fields[] = {{"lane", &lane}, {"from", &from}, {"before", &before}, {"calls", &calls}};
    enum refrain_status status = read_fields(t, call, fields, sizeof fields / sizeof fields[0]);
    if (status != REFRAIN_OK || lane < 0 || lane >= UINT32_MAX || before < 0 || before >= UINT32_MAX ||
        from < 0 || calls < 0)
        return status;
    const struct precedence p = {call->rank, (uint32_t)lane, (uint32_t)before, (uint64_t)from,
                                 (uint64_t)calls};
    return array_push(&d->precedences, p) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static int compare_precedences(const struct precedence *a, uint32_t rank, uint32_t thread, uint64_t from)
{
    if (a->rank != rank)
        return a->rank < rank ? -1 : 1;
    if (a->thread != thread)
        return a->thread < thread ? -1 : 1;
    return a->from < from ? -1 : a->from > from;
}

static int by_thread(const void *a, const void *b)
{
    const struct precedence *y = b;
    return compare_precedences(a, y->rank, y->thread, y->from);
}

/* Keeps the precedences of existing threads, in their order. */
static void name_threads(struct definitions *d)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->precedences.n; i++) {
        struct precedence p = d->precedences.items[i];
        const int64_t thread = definitions_thread(d, p.rank, p.thread),
                      before = definitions_thread(d, p.rank, p.before);
        p.thread = (uint32_t)thread;
        p.before = (uint32_t)before;
        if (thread >= 0 && before >= 0 && thread != before)
            d->precedences.items[kept++] = p;
    }
    d->precedences.n = kept;
    if (kept > 0)
        qsort(d->precedences.items, kept, sizeof *d->precedences.items, by_thread);
}

const struct precedence *definitions_precedences(const struct definitions *d, uint32_t rank, uint32_t thread,
                                                 size_t *n)
{
    const struct precedence *items = d->precedences.items;
    const size_t first = BISECT(i, d->precedences.n, compare_precedences(&items[i], rank, thread, 0) < 0);
    size_t end = first;
    while (end < d->precedences.n && items[end].rank == rank && items[end].thread == thread)
        end++;
    *n = end - first;
    return items ? items + first : NULL;
}

/* ---- the whole run --------------------------------------------------------------------------- */

static enum refrain_status take_record(void *definitions, const struct reader *r, const struct call *call)
{
    static const struct {
        const char *function;
        enum refrain_status (*add)(struct definitions *, const struct functable *, const struct call *);
    } readers[] = {
        {"@comm", add_communicator}, {"@datatype", add_datatype}, {"@lane", add_lane}, {"@order", add_order}};

    const char *function = reader_function(r, call->site);
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        if (strcmp(function, readers[i].function) == 0)
            return readers[i].add(definitions, &r->trace.functions, call);
    }
    return REFRAIN_OK;
}

enum refrain_status definitions_read(struct definitions *d, const struct reader *r)
{
    enum refrain_status status = REFRAIN_OK;
    *d = (struct definitions){0};
    for (uint64_t rank = 0; status == REFRAIN_OK && reader_next_rank(r, &rank); rank++) {
        struct lane_ref lane;
        for (size_t at = 0;
             status == REFRAIN_OK && reader_next_lane(r, (uint32_t)rank, LANE_DEFINITIONS, &at, &lane);)
            status = cursor_walk(r, &lane, take_record, d);
    }
    name_threads(d);
    if (status != REFRAIN_OK)
        definitions_free(d);
    return status;
}

void definitions_free(struct definitions *d)
{
    array_free(&d->communicators);
    array_free(&d->members);
    array_free(&d->sizes);
    map_free(&d->by_key);
    map_free(&d->by_symbol);
    map_free(&d->by_handle);
    map_free(&d->by_own);
    map_free(&d->threads);
    array_free(&d->precedences);
    *d = (struct definitions){0};
}
