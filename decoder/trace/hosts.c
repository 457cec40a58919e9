/* SPDX-License-Identifier: BSD-3-Clause */
#include "hosts.h"

#include "cursor.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"
#include "src/core/base/map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define UNKNOWN "unknown"

/* What the records say of a rank; what they do not say stays as it is. */
struct said {
    char name[256];
    int64_t processors, ready;
};

static enum refrain_status take(const struct reader *r, const struct call *call, struct said *out)
{
    const struct functable *t = &r->trace.functions;
    const struct {
        const char *function, *name;
        int64_t *to;
    } numbers[] = {{"@process", "processors", &out->processors}, {"@processor", "ready", &out->ready}};
    const char *function = t->functions.items[call->function].name;
    struct layout layout;
    struct layout_item item;
    enum refrain_status status = REFRAIN_OK;
    if (strcmp(function, "@process") != 0 && strcmp(function, "@processor") != 0)
        return REFRAIN_OK;
    layout_start(&layout, t, call->function, call->slots, call->n_slots);
    while (layout_next(&layout, &item, &status)) {
        if (item.param && item.kind->type == VALUE_STRING && strcmp(item.param->name, "host") == 0)
            text_of_slots(item.slots, out->name, sizeof out->name);
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            if (item.param && item.kind->type == VALUE_INT && item.n_slots > 0 &&
                strcmp(function, numbers[i].function) == 0 && strcmp(item.param->name, numbers[i].name) == 0)
                *numbers[i].to = item.slots[0] > 0 ? item.slots[0] : 0;
        }
    }
    return status;
}

static enum refrain_status said_of(const struct reader *r, uint32_t rank, struct said *out)
{
    struct lane_ref lane;
    size_t at = 0;
    struct cursor cursor;
    struct call call;
    enum refrain_status status;
    *out = (struct said){0};
    if (!reader_next_lane(r, rank, LANE_DEFINITIONS, &at, &lane))
        return REFRAIN_OK;
    if ((status = cursor_start(&cursor, r, &lane)) != REFRAIN_OK)
        return status;
    while (cursor_next(&cursor, &call, &status)) {
        if ((status = take(r, &call, out)) != REFRAIN_OK)
            break;
    }
    cursor_stop(&cursor);
    return status;
}

static enum refrain_status intern(struct hosts *h, struct map *by_name, const char *name, uint32_t *index)
{
    const uint64_t key = XXH3_64bits(name, strlen(name));
    size_t at;
    for (uint32_t i = map_first(by_name, key, &at); i != MAP_NONE; i = map_next(by_name, key, &at)) {
        if (strcmp(h->names.items[i], name) == 0) {
            *index = i;
            return REFRAIN_OK;
        }
    }
    *index = (uint32_t)h->names.n;
    char *copy = strdup(name);
    if (copy && array_push(&h->names, copy))
        return map_add(by_name, key, *index) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    free(copy);
    log_error("out of memory: a host's name");
    return REFRAIN_ERR_MEMORY;
}

static enum refrain_status find_crowd(struct hosts *h, const struct reader *r)
{
    uint64_t *ranks = calloc(h->names.n + 1, sizeof *ranks);
    double most = 1;
    if (!ranks) {
        log_error("out of memory: %zu hosts", h->names.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint64_t rank = 0; reader_next_rank(r, &rank); rank++)
        ranks[h->of_rank[rank - r->trace.first_rank]]++;
    for (uint32_t i = 0; i < r->trace.n_ranks; i++) {
        const uint64_t n = ranks[h->of_rank[i]];
        const double crowd = h->processors[i] > 0 ? (double)n / (double)h->processors[i] : 0;
        if (crowd <= most)
            continue;
        most = crowd;
        h->crowded = true;
        h->worst = i;
        h->crowd = n;
    }
    free(ranks);
    return REFRAIN_OK;
}

enum refrain_status hosts_read(struct hosts *h, const struct reader *r)
{
    const struct trace *t = &r->trace;
    struct map by_name = {0};
    enum refrain_status status = REFRAIN_OK;
    *h = (struct hosts){.of_rank = calloc(t->n_ranks + (size_t)1, sizeof *h->of_rank),
                        .processors = calloc(t->n_ranks + (size_t)1, sizeof *h->processors),
                        .ready = calloc(t->n_ranks + (size_t)1, sizeof *h->ready)};
    if (!h->of_rank || !h->processors || !h->ready) {
        log_error("out of memory: the hosts of %u ranks", t->n_ranks);
        hosts_free(h);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; status == REFRAIN_OK && i < t->n_ranks; i++) {
        struct said said;
        status = said_of(r, t->first_rank + i, &said);
        h->processors[i] = said.processors;
        h->ready[i] = said.ready < 100 ? said.ready : 100;
        if (status == REFRAIN_OK)
            status = intern(h, &by_name, said.name[0] ? said.name : UNKNOWN, &h->of_rank[i]);
    }
    map_free(&by_name);
    if (status == REFRAIN_OK)
        status = find_crowd(h, r);
    if (status != REFRAIN_OK)
        hosts_free(h);
    return status;
}

void hosts_free(struct hosts *h)
{
    for (size_t i = 0; i < h->names.n; i++)
        free(h->names.items[i]);
    array_free(&h->names);
    free(h->of_rank);
    free(h->processors);
    free(h->ready);
    *h = (struct hosts){0};
}

void hosts_put_crowded(const struct hosts *h, struct bytes *out)
{
    if (!h->crowded)
        return;
    text_printf(out, "More ranks than processors: %" PRIu64 " ran on ", h->crowd);
    text_put_name(out, h->names.items[h->of_rank[h->worst]]);
    text_printf(out, ", which has %" PRId64 ": times include waiting for a processor.\n",
                h->processors[h->worst]);
}
