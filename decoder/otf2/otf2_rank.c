/* SPDX-License-Identifier: BSD-3-Clause */
#include "otf2_rank.h"

#include "decoder/match/stream/call_stream.h"
#include "decoder/render/call_argument.h"
#include "otf2_events.h"
#include "src/core/base/log.h"

#include <stdlib.h>

struct rank {
    const struct otf2_shared *x;
    uint32_t rank;
    struct call_stream *stream; /* has the partners of epochs, too */
    struct otf2_flight flight;
    /* by lane of the stream; the first one also has the program region */
    ARRAY(struct otf2_writer) writers;
};

/* ---- one thread ------------------------------------------------------------------------------ */

static enum refrain_status writer_open(struct otf2_writer *w, const struct otf2_shared *x,
                                       OTF2_LocationRef location)
{
    *w = (struct otf2_writer){.x = x, .attributes = OTF2_AttributeList_New(), .last = x->from};
    w->writer = OTF2_Archive_GetEvtWriter(x->archive, location);
    otf2_regions_start(&w->regions, x);
    return w->writer && w->attributes ? REFRAIN_OK : otf2_missing();
}

static enum refrain_status writer_close(struct otf2_writer *w, uint32_t rank, uint32_t thread,
                                        struct otf2_locations *out)
{
    struct otf2_location location = {rank, thread, 0, w->last};
    enum refrain_status status = otf2_check(OTF2_EvtWriter_GetNumberOfEvents(w->writer, &location.events));
    if (status == REFRAIN_OK)
        status = OTF2_CLOSE(OTF2_Archive_CloseEvtWriter(w->x->archive, w->writer));
    if (status == REFRAIN_OK && !array_push(out, location))
        status = REFRAIN_ERR_MEMORY;
    return status;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Notes a grid that MPI_Cart_create made, from the call of the first member of the new
 * communicator. */
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

static enum refrain_status put_call(struct rank *r, const struct stream_call *c)
{
    const struct otf2_shared *x = r->x;
    struct otf2_writer *w = &r->writers.items[c->lane];
    enum refrain_status status =
        otf2_role(x, c->call->function)->actions & ROLE_GRID ? note_grid(x, c->call) : REFRAIN_OK;
    bool entered = false, in_span = otf2_is_in_span(x, c->timestamp);
    progress_call(x->progress, c->call->index);
    if (status == REFRAIN_OK)
        status = otf2_regions_before(w, c->call, *c->timestamp, in_span);
    if (status == REFRAIN_OK && (c->n_around > 0 || w->around.n > 0))
        status = otf2_events_nest(w, c, &entered, &in_span);
    if (status == REFRAIN_OK && !otf2_is_region(x, c->call->function))
        status = in_span ? otf2_events_put(w, &r->flight, c, entered) : otf2_events_skip(w, &r->flight, c);
    return status == REFRAIN_OK ? otf2_regions_behind(w, *c->timestamp, in_span) : status;
}

static enum refrain_status put_calls(struct rank *r)
{
    struct stream_call call;
    enum refrain_status status = REFRAIN_OK;
    while (status == REFRAIN_OK && call_stream_next(r->stream, &call, &status))
        status = put_call(r, &call);
    for (size_t i = 0; status == REFRAIN_OK && i < r->writers.n; i++)
        status = otf2_regions_end(&r->writers.items[i]);
    return status;
}

/* ---- the rank -------------------------------------------------------------------------------- */

static enum refrain_status open_writers(struct rank *r)
{
    const size_t n = call_stream_lanes(r->stream);
    enum refrain_status status = array_reserve(&r->writers, n) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; status == REFRAIN_OK && i < n; i++)
        status = writer_open(&r->writers.items[r->writers.n++], r->x,
                             otf2_location_id(r->rank, call_stream_thread(r->stream, i)));
    return status;
}

/* Readers show the program as a region around all calls of the rank. It begins with the archive
 * and ends after the last event of all threads. */
static enum refrain_status put_program(struct rank *r)
{
    struct otf2_writer *master = &r->writers.items[0];
    uint64_t last = 0;
    enum refrain_status status = otf2_check(
        OTF2_EvtWriter_ProgramBegin(master->writer, NULL, r->x->from, OTF2_STRING_PROGRAM, 0, NULL));
    if (status == REFRAIN_OK)
        status = put_calls(r);
    for (size_t i = 0; i < r->writers.n; i++)
        last = r->writers.items[i].last > last ? r->writers.items[i].last : last;
    if (status == REFRAIN_OK)
        status = otf2_check(OTF2_EvtWriter_ProgramEnd(master->writer, NULL, otf2_timestamp(master, last),
                                                      OTF2_UNDEFINED_INT64));
    return status;
}

/* A rank without data is a location without events. Readers require a file for it, too. */
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
    enum refrain_status status = call_stream_create(&x->source, rank, &r.stream);
    if (status == REFRAIN_OK)
        status = open_writers(&r);
    if (status == REFRAIN_OK && r.writers.n > 0)
        status = put_program(&r);
    else if (status == REFRAIN_OK)
        status = put_nobody(&r, out);
    for (size_t i = 0; i < r.writers.n; i++) {
        struct otf2_writer *w = &r.writers.items[i];
        if (status == REFRAIN_OK)
            status = writer_close(w, rank, call_stream_thread(r.stream, i), out);
        otf2_regions_stop(&w->regions);
        if (w->attributes)
            OTF2_AttributeList_Delete(w->attributes);
        array_free(&w->around);
    }
    array_free(&r.writers);
    otf2_flight_free(&r.flight);
    call_stream_free(r.stream);
    return status;
}
