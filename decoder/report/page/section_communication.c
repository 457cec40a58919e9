/* SPDX-License-Identifier: BSD-3-Clause */
/* Who sends to whom, and the topology that results:
 *
 *     "topology":"8x2 grid","rule":"rank = 8*y + x"
 *     "parts":[{"width":…,"height":…,"step":…,"points":[[rank, x, y, bytes], …],
 *               "edges":[[rank, rank], …]}, …]
 *                                        bytes: exchanged with other ranks
 *     "labels":["0", …],"cells":[[from, to, messages, bytes], …]     rows and columns are numbers of labels
 *     "functions":[{"function":"MPI_Send","calls":…,"sent":…,"received":…}, …]
 *     "sizes":[{"from":1024,"to":2047,"messages":…,"bytes":…,"timed":…,"median":…,"mean":…,"least":…,"both":…,"rate":…}, …]
 *                                        of messages that were received, and of single calls' times (call_times.h): seconds,
 *                                        and bytes a second, of the mean size in the median of `both`
 *
 * If there are many ranks, neighbours share one row and column. An edge that would cross the picture, such as
 * one that closes a torus, has two more numbers: the direction in which it leaves the first rank. */
#include "decoder/matrix/matrix_grid.h"
#include "decoder/topology/survey/topology_name.h"
#include "decoder/topology/view/arrangement.h"
#include "decoder/util/text.h"
#include "report_sections.h"
#include "src/core/base/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { CELLS_MOST = 96, PARTS_MOST = 8, NODES_MOST = 4096 };

static enum refrain_status put_matrix(const struct report *r, struct json *j)
{
    struct matrix_grid grid;
    struct bytes label = {0};
    enum refrain_status status = matrix_grid_create(&grid, &r->matrix, CELLS_MOST, NULL);
    if (status != REFRAIN_OK)
        return status;
    json_array(j, "labels");
    for (uint32_t i = 0; i < grid.n; i++) {
        matrix_grid_put_ranks(&grid, i, &label);
        report_json_text(j, NULL, &label);
    }
    json_end(j);
    json_array(j, "cells");
    for (uint32_t from = 0; from < grid.n; from++) {
        for (uint32_t to = 0; to < grid.n; to++) {
            const struct matrix_sum *sum = matrix_grid_at(&grid, from, to);
            if (sum->messages == 0)
                continue;
            json_array(j, NULL);
            json_uint(j, NULL, from);
            json_uint(j, NULL, to);
            json_uint(j, NULL, sum->messages);
            json_uint(j, NULL, sum->bytes);
            json_end(j);
        }
    }
    json_end(j);
    bytes_free(&label);
    matrix_grid_free(&grid);
    return REFRAIN_OK;
}

/* Writes a position. Tenths of the picture's units are precise enough. */
static void put_place(struct json *j, const char *key, double v)
{
    json_real(j, key, round(10 * v) / 10);
}

/* ---- the topology ---------------------------------------------------------------------------- */

static uint32_t image_of(const struct survey_component *p, uint32_t node)
{
    return p->topology.image ? p->topology.image[node] : node;
}

static void put_points(const struct survey *s, const struct survey_component *p, const struct arrangement *a,
                       const uint64_t *bytes, struct json *j)
{
    json_array(j, "points");
    for (uint32_t i = 0; i < p->n_ranks; i++) {
        const uint32_t place = image_of(p, i);
        if (place >= a->n)
            continue;
        json_array(j, NULL);
        json_uint(j, NULL, traffic_rank(s->traffic, p->ranks[i]));
        put_place(j, NULL, a->points[place].x);
        put_place(j, NULL, a->points[place].y);
        json_uint(j, NULL, bytes[p->ranks[i]]);
        json_end(j);
    }
    json_end(j);
}

static void put_edges(const struct survey *s, size_t number, const struct arrangement *a, struct json *j)
{
    const struct survey_component *p = &s->components.items[number];
    json_array(j, "edges");
    for (uint32_t i = 0; i < p->n_ranks; i++) {
        const uint32_t node = p->ranks[i];
        for (uint64_t k = s->graph.first[node]; k < s->graph.first[node + 1]; k++) {
            const uint32_t other = s->graph.near[k];
            const uint32_t from = image_of(p, i), to = image_of(p, s->node_of[other]);
            struct arrangement_point way;
            if (from >= a->n || to >= a->n)
                continue;
            const bool leaves = arrangement_leaves(a, from, to, &way);
            if (!leaves && other < node)
                continue; /* the other end writes the edge */
            json_array(j, NULL);
            json_uint(j, NULL, traffic_rank(s->traffic, node));
            json_uint(j, NULL, traffic_rank(s->traffic, other));
            if (leaves) {
                put_place(j, NULL, way.x);
                put_place(j, NULL, way.y);
            }
            json_end(j);
        }
    }
    json_end(j);
}

static enum refrain_status put_part(const struct survey *s, size_t number, const uint64_t *bytes,
                                    struct json *j)
{
    const struct survey_component *p = &s->components.items[number];
    const struct topology *t = &p->topology;
    const struct arrangement_view view = {0};
    struct arrangement a = {0};
    struct bytes name = {0};
    enum refrain_status status =
        arrangement_create(&a, t->found ? &t->best : NULL, t->found ? t->best.n : p->n_ranks, &view);
    if (status != REFRAIN_OK)
        return status;
    json_object(j, NULL);
    topology_put_name(t, &name);
    report_json_text(j, "name", &name);
    put_place(j, "width", a.width);
    put_place(j, "height", a.height);
    put_place(j, "step", a.step);
    put_points(s, p, &a, bytes, j);
    put_edges(s, number, &a, j);
    json_end(j);
    bytes_free(&name);
    arrangement_free(&a);
    return REFRAIN_OK;
}

/* Returns the bytes that each node exchanges. */
static uint64_t *exchanged_bytes(const struct traffic *t)
{
    uint64_t *bytes = calloc((size_t)t->n_ranks + 1, sizeof *bytes);
    for (size_t i = 0; bytes && i < t->pairs.n; i++) {
        const struct traffic_pair *p = &t->pairs.items[i];
        bytes[p->a] += p->sum.bytes;
        bytes[p->b] += p->sum.bytes;
    }
    if (!bytes)
        log_error("out of memory: %" PRIu32 " ranks", t->n_ranks);
    return bytes;
}

static enum refrain_status put_topology(const struct report *r, struct json *j)
{
    const struct survey *s = &r->survey;
    uint64_t *bytes = exchanged_bytes(s->traffic);
    if (!bytes)
        return REFRAIN_ERR_MEMORY;
    struct bytes text = {0};
    bool affine = false;
    uint64_t nodes = 0;
    enum refrain_status status = s->components.n > 0 ? topology_put_summary(s, &text) : REFRAIN_OK;
    report_json_text(j, "topology", &text);
    if (status == REFRAIN_OK && s->components.n == 1 && s->components.items[0].topology.found)
        status = survey_put_rule(s, &s->components.items[0], &text, &affine);
    report_json_text(j, "rule", &text);
    json_array(j, "parts");
    for (size_t i = 0; i < s->components.n && i < PARTS_MOST && status == REFRAIN_OK; i++) {
        nodes += s->components.items[i].n_ranks;
        if (nodes <= NODES_MOST)
            status = put_part(s, i, bytes, j);
    }
    json_end(j);
    free(bytes);
    bytes_free(&text);
    return status;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static void put_functions(const struct report *r, struct json *j)
{
    const struct functable *table = &r->reader->trace.functions;
    json_array(j, "functions");
    for (size_t i = 0; i < table->functions.n; i++) {
        const struct tally *t = &r->statistics.functions[i];
        if (t->sent == 0 && t->received == 0)
            continue;
        json_object(j, NULL);
        json_string(j, "function", table->functions.items[i].name);
        json_uint(j, "calls", t->calls);
        json_uint(j, "sent", t->sent);
        json_uint(j, "received", t->received);
        json_end(j);
    }
    json_end(j);
}

static void put_size(const struct message_times *t, unsigned digits, struct json *j)
{
    const uint64_t from = digits == 0 ? 0 : UINT64_C(1) << (digits - 1), both = durations_median(&t->both);
    json_object(j, NULL);
    json_uint(j, "from", from);
    json_uint(j, "to", digits == 0 ? 0 : 2 * (from - 1) + 1);
    json_uint(j, "messages", t->messages);
    json_uint(j, "bytes", t->bytes);
    json_uint(j, "timed", t->time.n);
    if (t->time.n > 0) {
        report_json_seconds(j, "median", durations_median(&t->time));
        json_real(j, "mean", (double)t->time.sum / 1e9 / (double)t->time.n);
        report_json_seconds(j, "least", t->time.least);
        report_json_seconds(j, "both", both);
        if (both > 0)
            json_real(j, "rate", (double)t->bytes / (double)t->messages / (double)both * 1e9);
    }
    json_end(j);
}

static void put_sizes(const struct report *r, struct json *j)
{
    json_array(j, "sizes");
    for (unsigned digits = 0; digits < MESSAGE_SIZES; digits++) {
        if (r->times.sizes[digits])
            put_size(r->times.sizes[digits], digits, j);
    }
    json_end(j);
}

static void put_says(const struct report *r, struct bytes *text)
{
    const struct traffic_sum *all = &r->traffic.all;
    if (all->messages == 0) {
        text_put(text, "No messages were sent from rank to rank");
    } else {
        text_printf(text, "%" PRIu64 " messages with ", all->messages);
        text_size(text, all->bytes);
        text_put(text, ", ");
        text_size(text, (uint64_t)llround((double)all->bytes / (double)all->messages));
        text_put(text, " each on average");
    }
    report_put_others(r, "; ", text);
    text_putc(text, '.');
}

enum refrain_status section_communication(const struct report *r, struct json *j)
{
    struct bytes text = {0};
    put_says(r, &text);
    report_json_text(j, "says", &text);
    bytes_free(&text);
    enum refrain_status status = put_topology(r, j);
    if (status == REFRAIN_OK)
        status = put_matrix(r, j);
    put_functions(r, j);
    put_sizes(r, j);
    return status;
}
