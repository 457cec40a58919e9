/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_source.h"

#include "decoder/waits/report/waits_text.h"
#include "src/core/base/log.h"
#include "world_select.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of its waiting, all metrics. */
static enum refrain_status add_profile(struct run_source *s, const struct report *r)
{
    struct cube_data *profile = calloc(1, sizeof *profile);
    if (!r->timed) {
        log_error(
            "%s: no profile for CUBE: the trace has no times of single calls (record with --timing lossy)",
            r->reader->path);
        free(profile);
        return REFRAIN_ERR_USAGE;
    }
    if (!profile || !array_push(&s->profiles, profile)) {
        log_error("out of memory: a profile of %s", r->reader->path);
        free(profile);
        return REFRAIN_ERR_MEMORY;
    }
    return waits_copy_cube(&r->waits, &r->symbols, profile);
}

static enum refrain_status add_run(struct run_source *s, const struct options *o, unsigned operand)
{
    struct reader reader;
    struct report report;
    struct run_profile profile;
    enum refrain_status status = world_open_operand(&reader, o, operand);
    if (status != REFRAIN_OK)
        return status;
    const bool model = s->wants_models && (s->runs.n == 0 || operand + 1 == o->n_operands);
    status = report_create_sums(&report, &reader, options_value(o, OPTION_MODULES), model);
    if (status == REFRAIN_OK) {
        status = run_profile_create(&profile, &report);
        if (status == REFRAIN_OK && !array_push(&s->runs, profile)) {
            run_profile_free(&profile);
            status = REFRAIN_ERR_MEMORY;
        }
        if (status == REFRAIN_OK && s->keeps_profiles)
            status = add_profile(s, &report);
        report_free(&report);
    }
    reader_close(&reader);
    return status;
}

static bool is_versus(const char *operand)
{
    return strcmp(operand, "vs") == 0;
}

/* Finds where groups begin. */
static enum refrain_status find_groups(struct run_source *s, const struct options *o)
{
    const bool mean = options_has(o, OPTION_MEAN);
    bool versus = false, ok = array_push(&s->groups, 0);
    size_t runs = 0;
    for (unsigned i = 0; i < o->n_operands; i++)
        versus = versus || is_versus(o->operands[i]);
    for (unsigned i = 0; i < o->n_operands && ok; i++) {
        const bool ends = is_versus(o->operands[i]);
        if (ends && runs == s->groups.items[s->groups.n - 1])
            break;
        runs += !ends;
        if (ends || (!versus && !mean && i + 1 < o->n_operands))
            ok = array_push(&s->groups, runs);
    }
    if (ok && (runs == s->groups.items[s->groups.n - 1] || (mean && versus) || (!mean && s->groups.n < 2))) {
        log_error("wanted runs to compare: A B, or A… vs B…, or --mean A…");
        return REFRAIN_ERR_USAGE;
    }
    return ok && array_push(&s->groups, runs) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static enum refrain_status check_groups(const struct run_source *s)
{
    for (size_t group = 0; group + 1 < s->groups.n; group++) {
        for (size_t run = s->groups.items[group]; run < s->groups.items[group + 1]; run++) {
            const struct run_profile *first = &s->runs.items[s->groups.items[group]],
                                     *p = &s->runs.items[run];
            if (p->threads == first->threads)
                continue;
            log_error(
                "%s has %" PRIu32 " threads in all ranks together, %s has %" PRIu32
                ": runs of which a mean is taken need equally many; to compare them, put vs between them",
                first->file, first->threads, p->file, p->threads);
            return REFRAIN_ERR_USAGE;
        }
    }
    return REFRAIN_OK;
}

enum refrain_status run_source_read(struct run_source *s, const struct options *o)
{
    enum refrain_status status = find_groups(s, o);
    for (unsigned i = 0; i < o->n_operands && status == REFRAIN_OK; i++)
        status = is_versus(o->operands[i]) ? REFRAIN_OK : add_run(s, o, i);
    if (status == REFRAIN_OK)
        status = check_groups(s);
    if (status == REFRAIN_OK)
        status = run_difference_create(&s->difference, s->runs.items, s->groups.items, s->groups.n - 1);
    if (status != REFRAIN_OK)
        run_source_free(s);
    return status;
}

enum refrain_status run_source_write_cube(const struct run_source *s, const char *path)
{
    const size_t n_groups = s->groups.n - 1, first = s->groups.items[1],
                 last = n_groups > 1 ? s->groups.items[n_groups - 1] : s->runs.n;
    const struct cube **from = calloc(s->runs.n + 1, sizeof *from);
    double *weights = calloc(s->runs.n + 1, sizeof *weights);
    struct cube_data sum;
    size_t n = 0;
    enum refrain_status status = from && weights ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < s->runs.n && status == REFRAIN_OK; i++) {
        if (i >= first && i < last)
            continue; /* groups between them */
        from[n] = &s->profiles.items[i]->cube;
        weights[n++] = n_groups == 1 ? 1 / (double)s->runs.n
                       : i < first   ? -1 / (double)first
                                     : 1 / (double)(s->runs.n - last);
    }
    if (status != REFRAIN_OK)
        log_error("out of memory: %zu profiles", s->runs.n);
    else
        status = cube_data_sum(&sum, from, weights, n);
    if (status == REFRAIN_OK) {
        status = cube_write(&sum.cube, path);
        cube_data_free(&sum);
    }
    free(from);
    free(weights);
    return status;
}

void run_source_free(struct run_source *s)
{
    run_difference_free(&s->difference);
    for (size_t i = 0; i < s->runs.n; i++)
        run_profile_free(&s->runs.items[i]);
    for (size_t i = 0; i < s->profiles.n; i++) {
        cube_data_free(s->profiles.items[i]);
        free(s->profiles.items[i]);
    }
    array_free(&s->profiles);
    array_free(&s->runs);
    array_free(&s->groups);
    *s = (struct run_source){0};
}
