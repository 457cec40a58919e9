/* SPDX-License-Identifier: BSD-3-Clause */
#include "otf2_rank.h"

#include "decoder/render/call_argument.h"
#include "decoder/trace/timed_lane.h"
#include "otf2_events.h"
#include "src/core/base/log.h"

#include <stdlib.h>

/* A thread that is being written. */
struct lane {
    struct otf2_writer writer;
    uint32_t thread;
    struct timed_lane timed; /* at the call that comes next, if there is one */
    bool more;
};

/* A rank's operations are one stream for all its threads, call by call (operation.h):
 *
 *     stream     17: SEND  18: RECEIVE  (thread 1) 3: SEND  19: COMPLETE COMPLETE …
 *     thread 0   0 … 16, 17 with SEND, 18 with RECEIVE, 19 with both
 *
 * The thread goes forward to the call that the operations are of; calls in between have none. */
struct rank {
    const struct otf2_shared *x;
    uint32_t rank;
    struct otf2_flight flight;
    ARRAY(struct lane) lanes;           /* the first one is the rank's master */
    struct lane *current;               /* whose next call these are of: */
    ARRAY(struct operation) operations; /* so far */
};

/* ---- one thread ------------------------------------------------------------------------------ */

static enum refrain_status lane_step(struct lane *l)
{
    enum refrain_status status;
    l->more = timed_lane_next(&l->timed, &status);
    return status;
}

static enum refrain_status lane_start(struct lane *l, const struct otf2_shared *x, const struct lane_ref *ref)
{
    *l = (struct lane){.thread = ref->shape->number};
    l->writer = (struct otf2_writer){.x = x, .attributes = OTF2_AttributeList_New(), .last = x->from};
    l->writer.writer = OTF2_Archive_GetEvtWriter(x->archive, otf2_location_id(ref->rank, l->thread));
    enum refrain_status status = l->writer.writer && l->writer.attributes ? REFRAIN_OK : otf2_missing();
    if (status == REFRAIN_OK)
        status = timed_lane_start(&l->timed, &x->timestamps, ref);
    return status == REFRAIN_OK ? lane_step(l) : status;
}

static enum refrain_status lane_finish(struct lane *l, uint32_t rank, struct otf2_locations *out)
{
    struct otf2_location location = {rank, l->thread, 0, l->writer.last};
    enum refrain_status status =
        otf2_check(OTF2_EvtWriter_GetNumberOfEvents(l->writer.writer, &location.events));
    if (status == REFRAIN_OK)
        status = OTF2_CLOSE(OTF2_Archive_CloseEvtWriter(l->writer.x->archive, l->writer.writer));
    if (status == REFRAIN_OK && !array_push(out, location))
        status = REFRAIN_ERR_MEMORY;
    return status;
}

/* Also of one that could not be started. */
static void lane_free(struct lane *l)
{
    if (l->writer.attributes)
        OTF2_AttributeList_Delete(l->writer.attributes);
    timed_lane_stop(&l->timed);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* MPI_Cart_create, as the first of the new communicator's members tells of it. */
static enum refrain_status note_grid(const struct otf2_shared *x, const struct call *call)
{
    struct layout_item comm, dims, periods;
    if (!call_argument(x->reader, call, "comm_cart", &comm) ||
        !call_argument(x->reader, call, "dims", &dims) ||
        !call_argument(x->reader, call, "periods", &periods) || dims.count != periods.count ||
        comm.slots[0] & 1)
        return REFRAIN_OK;
    const struct member *m = definitions_member(x->definitions, call->rank, comm.slots[0] >> 1);
    if (!m || m->rank_in_comm != 0 || dims.count <= 0)
        return REFRAIN_OK;
    struct otf2_grid grid = {.comm = (int64_t)m->number << 1, .n = (uint32_t)dims.count};
    grid.dimensions = calloc(grid.n, sizeof *grid.dimensions);
    if (!grid.dimensions) {
        log_error("out of memory: a Cartesian communicator");
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < grid.n; i++) {
        grid.dimensions[i].size = (uint32_t)dims.slots[i];
        grid.dimensions[i].periodic = periods.slots[i] != 0;
    }
    return otf2_objects_add_grid(x->objects, &grid);
}

/* The thread's next call, with what was collected for it. */
static enum refrain_status put_call(struct rank *r, struct lane *l)
{
    const struct otf2_shared *x = r->x;
    const struct operation *operations = r->operations.items;
    const size_t n = l == r->current ? r->operations.n : 0;
    const struct call *call = &l->timed.call;
    const struct timestamp *timestamp = &l->timed.timestamp;
    enum refrain_status status = call->function == x->cart_create ? note_grid(x, call) : REFRAIN_OK;
    if (status == REFRAIN_OK && timestamp->enter >= x->from && timestamp->leave <= x->to)
        status = otf2_events_put(&l->writer, &r->flight, call, timestamp, operations, n);
    else if (status == REFRAIN_OK)
        status = otf2_events_skip(&l->writer, &r->flight, call, operations, n);
    progress_call(x->progress, l->timed.call.index);
    if (n > 0)
        r->operations.n = 0;
    return status == REFRAIN_OK ? lane_step(l) : status;
}

static enum refrain_status go_to(struct rank *r, struct lane *l, uint64_t index)
{
    enum refrain_status status = REFRAIN_OK;
    while (status == REFRAIN_OK && l->more && l->timed.call.index < index)
        status = put_call(r, l);
    return status;
}

static struct lane *lane_of(struct rank *r, uint32_t thread)
{
    for (size_t i = 0; i < r->lanes.n; i++) {
        if (r->lanes.items[i].thread == thread)
            return &r->lanes.items[i];
    }
    return NULL;
}

/* Collects an operation. The first one of another call has the last call written first. */
static enum refrain_status take(struct rank *r, const struct operation *op)
{
    struct lane *l =
        r->current && r->current->thread == op->call.thread ? r->current : lane_of(r, op->call.thread);
    enum refrain_status status = REFRAIN_OK;
    if (!l)
        return REFRAIN_OK;
    if (r->operations.n > 0 && (l != r->current || l->timed.call.index != op->call.call))
        status = put_call(r, r->current);
    r->current = NULL;
    if (status == REFRAIN_OK && l->timed.call.index < op->call.call)
        status = go_to(r, l, op->call.call);
    r->current = l;
    if (status == REFRAIN_OK && !array_push(&r->operations, *op))
        status = REFRAIN_ERR_MEMORY;
    return status;
}

static enum refrain_status put_calls(struct rank *r)
{
    struct operations *operations;
    const struct operation *op;
    enum refrain_status status = operations_create(&r->x->source, r->rank, &operations);
    if (status != REFRAIN_OK)
        return status;
    while (operations_next(operations, &op, &status)) {
        const bool never = op->kind == OPERATION_COMPLETE && op->outcome == OPERATION_NEVER;
        if (!never && (status = take(r, op)) != REFRAIN_OK)
            break;
    }
    if (status == REFRAIN_OK && r->operations.n > 0)
        status = put_call(r, r->current);
    for (size_t i = 0; status == REFRAIN_OK && i < r->lanes.n; i++)
        status = go_to(r, &r->lanes.items[i], UINT64_MAX);
    operations_free(operations); /* which has the partners of epochs */
    return status;
}

/* ---- the rank -------------------------------------------------------------------------------- */

static enum refrain_status start_lanes(struct rank *r)
{
    struct lane_ref ref;
    enum refrain_status status = REFRAIN_OK;
    for (size_t at = 0;
         status == REFRAIN_OK && reader_next_lane(r->x->reader, r->rank, LANE_THREAD, &at, &ref);) {
        if (!array_reserve(&r->lanes, 1))
            return REFRAIN_ERR_MEMORY;
        status = lane_start(&r->lanes.items[r->lanes.n++], r->x, &ref);
    }
    return status;
}

/* Readers show the program as a region that all calls of the rank are in: it begins with the archive and ends
 * behind the last event of all threads. */
static enum refrain_status put_program(struct rank *r)
{
    struct otf2_writer *master = &r->lanes.items[0].writer;
    uint64_t last = 0;
    enum refrain_status status = otf2_check(
        OTF2_EvtWriter_ProgramBegin(master->writer, NULL, r->x->from, OTF2_STRING_PROGRAM, 0, NULL));
    if (status == REFRAIN_OK)
        status = put_calls(r);
    for (size_t i = 0; i < r->lanes.n; i++)
        last = r->lanes.items[i].writer.last > last ? r->lanes.items[i].writer.last : last;
    if (status == REFRAIN_OK)
        status = otf2_check(OTF2_EvtWriter_ProgramEnd(master->writer, NULL, otf2_timestamp(master, last),
                                                      OTF2_UNDEFINED_INT64));
    return status;
}

/* A rank of which nothing is known is a location without events. Readers want a file for it all the same. */
static enum refrain_status put_nobody(const struct rank *r, struct otf2_locations *out)
{
    OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(r->x->archive, otf2_location_id(r->rank, 0));
    enum refrain_status status =
        w ? OTF2_CLOSE(OTF2_Archive_CloseEvtWriter(r->x->archive, w)) : otf2_missing();
    if (status == REFRAIN_OK && !array_push(out, ((struct otf2_location){.rank = r->rank})))
        status = REFRAIN_ERR_MEMORY;
    return status;
}

enum refrain_status otf2_rank_write(const struct otf2_shared *x, uint32_t rank, struct otf2_locations *out)
{
    struct rank r = {.x = x, .rank = rank};
    enum refrain_status status = start_lanes(&r);
    if (status == REFRAIN_OK && r.lanes.n > 0)
        status = put_program(&r);
    else if (status == REFRAIN_OK)
        status = put_nobody(&r, out);
    for (size_t i = 0; i < r.lanes.n; i++) {
        if (status == REFRAIN_OK)
            status = lane_finish(&r.lanes.items[i], rank, out);
        lane_free(&r.lanes.items[i]);
    }
    array_free(&r.lanes);
    array_free(&r.operations);
    otf2_flight_free(&r.flight);
    return status;
}
