#include "store.h"

#include <stdio.h>
#include <stdlib.h>

#include "functions.h"
#include "log.h"
#include "places.h"
#include "recording.h"
#include "tracer.h"
#include "used.h"

static enum refrain_status store_times(struct trace *t, const uint32_t *to)
{
    for (uint32_t f = 0; tracer.busy && f < FUNCTION_COUNT; f++) {
        if (to[f] == UINT32_MAX || tracer.n_calls[f] == 0)
            continue;
        struct rank_time time = {to[f], series_create(), series_create()};
        enum refrain_status status = REFRAIN_ERR_MEMORY;
        if (time.ranks && time.sums)
            status = series_append(time.ranks, tracer.rank);
        if (!status)
            status = series_append(time.sums, (int64_t)tracer.busy[f]);
        if (!status && !array_push(&t->rank_times, time))
            status = REFRAIN_ERR_MEMORY;
        if (status) {
            series_free(time.ranks);
            series_free(time.sums);
            return status;
        }
    }
    return REFRAIN_OK;
}

enum refrain_status store_rank(struct trace *t)
{
    enum refrain_status status = REFRAIN_OK;
    uint32_t *to = malloc(FUNCTION_COUNT * sizeof *to);
    if (!to) {
        log_error("no memory for the numbers of functions");
        return REFRAIN_ERR_MEMORY;
    }
    if (recording_left_out() > 0) {
        char number[24];
        snprintf(number, sizeof number, "%llu", (unsigned long long)recording_left_out());
        status = trace_add_meta(t, META_UNRECORDED, number);
    }
    t->first_rank = (uint32_t)tracer.rank;
    t->n_ranks = 1;
    for (size_t i = 0; i < tracer.sites.modules.names.n && !status; i++) {
        uint32_t index; /* = i: no name is there twice */
        status = trace_intern_module(t, tracer.sites.modules.names.items[i], &index);
    }
    for (size_t i = 0; i < tracer.sites.modules.files.n && !status; i++) {
        const struct meta *file = &tracer.sites.modules.files.items[i];
        status = trace_set_meta(t, file->key, file->value);
    }
    if (!status)
        status = places_store(t);
    if (!status)
        status = lane_store(tracer.definitions, t->first_rank, t);
    if (!status)
        status = lane_store(tracer.calls, t->first_rank, t);
    if (!status)
        status = used_select(t, to);
    if (!status)
        status = store_times(t, to);
    free(to);
    return status;
}
