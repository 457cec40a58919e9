/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain messages: shows which receive matches which message, and which calls form one collective
 * operation. */
#include "commands.h"

#include "decoder/match/matching_text.h"
#include "decoder/trace/ranges.h"
#include "decoder/util/emitter.h"
#include "src/core/base/log.h"
#include "world_select.h"

#include <stdlib.h>

/* Counts for one communicator. */
struct count {
    int64_t comm;
    uint64_t messages, bytes, collectives, incomplete;
};

struct report {
    struct matching_text text;
    struct output out;
    struct ranges ranks;
    bool summary;
    uint64_t unmatched[MATCHING_REASONS];
    uint64_t faults;
    struct map by_comm; /* handle slot -> count */
    ARRAY(struct count) counts;
    struct bytes wrong; /* error lines for the summary */
};

static struct count *count_of(struct report *r, int64_t comm)
{
    uint32_t i = map_get(&r->by_comm, (uint64_t)comm);
    if (i == MAP_NONE) {
        i = (uint32_t)r->counts.n;
        if (!array_push(&r->counts, (struct count){.comm = comm}) || !map_set(&r->by_comm, (uint64_t)comm, i))
            return NULL;
    }
    return &r->counts.items[i];
}

/* If the reader of the output closes it, the walk ends; that is no error (see cmd_messages). */
static enum refrain_status drain(struct report *r)
{
    const enum refrain_status status = output_drain(&r->out);
    return status == REFRAIN_OK && r->out.closed ? REFRAIN_ERR_IO : status;
}

static enum refrain_status take_message(void *context, const struct matching_message *m)
{
    struct report *r = context;
    if (!ranges_has(&r->ranks, m->send.rank) && !ranges_has(&r->ranks, m->receive.rank))
        return REFRAIN_OK;
    if (!r->summary) {
        matching_put_message(&r->text, m, &r->out.text);
        return drain(r);
    }
    struct count *c = count_of(r, m->comm);
    if (!c)
        return REFRAIN_ERR_MEMORY;
    c->messages++;
    c->bytes += m->bytes;
    return REFRAIN_OK;
}

static bool concerns(const struct report *r, const struct matching_collective *c)
{
    for (size_t i = 0; i < c->n; i++) {
        if (ranges_has(&r->ranks, c->members[i].call.rank))
            return true;
    }
    return false;
}

static enum refrain_status take_collective(void *context, const struct matching_collective *c)
{
    struct report *r = context;
    const bool incomplete = c->n < c->expected || !c->agree, wrong = incomplete && !c->excused;
    if (!concerns(r, c))
        return REFRAIN_OK;
    r->faults += wrong;
    if (!r->summary) {
        matching_put_collective(&r->text, c, &r->out.text);
        return drain(r);
    }
    struct count *count = count_of(r, c->scope.comm);
    if (!count)
        return REFRAIN_ERR_MEMORY;
    count->collectives++;
    count->incomplete += incomplete;
    if (wrong)
        matching_put_collective(&r->text, c, &r->wrong);
    return REFRAIN_OK;
}

static enum refrain_status take_unmatched(void *context, const struct matching_unmatched *u)
{
    struct report *r = context;
    const bool wrong = matching_is_fault(u->reason);
    if (!ranges_has(&r->ranks, u->call.rank))
        return REFRAIN_OK;
    r->faults += wrong;
    r->unmatched[u->reason]++;
    if (!r->summary) {
        matching_put_unmatched(&r->text, u, &r->out.text);
        return drain(r);
    }
    if (wrong)
        matching_put_unmatched(&r->text, u, &r->wrong);
    return REFRAIN_OK;
}

/* ---- the summary ----------------------------------------------------------------------------- */

/* Predefined communicators come first. */
static int by_comm(const void *a, const void *b)
{
    const int64_t x = ((const struct count *)a)->comm, y = ((const struct count *)b)->comm;
    if ((x & 1) != (y & 1))
        return x & 1 ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void put_counts(struct report *r, struct emitter *e)
{
    static const struct emitter_column columns[] = {{"comm", "communicator", true, 0, 0},
                                                    {"messages", "messages", false, 0, 0},
                                                    {"bytes", "bytes", false, 0, 0},
                                                    {"collectives", "collectives", false, 0, 0},
                                                    {"incomplete", "incomplete", false, 0, 0}};
    struct bytes name = {0};
    if (r->counts.n > 0)
        qsort(r->counts.items, r->counts.n, sizeof *r->counts.items, by_comm);
    emitter_table(e, "communicators", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < r->counts.n; i++) {
        const struct count *c = &r->counts.items[i];
        name.n = 0;
        matching_put_comm(&r->text, c->comm, &name);
        bytes_put_u8(&name, '\0');
        emitter_cell_text(e, name.failed ? "?" : (const char *)name.data);
        emitter_cell_uint(e, c->messages);
        emitter_cell_uint(e, c->bytes);
        emitter_cell_uint(e, c->collectives);
        emitter_cell_uint(e, c->incomplete);
    }
    emitter_table_end(e);
    bytes_free(&name);
}

static void put_reasons(const struct report *r, struct emitter *e)
{
    static const struct emitter_column columns[] = {{"reason", "not matched", true, 0, 0},
                                                    {"operations", "operations", false, 0, 0}};
    uint64_t n = 0;
    for (size_t i = 0; i < MATCHING_REASONS; i++)
        n += r->unmatched[i];
    if (n == 0 && !e->as_json)
        return;
    emitter_table(e, "unmatched", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < MATCHING_REASONS; i++) {
        if (r->unmatched[i] > 0) {
            emitter_cell_text(e, matching_reasons[i]);
            emitter_cell_uint(e, r->unmatched[i]);
        }
    }
    emitter_table_end(e);
}

static enum refrain_status print_summary(struct report *r)
{
    struct emitter e = emitter_open(&r->out, r->text.as_json, 0);
    put_counts(r, &e);
    put_reasons(r, &e);
    const enum refrain_status status = emitter_close(&e);
    if (r->wrong.n > 0 && !r->text.as_json)
        bytes_put_u8(&r->out.text, '\n');
    bytes_put(&r->out.text, r->wrong.data, r->wrong.n);
    return r->wrong.failed ? REFRAIN_ERR_MEMORY : status;
}

static void report_free(struct report *r)
{
    ranges_free(&r->ranks);
    map_free(&r->by_comm);
    array_free(&r->counts);
    bytes_free(&r->wrong);
}

enum refrain_status cmd_messages(const struct options *o)
{
    struct reader reader;
    struct definitions definitions = {0};
    struct report report = {.summary = options_has(o, OPTION_SUMMARY)};
    const struct matching_sink sink = {.context = &report,
                                       .message = take_message,
                                       .collective = take_collective,
                                       .unmatched = take_unmatched};

    enum refrain_status status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    report.text = (struct matching_text){&reader.trace.functions, options_has(o, OPTION_JSON)};
    if ((status = ranges_parse(&report.ranks, options_value(o, OPTION_RANK))) == REFRAIN_OK &&
        (status = ranges_check(&report.ranks, &reader.trace)) == REFRAIN_OK &&
        (status = definitions_read(&definitions, &reader)) == REFRAIN_OK)
        status = matching_run(&reader, &definitions, &sink);
    if (report.out.closed)
        status = REFRAIN_OK;
    if (status == REFRAIN_OK && report.summary)
        status = print_summary(&report);
    const enum refrain_status written = output_close(&report.out);
    if (status == REFRAIN_OK)
        status = written;
    if (status == REFRAIN_OK && report.faults > 0)
        status = REFRAIN_ERR_CHECK;
    report_free(&report);
    definitions_free(&definitions);
    reader_close(&reader);
    return status;
}
