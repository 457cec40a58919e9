/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank_values.h"

#include "decoder/util/line_file.h"
#include "src/core/base/log.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void sum_up(struct rank_values *v, const struct traffic *t, bool messages)
{
    for (size_t i = 0; i < t->pairs.n; i++) {
        const struct traffic_pair *p = &t->pairs.items[i];
        const double value = (double)(messages ? p->sum.messages : p->sum.bytes);
        v->of_rank[p->a] += value;
        v->of_rank[p->b] += value;
    }
}

struct reading {
    struct rank_values *values;
    const struct traffic *traffic;
};

/* Accepts "3,0.25" and "3 0.25". Ignores a first line of words. */
static enum refrain_status take_line(void *context, char *line, const char *path, size_t number)
{
    const struct reading *r = context;
    char *end, *value;
    if (number == 1 && isalpha((unsigned char)*line))
        return REFRAIN_OK;
    const unsigned long long rank = strtoull(line, &end, 10);
    const char *behind = end + strspn(end, ", \t");
    const double read = strtod(behind, &value);
    if (end == line || value == behind || *value) {
        log_error("%s:%zu: wanted a line rank,value", path, number);
        return REFRAIN_ERR_FORMAT;
    }
    const uint32_t node = rank < UINT32_MAX ? traffic_node(r->traffic, (uint32_t)rank) : TRAFFIC_NOBODY;
    if (node == TRAFFIC_NOBODY) {
        log_error("%s:%zu: there is no rank %llu", path, number, rank);
        return REFRAIN_ERR_FORMAT;
    }
    r->values->of_rank[node] = read;
    return REFRAIN_OK;
}

enum refrain_status rank_values_reserve(struct rank_values *v, const struct traffic *t, const char *what,
                                        const char *unit)
{
    *v = (struct rank_values){
        .of_rank = calloc((size_t)t->n_ranks + 1, sizeof *v->of_rank), .what = what, .unit = unit};
    if (v->of_rank)
        return REFRAIN_OK;
    log_error("out of memory: %u ranks", t->n_ranks);
    return REFRAIN_ERR_MEMORY;
}

enum refrain_status rank_values_create(struct rank_values *v, const struct traffic *t, const char *what)
{
    const bool messages = strcmp(what, "messages") == 0, bytes = strcmp(what, "bytes") == 0;
    enum refrain_status status = rank_values_reserve(v, t,
                                                     messages ? "messages, sent and received"
                                                     : bytes  ? "bytes, sent and received"
                                                              : what,
                                                     bytes ? " B" : "");
    if (status == REFRAIN_OK && (messages || bytes))
        sum_up(v, t, messages);
    else if (status == REFRAIN_OK)
        status = line_file_read(what, take_line, &(struct reading){v, t});
    if (status != REFRAIN_OK)
        rank_values_free(v);
    return status;
}

void rank_values_free(struct rank_values *v)
{
    free(v->of_rank);
    *v = (struct rank_values){0};
}
