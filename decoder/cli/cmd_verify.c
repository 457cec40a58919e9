/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain verify: checks that the trace expands to the records that the tracer also kept
 * uncompressed. */
#include "commands.h"

#include "decoder/util/text.h"
#include "decoder/verify/verify_comparison.h"
#include "decoder/verify/verify_file.h"
#include "src/core/base/log.h"
#include "world_select.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Compares each lane with its file. */
static enum refrain_status compare_lanes(struct verify_comparison *c)
{
    static const enum lane_kind kinds[] = {LANE_DEFINITIONS, LANE_THREAD};
    const struct reader *r = c->reader;
    enum refrain_status status = REFRAIN_OK;
    for (uint64_t rank = 0; status == REFRAIN_OK && reader_next_rank(r, &rank); rank++) {
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            struct lane_ref lane;
            for (size_t at = 0;
                 status == REFRAIN_OK && reader_next_lane(r, (uint32_t)rank, kinds[k], &at, &lane);)
                status = verify_comparison_lane(c, &lane);
        }
        if (status == REFRAIN_OK)
            status = output_drain(c->out);
    }
    return status;
}

/* Finds files of lanes that the trace does not contain. A file without records is no error: the
 * trace has no lane for it. */
static enum refrain_status find_extra(struct verify_comparison *c, DIR *directory)
{
    const struct reader *r = c->reader;
    enum refrain_status status = REFRAIN_OK;
    const struct dirent *entry;
    rewinddir(directory);
    while (status == REFRAIN_OK && (entry = readdir(directory))) {
        struct verify_file_name name;
        struct lane_ref lane;
        bool known = false, empty;
        if (!verify_file_parse_name(entry->d_name, &name))
            continue;
        for (size_t at = 0; !known && reader_next_lane(r, name.rank, name.kind, &at, &lane);)
            known = lane.shape->number == name.number;
        if (known || endings_of(&c->endings, name.rank) == ENDING_MISSING)
            continue;
        status = verify_file_is_empty(c->directory, &name, &empty);
        if (status == REFRAIN_OK && !empty) {
            text_printf(&c->out->text, "%s: the trace has no such lane\n", entry->d_name);
            c->differences++;
        }
    }
    return status;
}

/* Is there a file of records? */
static bool has_records(DIR *directory)
{
    const struct dirent *entry;
    struct verify_file_name name;
    while ((entry = readdir(directory))) {
        if (verify_file_parse_name(entry->d_name, &name))
            return true;
    }
    return false;
}

static enum refrain_status check_run(const struct reader *r, const char *directory)
{
    const char *run = trace_meta(&r->trace, "run");
    for (uint64_t rank = 0; run && reader_next_rank(r, &rank); rank++) {
        if (!verify_files_are_of_run(directory, (uint32_t)rank, run)) {
            log_error("%s contains records of another run than %s", directory, r->path);
            return REFRAIN_ERR_USAGE;
        }
    }
    return REFRAIN_OK;
}

/* Writes the largest errors of times. Factors appear only if times are rounded by a factor. */
static void put_times(const struct verify_comparison *c)
{
    const struct time_worst *w = &c->times;
    text_printf(&c->out->text, "times of %" PRIu64 " calls within their bounds", w->calls);
    if (w->duration > 0 || w->gap > 0)
        text_printf(&c->out->text, "; durations within a factor of %.4f, gaps of %.4f",
                    w->duration > 1 ? w->duration : 1, w->gap > 1 ? w->gap : 1);
    text_printf(&c->out->text, "; entries within %" PRIu64 " ns, exits within %" PRIu64 " ns\n", w->entry,
                w->exit);
}

static enum refrain_status compare(struct verify_comparison *c, DIR *directory)
{
    progress_start(&c->progress, "verify", reader_calls(c->reader));
    enum refrain_status status = compare_lanes(c);
    progress_end(&c->progress);
    if (status == REFRAIN_OK)
        status = find_extra(c, directory);
    if (status != REFRAIN_OK)
        return status;
    if (c->differences > 0) {
        text_printf(&c->out->text, "%" PRIu64 " lane%s differ%s\n", c->differences,
                    c->differences > 1 ? "s" : "", c->differences > 1 ? "" : "s");
        return REFRAIN_ERR_CHECK;
    }
    text_printf(&c->out->text, "%" PRIu32 " ranks, %" PRIu64 " calls: identical\n", c->reader->trace.n_ranks,
                c->calls);
    if (c->times.calls > 0)
        put_times(c);
    return REFRAIN_OK;
}

enum refrain_status cmd_verify(const struct options *o)
{
    struct reader reader;
    struct definitions definitions = {0};
    struct verify_comparison comparison = {0};
    struct output out = {0};
    char name[PATH_MAX];

    enum refrain_status status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    const char *run = trace_meta(&reader.trace, "run");
    DIR *directory = NULL;
    errno = ENAMETOOLONG;
    if (!verify_files_find(o->operands[1], run ? run : "", name) || !(directory = opendir(name))) {
        log_error("%s: %m", o->operands[1]);
        status = REFRAIN_ERR_IO;
    } else if (!has_records(directory)) {
        log_error("%s contains no records: record with refrain record --verify DIR", name);
        status = REFRAIN_ERR_USAGE;
    }
    if (status == REFRAIN_OK)
        status = check_run(&reader, name);
    if (status == REFRAIN_OK && (status = definitions_read(&definitions, &reader)) == REFRAIN_OK &&
        (status = verify_comparison_create(&comparison, &reader, &definitions, name, &out)) == REFRAIN_OK)
        status = compare(&comparison, directory);
    const enum refrain_status written = output_close(&out);
    if (status == REFRAIN_OK)
        status = written;
    verify_comparison_free(&comparison);
    definitions_free(&definitions);
    if (directory)
        closedir(directory);
    reader_close(&reader);
    return status;
}
