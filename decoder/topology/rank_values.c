/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank_values.h"

#include "src/core/base/log.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
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

/* "3,0.25", "3 0.25"; a first line of words and empty lines do not count. */
static enum refrain_status read_line(struct rank_values *v, const struct traffic *t, const char *line,
                                     const char *path, unsigned number)
{
    char *end, *value;
    const char *at = line + strspn(line, " \t\r\n");
    if (!*at || *at == '#' || (number == 1 && isalpha((unsigned char)*at)))
        return REFRAIN_OK;
    const unsigned long long rank = strtoull(at, &end, 10);
    const double read = strtod(end + strspn(end, ", \t"), &value);
    if (end == at || value == end + strspn(end, ", \t") || value[strspn(value, " \t\r\n")]) {
        log_error("%s:%u: a line is rank,value", path, number);
        return REFRAIN_ERR_FORMAT;
    }
    if (rank < t->first_rank || rank - t->first_rank >= t->n_ranks) {
        log_error("%s:%u: there is no rank %llu", path, number, rank);
        return REFRAIN_ERR_FORMAT;
    }
    v->of_rank[rank - t->first_rank] = read;
    return REFRAIN_OK;
}

static enum refrain_status read_file(struct rank_values *v, const struct traffic *t, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    unsigned number = 0;
    enum refrain_status status = REFRAIN_OK;
    if (!file) {
        log_error("--color %s: wanted bytes, messages, or a file of rank,value: %s", path, strerror(errno));
        return REFRAIN_ERR_USAGE;
    }
    while (status == REFRAIN_OK && getline(&line, &size, file) >= 0)
        status = read_line(v, t, line, path, ++number);
    free(line);
    fclose(file);
    return status;
}

enum refrain_status rank_values_create(struct rank_values *v, const struct traffic *t, const char *what)
{
    enum refrain_status status = REFRAIN_OK;
    *v = (struct rank_values){.of_rank = calloc((size_t)t->n_ranks + 1, sizeof *v->of_rank)};
    if (!v->of_rank) {
        log_error("out of memory: %u ranks", t->n_ranks);
        return REFRAIN_ERR_MEMORY;
    }
    if (strcmp(what, "bytes") == 0 || strcmp(what, "messages") == 0) {
        const bool messages = *what == 'm';
        sum_up(v, t, messages);
        v->what = messages ? "messages, sent and received" : "bytes, sent and received";
        v->unit = messages ? "" : " B";
    } else {
        status = read_file(v, t, what);
        v->what = what;
        v->unit = "";
    }
    if (status != REFRAIN_OK)
        rank_values_free(v);
    return status;
}

void rank_values_free(struct rank_values *v)
{
    free(v->of_rank);
    *v = (struct rank_values){0};
}
