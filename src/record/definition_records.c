/* SPDX-License-Identifier: BSD-3-Clause */
#include "definition_records.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "comm.h"
#include "generated/functions.h"
#include "src/core/trace/verify_record.h"
#include "tracer.h"
#include "verify_writer.h"

/* ---- the table ------------------------------------------------------------------------------- */

enum {
#define KIND(id, name, type, set, prefix) KIND_##id,
#define DEFINITION(id, name)
#define FIELD(name, kind)
#define END
#include "definition_records.def"
#undef KIND
#undef DEFINITION
};

enum definition {
#define KIND(id, name, type, set, prefix)
#define DEFINITION(id, name) DEFINITION_##id,
#include "definition_records.def"
#undef KIND
#undef DEFINITION
#undef FIELD
#undef END
    DEFINITIONS
};

/* An array of parameters for each pseudo function; the last entry has no name. */
#define KIND(id, name, type, set, prefix)
#define DEFINITION(id, name) static struct param params_##id[] = {
#define FIELD(name, kind)    {(char *)(name), KIND_##kind, PARAM_IN},
#define END                                                                                                  \
    }                                                                                                        \
    ;
#include "definition_records.def"
#undef KIND
#undef DEFINITION
#undef FIELD
#undef END

static struct kind kinds[] = {
#define KIND(id, name, type, set, prefix) {(char *)(name), type, (char *)(set), (char *)(prefix)},
#define DEFINITION(id, name)
#define FIELD(name, kind)
#define END
#include "definition_records.def"
#undef KIND
#undef DEFINITION
};

static struct function functions[] = {
#define KIND(id, name, type, set, prefix)
#define DEFINITION(id, name)                                                                                 \
    [DEFINITION_##id] = {(char *)(name), 0, sizeof params_##id / sizeof params_##id[0], params_##id},
#include "definition_records.def"
#undef KIND
#undef DEFINITION
#undef FIELD
#undef END
};

const struct functable definition_records_table = {
    .kinds = {.items = kinds, .n = sizeof kinds / sizeof kinds[0]},
    .functions = {.items = functions, .n = DEFINITIONS},
};

/* ---- the lane -------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects what follows; definitions are rare */
static struct lane *lane;
static struct verify_writer raw;

/* ---- records --------------------------------------------------------------------------------- */

#define TEXT_MAX   256 /* bytes of a text that are kept */
#define TEXT_SLOTS (1 + TEXT_MAX / 8)
#define SLOTS_MAX  (TEXT_SLOTS + 16) /* no definition has more than one text and 16 other fields */

static struct {
    uint32_t site[DEFINITIONS];
    uint64_t hash[DEFINITIONS];
} sites;

struct record {
    int64_t slots[SLOTS_MAX];
    uint32_t n;
};

static void put(struct record *r, int64_t value)
{
    r->slots[r->n++] = value;
}

static void put_text(struct record *r, const char *text)
{
    const size_t n = strnlen(text, TEXT_MAX);
    put(r, (int64_t)n);
    for (size_t i = 0; i < n; i += 8) {
        uint64_t slot = 0;
        for (size_t b = 0; b < 8 && i + b < n; b++)
            slot |= (uint64_t)(unsigned char)text[i + b] << 8 * b;
        put(r, (int64_t)slot);
    }
}

static void set_changing(bool changing)
{
    if (thread_self) /* else the others are paused, and this thread is ending the program */
        thread_self->changing = changing;
}

static void record(enum definition d, const struct record *r)
{
    set_changing(true);
    pthread_mutex_lock(&lock);
    const enum refrain_status status = lane_record(lane, sites.site[d], r->slots, r->n, 0, 0);
    if (!status)
        verify_writer_put(&raw, sites.hash[d], r->slots, r->n, NULL);
    pthread_mutex_unlock(&lock);
    set_changing(false);
    if (status)
        tracer_stop();
}

enum refrain_status definition_records_start(void)
{
    verify_init_definitions(&raw);
    lane = lane_create(LANE_DEFINITIONS, 0, false);
    if (!lane)
        return REFRAIN_ERR_MEMORY;
    for (uint32_t d = 0; d < DEFINITIONS; d++) {
        const struct site site = {.function = FUNCTION_COUNT + d};
        enum refrain_status status = lane_add_site(lane, &site, &sites.site[d]);
        if (status)
            return status;
        sites.hash[d] = verify_record_site_hash(functions[d].name, NULL, 0, NULL);
    }
    return REFRAIN_OK;
}

void definition_records_comm(const struct comm *comm, const char *function, int64_t parent, uint64_t sequence)
{
    struct record r = {.n = 0};
    put(&r, comm->slot);
    put_text(&r, function);
    put(&r, parent);
    put(&r, (int64_t)sequence);
    put(&r, comm->leader);
    put(&r, comm->size);
    put(&r, comm->rank);
    put(&r, comm->remote_leader);
    put(&r, comm->remote_size);
    record(DEFINITION_COMM, &r);
}

void definition_records_datatype(int64_t type, int64_t size, int64_t lb, int64_t extent)
{
    const struct record r = {.slots = {type, size, lb, extent}, .n = 4};
    record(DEFINITION_DATATYPE, &r);
}

void definition_records_process(const char *host, int64_t processors)
{
    struct record r = {.n = 0};
    put_text(&r, host);
    put(&r, processors);
    record(DEFINITION_PROCESS, &r);
}

void definition_records_processor(int64_t ready)
{
    const struct record r = {.slots = {ready}, .n = 1};
    record(DEFINITION_PROCESSOR, &r);
}

void definition_records_end(const char *how, int64_t detail)
{
    struct record r = {.n = 0};
    put_text(&r, how);
    put(&r, detail);
    record(DEFINITION_END_OF_RUN, &r);
}

void definition_records_lane(uint32_t number, uint32_t thread)
{
    const struct record r = {.slots = {number, thread}, .n = 2};
    record(DEFINITION_LANE, &r);
}

void definition_records_order(uint32_t number, uint64_t from, uint32_t before, uint64_t calls)
{
    const struct record r = {.slots = {number, (int64_t)from, before, (int64_t)calls}, .n = 4};
    record(DEFINITION_ORDER, &r);
}

enum refrain_status definition_records_store(uint32_t rank, struct trace *t)
{
    assert(slow_path_is_required(SLOW_PATH_PAUSED));
    return lane_store(lane, rank, t);
}

struct verify_writer *definition_records_verify_writer(void)
{
    return &raw;
}

void definition_records_clear(void)
{
    lane_free(lane);
    lane = NULL;
}
