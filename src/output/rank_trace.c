/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank_trace.h"

#include <assert.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "generated/functions.h"
#include "referenced_constants.h"
#include "src/clock/clock_sync.h"
#include "src/core/base/log.h"
#include "src/memory/address_offset.h"
#include "src/record/definition_records.h"
#include "src/record/time_share.h"
#include "src/record/tracer.h"

/* Sum the nanoseconds that all threads spent in a function; false if no thread has called it. */
static bool add_up(uint32_t function, uint64_t *busy)
{
    uint64_t calls = 0;
    *busy = 0;
    for (const struct thread *t = atomic_load(&threads.first); t; t = t->next) {
        calls += t->calls ? t->calls[function] : 0;
        *busy += t->busy ? t->busy[function] : 0;
    }
    return calls > 0;
}

/* Store the number of calls that are not in the trace. */
static enum refrain_status store_left_out(struct trace *t)
{
    uint64_t n = 0;
    char number[24];
    for (const struct thread *of = atomic_load(&threads.first); of; of = of->next)
        n += of->left_out;
    if (n == 0)
        return REFRAIN_OK;
    snprintf(number, sizeof number, "%" PRIu64, n);
    return trace_add_meta(t, META_UNRECORDED, number);
}

static enum refrain_status store_times(struct trace *t, const uint32_t *to)
{
    for (uint32_t f = 0; f < FUNCTION_COUNT; f++) {
        uint64_t busy;
        if (to[f] == UINT32_MAX || !add_up(f, &busy))
            continue;
        struct rank_time time = {to[f], series_single(tracer.rank), series_single((int64_t)busy)};
        if (!time.ranks || !time.sums || !array_push(&t->rank_times, time)) {
            series_free(time.ranks);
            series_free(time.sums);
            return REFRAIN_ERR_MEMORY;
        }
    }
    return REFRAIN_OK;
}

enum refrain_status rank_trace_number_lanes(void)
{
    assert(slow_path_is_required(SLOW_PATH_PAUSED));
    size_t n;
    struct thread **list = thread_order_list(&n);
    if (!list)
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        struct thread *t = list[i];
        const bool named = t->is_named || handle_user_is_met(&t->handles);
        const bool tell = named && !(t->told && t->number == i);
        t->number = (uint32_t)i;
        t->told = t->told || tell;
        if (tell)
            definition_records_lane(t->handles.requests.lane, t->number);
    }
    free(list);
    return REFRAIN_OK;
}

static enum refrain_status store_lanes(struct trace *t)
{
    size_t n;
    struct thread **list = thread_order_list(&n);
    if (!list)
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status = definition_records_store(t->first_rank, t);
    for (size_t i = 0; i < n && !status; i++) {
        lane_renumber(list[i]->lane, list[i]->number);
        status = lane_store(list[i]->lane, t->first_rank, t);
    }
    free(list);
    return status;
}

/* The bytes that the first times of each thread but the first one may take, even beyond the budget. Otherwise
 * nobody knows when a thread began that made few calls. */
#define LEAST_OF_THREAD 256

static enum refrain_status store_calls_times(struct trace *t, bool quickly, struct bytes *pieces)
{
    size_t n;
    struct thread **list = thread_order_list(&n);
    if (!list)
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status = REFRAIN_OK;
    uint64_t left = time_share_bytes();
    for (size_t i = 0; i < n && !status; i++) {
        const size_t start = pieces->n;
        if (!list[i]->times || time_log_calls(list[i]->times) == 0)
            continue;
        uint64_t own = i > 0 && left < LEAST_OF_THREAD ? LEAST_OF_THREAD : left;
        status = time_log_store(list[i]->times, !quickly, left == UINT64_MAX ? NULL : &own, pieces);
        left = own < left ? own : left;
        if (!status && pieces->n > start)
            status = annex_add(&t->annex, t->first_rank, ANNEX_TIMES, list[i]->number, pieces->data + start,
                               pieces->n - start);
    }
    free(list);
    return status;
}

enum refrain_status rank_trace_make(struct trace *t, bool quickly, struct bytes *pieces)
{
    assert(slow_path_is_required(SLOW_PATH_PAUSED) && t->n_ranks == 0);
    const struct module_table *modules = callsite_modules();
    uint32_t *to = malloc(FUNCTION_COUNT * sizeof *to);
    if (!to) {
        log_error("no memory for the numbers of functions");
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = store_left_out(t);
    t->first_rank = (uint32_t)tracer.rank;
    t->n_ranks = 1;
    for (size_t i = 0; i < modules->names.n && !status; i++) {
        uint32_t index; /* equals i, because no name occurs twice */
        status = trace_intern_module(t, modules->names.items[i], &index);
    }
    for (size_t i = 0; i < modules->files.n && !status; i++)
        status = trace_set_meta(t, modules->files.items[i].key, modules->files.items[i].value);
    if (!status)
        status = address_offset_store(t);
    if (!status)
        status = store_lanes(t);
    if (!status)
        status = referenced_constants_select(t, to);
    if (!status)
        status = store_times(t, to);
    if (!status)
        status = store_calls_times(t, quickly, pieces);
    if (!status)
        status = clock_sync_store(t->first_rank, t);
    free(to);
    return status;
}
