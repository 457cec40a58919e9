/* SPDX-License-Identifier: BSD-3-Clause */
#include "otf2_export.h"

#include "decoder/util/thread_pool.h"
#include "otf2_global.h"
#include "otf2_rank.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* ---- events: each thread writes one rank after the other ------------------------------------- */

struct writing {
    const struct otf2_shared *x;
    struct otf2_locations *written; /* by thread */
};

static enum refrain_status write_rank(void *context, size_t number, unsigned thread)
{
    const struct writing *w = context;
    return otf2_rank_write(w->x, w->x->ranks.ranks[number], &w->written[thread]);
}

/* Moves the list's items to `out` and frees the list. */
static enum refrain_status take_locations(struct otf2_locations *from, struct otf2_locations *out)
{
    const enum refrain_status status = array_reserve(out, from->n) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (size_t k = 0; status == REFRAIN_OK && k < from->n; k++)
        out->items[out->n++] = from->items[k];
    array_free(from);
    return status;
}

static int by_rank_and_thread(const void *a, const void *b)
{
    const struct otf2_location *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* Writes all events. *out gets the lanes' results, in the order of ranks and threads. */
static enum refrain_status write_events(const struct otf2_shared *x, struct otf2_locations *out)
{
    struct thread_pool *pool = thread_pool_create();
    const unsigned n = pool ? thread_pool_size(pool) : 0;
    struct writing w = {.x = x, .written = calloc(n + 1, sizeof *w.written)};
    enum refrain_status status = pool && w.written ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (!w.written)
        log_error("out of memory: the events of %u ranks", x->ranks.n);
    if (status == REFRAIN_OK)
        status = otf2_check(OTF2_Archive_OpenEvtFiles(x->archive));
    if (status == REFRAIN_OK)
        status = thread_pool_run(pool, 0, x->ranks.n, write_rank, &w);
    for (unsigned t = 0; t < n && w.written; t++) {
        const enum refrain_status taken = take_locations(&w.written[t], out);
        status = status == REFRAIN_OK ? taken : status;
    }
    if (status == REFRAIN_OK)
        status = OTF2_CLOSE(OTF2_Archive_CloseEvtFiles(x->archive));
    if (out->n > 0)
        qsort(out->items, out->n, sizeof *out->items, by_rank_and_thread);
    free(w.written);
    thread_pool_free(pool);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static enum refrain_status number_definitions(struct otf2_shared *x)
{
    const struct trace *t = &x->reader->trace;
    const size_t n = t->functions.functions.n;
    OTF2_RegionRef region = OTF2_REGION_PROGRAM;
    OTF2_SourceCodeLocationRef source = 0;
    x->regions = calloc(n + 1, sizeof *x->regions);
    x->sources = calloc(t->sites.n + 1, sizeof *x->sources);
    if (!x->regions || !x->sources) {
        log_error("out of memory: %zu call sites", t->sites.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        const char *name = t->functions.functions.items[i].name;
        const bool is_call = name[0] != '@' && !otf2_is_region(x, (uint32_t)i);
        x->regions[i] = is_call ? ++region : OTF2_UNDEFINED_REGION;
    }
    x->first_own_region = region + 1;
    for (size_t i = 0; i < t->sites.n; i++) {
        const struct site *site = &t->sites.items[i];
        const bool known = site->n_frames > 0 && symbols_find(x->symbols, &site->frames[0]).items[0].file;
        x->sources[i] = known ? source++ : OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
    }
    return REFRAIN_OK;
}

/* Do the events contain a call? The program region of each rank's first thread has two events. */
static bool has_calls(const struct otf2_locations *locations)
{
    uint64_t events = 0, ranks = 0;
    for (size_t i = 0; i < locations->n; i++) {
        const struct otf2_location *l = &locations->items[i];
        events += l->events;
        ranks += l->events > 0 && (i == 0 || l->rank != l[-1].rank);
    }
    return events > 2 * ranks;
}

static enum refrain_status write_archive(struct otf2_shared *x)
{
    const bool everything = x->from == 0 && x->to == UINT64_MAX;
    struct otf2_locations locations = {0};
    enum refrain_status status = write_events(x, &locations);
    if (status == REFRAIN_OK && !everything && !has_calls(&locations)) {
        log_error("%s: no call in that time (--from, --to)", x->reader->path);
        status = REFRAIN_ERR_USAGE;
    }
    if (status == REFRAIN_OK)
        status = otf2_global_write(x, &locations);
    array_free(&locations);
    return status;
}

/* Finds everything that must be known before writing begins. */
static enum refrain_status prepare(struct otf2_shared *x, const struct otf2_request *request)
{
    enum refrain_status status = otf2_ranks_create(&x->ranks, x->reader, x->definitions, request->ranks);
    if (status == REFRAIN_OK)
        status = timestamps_source_create(&x->timestamps, x->reader, request->synthetic);
    x->synthetic = x->timestamps.synthetic;
    if (status == REFRAIN_OK)
        status =
            logical_clock_apply(&x->logical_clock, request->clock, x->reader, x->definitions, &x->timestamps);
    if (status == REFRAIN_OK)
        status = operation_source_create(&x->source, x->reader, x->definitions);
    x->source.timestamps = &x->timestamps;
    x->source.details = true;
    return status == REFRAIN_OK ? number_definitions(x) : status;
}

enum refrain_status otf2_export(const struct otf2_request *request, const struct reader *r,
                                const struct definitions *d, const struct symbols *symbols)
{
    struct otf2_archive archive;
    struct otf2_objects objects;
    struct progress progress = {0};
    struct otf2_shared x = {.reader = r,
                            .definitions = d,
                            .symbols = symbols,
                            .objects = &objects,
                            .progress = &progress,
                            .from = request->from,
                            .to = request->to,
                            .compat = request->compat};
    otf2_objects_create(&objects);
    enum refrain_status status = prepare(&x, request);
    if (status == REFRAIN_OK && (status = otf2_archive_open(&archive, request->directory)) == REFRAIN_OK) {
        x.archive = archive.archive;
        progress_start(&progress, "otf2", reader_calls(r));
        status = write_archive(&x);
        progress_end(&progress);
        status = otf2_archive_close(&archive, status);
    }
    free(x.regions);
    free(x.sources);
    operation_source_free(&x.source);
    timestamps_source_free(&x.timestamps);
    logical_clock_free(&x.logical_clock);
    otf2_ranks_free(&x.ranks);
    otf2_objects_free(&objects);
    return status;
}
