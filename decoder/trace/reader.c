/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader.h"

#include "parts.h"
#include "src/core/base/log.h"
#include "src/core/base/section.h"
#include "src/core/codec/worlds.h"
#include "src/core/trace/slot_sums.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int by_kind_and_number(const void *a, const void *b, void *shapes)
{
    const struct shape *x = (const struct shape *)shapes + *(const uint32_t *)a;
    const struct shape *y = (const struct shape *)shapes + *(const uint32_t *)b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* A directory of parts is not a trace, but a user may take it for one. */
static enum refrain_status open_content(struct file_content *content, const char *path)
{
    if (!parts_are_in(path))
        return file_content_open(content, path, SECTION_MAGIC);
    *content = (struct file_content){0};
    log_error("%s contains parts of a run: first build a trace with refrain merge %s", path, path);
    return REFRAIN_ERR_USAGE;
}

enum refrain_status reader_load(const char *path, struct bytes *out)
{
    struct file_content content;
    struct bytes bytes = {0};
    enum refrain_status status = open_content(&content, path);
    if (status == REFRAIN_OK)
        bytes_put(&bytes, content.data, content.n);
    if (bytes.failed)
        status = REFRAIN_ERR_MEMORY;
    file_content_close(&content);
    if (status == REFRAIN_OK)
        *out = bytes;
    else
        bytes_free(&bytes);
    return status;
}

static bool has_worlds(const struct codec_sections *sections)
{
    for (size_t i = 0; i < sections->n; i++) {
        if (strcmp(sections->items[i].tag, section_names[SECTION_WRLD]) == 0)
            return true;
    }
    return false;
}

static enum refrain_status decode_image(struct reader *r, const uint8_t *data, size_t n)
{
    enum refrain_status status = codec_decode(r->path, data, n, &r->trace, &r->sections);
    if (status == REFRAIN_OK && r->trace.away.n > 0) {
        log_error("%s: section COLS: the file is damaged: %zu columns are missing", r->path, r->trace.away.n);
        return REFRAIN_ERR_FORMAT;
    }
    if (status == REFRAIN_OK && !r->trace.annex.apart)
        r->annex = data + (n - r->trace.annex.length); /* the annex is the last thing in the file */
    log_set_subject(r->path, section_names[SECTION_SHAP]);
    if (status == REFRAIN_OK)
        status = slot_sums_expand(&r->trace, codec_budget(n));
    log_set_subject(NULL, NULL);
    return status;
}

/* World 0 is the file itself, even if the file contains other worlds. */
static enum refrain_status decode(struct reader *r, const void *data, size_t n, uint32_t world)
{
    struct worlds others = {0};
    enum refrain_status status = REFRAIN_OK;
    if (world == 0)
        status = decode_image(r, data, n);
    if (status == REFRAIN_OK && (world > 0 || has_worlds(&r->sections)))
        status = worlds_split(r->path, data, n, &others);
    r->n_worlds = 1 + (uint32_t)others.images.n;
    if (status == REFRAIN_OK && world >= r->n_worlds) {
        log_error("%s: there is no world %" PRIu32 ", the last one is %" PRIu32, r->path, world,
                  r->n_worlds - 1);
        status = REFRAIN_ERR_USAGE;
    } else if (status == REFRAIN_OK && world > 0) {
        r->image = others.images.items[world - 1];
        others.images.items[world - 1] = (struct bytes){0};
        status = decode_image(r, r->image.data, r->image.n);
    }
    worlds_free(&others);
    return status;
}

static enum refrain_status sort_shapes(struct reader *r)
{
    const size_t n = r->trace.shapes.n;
    r->order = malloc((n + 1) * sizeof *r->order);
    if (!r->order) {
        log_error("out of memory: %zu shapes", n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        r->order[i] = (uint32_t)i;
    if (n > 0)
        qsort_r(r->order, n, sizeof *r->order, by_kind_and_number, r->trace.shapes.items);
    return REFRAIN_OK;
}

/* Sums each column once, even if many ranks have it. */
static enum refrain_status sum_columns(struct reader *r)
{
    const size_t n = r->trace.columns.n;
    uint64_t most;
    r->sums = calloc(n + 1, sizeof *r->sums);
    if (!r->sums) {
        log_error("out of memory: %zu columns", n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        series_total(r->trace.columns.items[i], &r->sums[i], &most);
    return REFRAIN_OK;
}

enum refrain_status reader_read(struct reader *r, const char *name, const void *data, size_t n,
                                uint32_t world)
{
    *r = (struct reader){.path = name, .file_bytes = n, .world = world};
    enum refrain_status status = decode(r, data, n, world);
    if (status == REFRAIN_OK)
        status = sort_shapes(r);
    if (status == REFRAIN_OK)
        status = sum_columns(r);
    if (status != REFRAIN_OK)
        reader_close(r);
    return status;
}

enum refrain_status reader_open(struct reader *r, const char *path)
{
    return reader_open_world(r, path, 0);
}

enum refrain_status reader_open_world(struct reader *r, const char *path, uint32_t world)
{
    struct file_content content;
    *r = (struct reader){0};
    enum refrain_status status = open_content(&content, path);
    if (status == REFRAIN_OK)
        status = reader_read(r, path, content.data, content.n, world);
    if (status == REFRAIN_OK && r->trace.annex.length > 0)
        r->content = content;
    else
        file_content_close(&content);
    return status;
}

enum refrain_status reader_piece(const struct reader *r, const struct annex_piece *p)
{
    assert(r->annex && p->at <= r->trace.annex.length && p->length <= r->trace.annex.length - p->at);
    return annex_check_piece(r->path, p, r->annex);
}

void reader_close(struct reader *r)
{
    trace_free(&r->trace);
    array_free(&r->sections);
    free(r->order);
    free(r->sums);
    file_content_close(&r->content);
    bytes_free(&r->image);
    *r = (struct reader){0};
}

/* Not BISECT: this search stops as soon as it finds the rank, which is usually there, and looking
 * up values of the series is what takes time. */
bool ranks_find(const struct series *ranks, int64_t rank, uint64_t *ordinal)
{
    uint64_t low = 0, high = series_length(ranks);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const int64_t there = series_at(ranks, middle);
        if (there == rank) {
            *ordinal = middle;
            return true;
        }
        if (there < rank)
            low = middle + 1;
        else
            high = middle;
    }
    *ordinal = low;
    return false;
}

bool reader_next_lane(const struct reader *r, uint32_t rank, enum lane_kind kind, size_t *at,
                      struct lane_ref *lane)
{
    while (*at < r->trace.shapes.n) {
        const struct shape *shape = &r->trace.shapes.items[r->order[(*at)++]];
        uint64_t ordinal;
        if (shape->kind == kind && ranks_find(shape->ranks, rank, &ordinal)) {
            *lane = (struct lane_ref){.shape = shape, .ordinal = ordinal, .rank = rank};
            return true;
        }
    }
    return false;
}

bool reader_next_rank(const struct reader *r, uint64_t *rank)
{
    bool found = false;
    uint64_t next = 0;
    for (size_t i = 0; i < r->trace.shapes.n; i++) {
        const struct series *ranks = r->trace.shapes.items[i].ranks;
        uint64_t ordinal;
        ranks_find(ranks, (int64_t)*rank, &ordinal);
        if (ordinal == series_length(ranks))
            continue;
        const uint64_t candidate = (uint64_t)series_at(ranks, ordinal);
        if (!found || candidate < next)
            next = candidate;
        found = true;
    }
    if (found)
        *rank = next;
    return found;
}

/* Returns how often all ranks of the shape together execute a loop. */
static uint64_t loop_times(const struct reader *r, const struct shape *shape, const struct loop *loop)
{
    struct series_cursor ranks;
    int64_t rank;
    uint64_t times = 0;
    if (loop->counts.forms & RANKFN_CONSTANT)
        return series_length(shape->ranks) * r->sums[loop->counts.constant];
    series_cursor_start(&ranks, shape->ranks);
    for (uint64_t i = 0; series_cursor_next(&ranks, &rank); i++)
        times += r->sums[rankfn_at(&loop->counts, i, rank)];
    return times;
}

uint64_t reader_shape_calls(const struct reader *r, const struct shape *shape)
{
    uint64_t calls = series_length(shape->ranks) * rules_length(shape->skeleton);
    for (size_t i = 0; i < shape->loops.n; i++)
        calls += loop_times(r, shape, &shape->loops.items[i]) * shape->loops.items[i].n;
    return calls;
}

uint64_t reader_calls(const struct reader *r)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < r->trace.shapes.n; i++) {
        if (r->trace.shapes.items[i].kind == LANE_THREAD)
            calls += reader_shape_calls(r, &r->trace.shapes.items[i]);
    }
    return calls;
}

const char *reader_function(const struct reader *r, uint32_t site)
{
    assert(site < r->trace.sites.n);
    return r->trace.functions.functions.items[r->trace.sites.items[site].function].name;
}

int reader_exit(enum refrain_status status)
{
    return status == REFRAIN_OK ? 0 : status == REFRAIN_ERR_CHECK ? 1 : 2;
}
