/* SPDX-License-Identifier: BSD-3-Clause */
#include "parts.h"

#include "decoder/util/progress.h"
#include "src/core/base/log.h"
#include "src/core/base/replace.h"
#include "src/core/codec/codec.h"
#include "src/core/merge/merge.h"
#include "src/core/parts/assemble.h"

#include <assert.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN_DIGITS 16

/* ---- finding --------------------------------------------------------------------------------- */

static void part_free(struct part *p)
{
    free(p->path);
    free(p->run);
}

void parts_free(struct parts *p)
{
    for (size_t i = 0; i < p->items.n; i++)
        part_free(&p->items.items[i]);
    array_free(&p->items);
}

/* Accepts "rank.3.part" only in exactly this form. */
static bool parse_name(const char *name, uint32_t *rank)
{
    char again[32];
    return sscanf(name, "rank.%" SCNu32 ".part", rank) == 1 &&
           snprintf(again, sizeof again, PART_FILE_NAME, *rank) > 0 && strcmp(again, name) == 0;
}

/* Is it a run number, which names the run's directory? */
static bool is_run(const char *name)
{
    return strlen(name) == RUN_DIGITS && strspn(name, "0123456789abcdef") == RUN_DIGITS;
}

/* A part that cannot be read is left out: the other parts still give a trace. */
static enum refrain_status add(struct parts *p, const char *directory, const char *name, uint32_t rank)
{
    struct part part = {.rank = rank};
    struct part_file file;
    if (asprintf(&part.path, "%s/%s", directory, name) < 0) {
        part.path = NULL;
        goto no_memory;
    }
    if (part_file_open(&file, part.path, rank) != REFRAIN_OK) {
        log_warning("%s is left out: it cannot be read", part.path);
        part_free(&part);
        return REFRAIN_OK;
    }
    const char *run = trace_meta(&file.trace, "run"), *start = trace_meta(&file.trace, "start");
    part.start = start ? strtoll(start, NULL, 10) : 0;
    part.run = strdup(run ? run : "");
    part_file_close(&file);
    if (part.run && array_push(&p->items, part))
        return REFRAIN_OK;
no_memory:
    log_error("out of memory: the parts in %s", directory);
    part_free(&part);
    return REFRAIN_ERR_MEMORY;
}

static enum refrain_status for_entries(struct parts *p, const char *directory,
                                       enum refrain_status (*work)(struct parts *, const char *,
                                                                   const char *))
{
    const struct dirent *entry;
    enum refrain_status status = REFRAIN_OK;
    DIR *d = opendir(directory);
    if (!d) {
        log_error("%s: %m", directory);
        return REFRAIN_ERR_IO;
    }
    while (status == REFRAIN_OK && (entry = readdir(d)))
        status = work(p, directory, entry->d_name);
    closedir(d);
    return status;
}

static enum refrain_status add_part(struct parts *p, const char *directory, const char *name)
{
    uint32_t rank;
    return parse_name(name, &rank) ? add(p, directory, name, rank) : REFRAIN_OK;
}

static enum refrain_status add_run(struct parts *p, const char *directory, const char *name)
{
    char *path;
    if (!is_run(name))
        return REFRAIN_OK;
    if (asprintf(&path, "%s/%s", directory, name) < 0) {
        log_error("out of memory: %s/%s", directory, name);
        return REFRAIN_ERR_MEMORY;
    }
    const enum refrain_status status = for_entries(p, path, add_part);
    free(path);
    return status;
}

bool parts_are_in(const char *path)
{
    const struct dirent *entry;
    uint32_t rank;
    bool found = false;
    DIR *d = opendir(path);
    while (d && !found && (entry = readdir(d)))
        found = parse_name(entry->d_name, &rank) || is_run(entry->d_name);
    if (d)
        closedir(d);
    return found;
}

/* Orders by start time; within one second by name. */
static bool is_later(const struct part *a, const struct part *b)
{
    return a->start != b->start ? a->start > b->start : strcmp(a->run, b->run) > 0;
}

static const char *last_run(const struct parts *p)
{
    const struct part *last = &p->items.items[0];
    for (size_t i = 1; i < p->items.n; i++) {
        if (is_later(&p->items.items[i], last))
            last = &p->items.items[i];
    }
    return last->run;
}

/* Orders by run, then by rank. */
static int compare_parts(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    const int runs = strcmp(x->run, y->run);
    return runs != 0 ? runs : x->rank < y->rank ? -1 : x->rank > y->rank;
}

static enum refrain_status leave_out_others(struct parts *p, const char *directory)
{
    struct part *items = p->items.items;
    char *run = strdup(last_run(p));
    size_t kept = 0, runs = 1;
    if (!run) {
        log_error("out of memory: the parts in %s", directory);
        return REFRAIN_ERR_MEMORY;
    }
    qsort(items, p->items.n, sizeof *items, compare_parts);
    for (size_t i = 1; i < p->items.n; i++)
        runs += strcmp(items[i].run, items[i - 1].run) != 0;
    for (size_t i = 0; i < p->items.n; i++) {
        if (strcmp(items[i].run, run) == 0)
            items[kept++] = items[i];
        else
            part_free(&items[i]);
    }
    p->items.n = kept;
    if (runs > 1)
        log_warning("%s has parts of %zu runs: using the run that began last, %s; for another run, name its "
                    "directory",
                    directory, runs, run);
    free(run);
    return REFRAIN_OK;
}

enum refrain_status parts_find(struct parts *p, const char *directory)
{
    *p = (struct parts){0};
    enum refrain_status status = for_entries(p, directory, add_part);
    if (status == REFRAIN_OK)
        status = for_entries(p, directory, add_run);
    if (status == REFRAIN_OK && p->items.n == 0) {
        log_error("%s contains no parts that can be read", directory);
        status = REFRAIN_ERR_USAGE;
    }
    if (status == REFRAIN_OK)
        status = leave_out_others(p, directory);
    if (status != REFRAIN_OK)
        parts_free(p);
    return status;
}

/* ---- merging --------------------------------------------------------------------------------- */

/* The trace has all ranks of the run, including those without a part. */
static enum refrain_status widen(struct trace *t, size_t n_parts)
{
    char number[24];
    const char *ranks = trace_meta(t, "ranks");
    const long long n = ranks ? strtoll(ranks, NULL, 10) : 0;
    t->n_ranks += t->first_rank;
    t->first_rank = 0;
    if (n > t->n_ranks && n <= TRACE_RANKS_MAX)
        t->n_ranks = (uint32_t)n;
    snprintf(number, sizeof number, "%zu", n_parts);
    return trace_set_meta(t, "parts", number);
}

struct merging {
    const struct parts *parts;
    struct progress progress;
};

static enum refrain_status open_part(void *context, size_t i, struct part_file *out)
{
    const struct part *p = &((const struct merging *)context)->parts->items.items[i];
    return part_file_open(out, p->path, p->rank);
}

static void count_part(void *context)
{
    progress_add(&((struct merging *)context)->progress, 1);
}

enum refrain_status parts_merge(const struct parts *p, struct trace *out)
{
    assert(p->items.n > 0);
    struct trace t = {0};
    struct merging merging = {.parts = p};
    progress_start(&merging.progress, "merge", p->items.n);
    enum refrain_status status = assemble_trace(
        &(struct part_source){.n = p->items.n, .open = open_part, .merged = count_part, .context = &merging},
        &t);
    progress_end(&merging.progress);
    if (status == REFRAIN_OK)
        status = widen(&t, p->items.n);
    if (status == REFRAIN_OK)
        status = merge_finish(&t);
    if (status == REFRAIN_OK)
        *out = t;
    else
        trace_free(&t);
    return status;
}

enum refrain_status parts_write(const struct parts *p, const struct trace *t, const char *path)
{
    assert(p->items.n > 0);
    struct merging merging = {.parts = p};
    const struct part_source source = {.n = p->items.n, .open = open_part, .context = &merging};
    struct bytes image = {0};
    struct replacement file;
    enum refrain_status status = codec_encode(t, CODEC_FINAL, &image);
    if (status == REFRAIN_OK && (status = replace_begin(&file, path)) == REFRAIN_OK) {
        status = replace_add(&file, image.data, image.n);
        if (status == REFRAIN_OK && t->annex.length > 0)
            status = assemble_annex(&source, &file);
        status = replace_end(&file, status);
    }
    bytes_free(&image);
    return status;
}
