/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the files of both versions. A file of version 4 is a ustar archive (POSIX.1-2017, pax) of
 *
 *     anchor.xml     the document
 *     M.index        of metric M: "CUBEX.INDEX", i32 1 (byte order), i16 version, u8 type, i32 n,
 *                    n x i32 call paths with a row, numbered depth first
 *     M.data         "CUBEX.DATA", n rows of one f64 or u64 per location
 *
 * An archive gives a file's length before its content, so the rows are computed twice: first to be
 * counted, then to be written. */
#include "cube.h"

#include "cube_xml.h"
#include "decoder/util/output.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDEX_MAGIC "CUBEX.INDEX"
#define DATA_MAGIC  "CUBEX.DATA"

enum { TAR_BLOCK = 512, TAR_CHECKSUM = 148, INDEX_HEAD = 4 + 2 + 1 + 4 };

struct file {
    const struct cube *cube;
    struct output *output;
    double *values; /* one row */
};

/* Sets the values of a row and returns whether the row is written. Rows of zeros are left out,
 * except the first: readers want one row of each metric. */
static bool take_row(struct file *f, size_t metric, size_t path)
{
    const bool any = f->cube->value(f->cube->context, metric, path, f->values);
    return any || path == 0;
}

/* ---- archives -------------------------------------------------------------------------------- */

/* Octal numbers are NUL-terminated text. Fields not listed here are 0. */
static void begin_member(struct bytes *out, const char *name, uint64_t size)
{
    static const struct {
        size_t at;
        const char *text;
    } fields[] = {
        {100, "0000644"},     /* mode */
        {108, "0000000"},     /* user */
        {116, "0000000"},     /* group */
        {136, "00000000000"}, /* time */
        {TAR_CHECKSUM, "        "},
        {156, "0"}, /* regular file */
        {257, "ustar"},
        {263, "00"}, /* version 0 */
    };
    char head[TAR_BLOCK] = {0};
    unsigned sum = 0;
    snprintf(head, 100, "%s", name);
    snprintf(head + 124, 12, "%011llo", (unsigned long long)size);
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        memcpy(head + fields[f].at, fields[f].text, strlen(fields[f].text));
    for (size_t i = 0; i < sizeof head; i++)
        sum += (unsigned char)head[i];
    snprintf(head + TAR_CHECKSUM, 8, "%06o", sum);
    bytes_put(out, head, sizeof head);
}

static void end_member(struct bytes *out, uint64_t size)
{
    static const char zeros[TAR_BLOCK];
    bytes_put(out, zeros, (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

/* ---- version 4 ------------------------------------------------------------------------------- */

static void put_index(struct file *f, size_t metric, const struct bytes *rows, uint32_t n)
{
    struct bytes *out = &f->output->text;
    char name[32];
    const uint64_t size = strlen(INDEX_MAGIC) + INDEX_HEAD + rows->n;
    const uint8_t version_and_type[] = {0, 0, 1};
    snprintf(name, sizeof name, "%zu.index", metric);
    begin_member(out, name, size);
    text_put(out, INDEX_MAGIC);
    bytes_put_u32(out, 1);
    bytes_put(out, version_and_type, sizeof version_and_type);
    bytes_put_u32(out, n);
    bytes_put(out, rows->data, rows->n);
    end_member(out, size);
}

/* Returns the count; the counts of a damaged trace may be too large. Differences are negative in two's complement. */
static uint64_t count_of(double value)
{
    if (!(value < 0x1p64))
        return UINT64_MAX;
    if (value < 0)
        return (uint64_t)(value > -0x1p63 ? (int64_t)value : INT64_MIN);
    return (uint64_t)value;
}

static enum refrain_status put_data(struct file *f, size_t metric, uint32_t n)
{
    const struct cube *c = f->cube;
    struct bytes *out = &f->output->text;
    char name[32];
    const uint64_t size = strlen(DATA_MAGIC) + (uint64_t)n * c->n_locations * 8;
    enum refrain_status status = REFRAIN_OK;
    snprintf(name, sizeof name, "%zu.data", metric);
    begin_member(out, name, size);
    text_put(out, DATA_MAGIC);
    for (size_t path = 0; path < c->n_call_paths && status == REFRAIN_OK; path++) {
        if (!take_row(f, metric, path))
            continue;
        for (size_t l = 0; l < c->n_locations; l++) {
            uint64_t bits = count_of(f->values[l]);
            if (!c->metrics[metric].is_count)
                memcpy(&bits, &f->values[l], sizeof bits);
            bytes_put_u64(out, bits);
        }
        status = output_drain(f->output);
    }
    end_member(out, size);
    return status;
}

static enum refrain_status put_metric_files(struct file *f, size_t metric)
{
    struct bytes rows = {0};
    uint32_t n = 0;
    for (uint32_t path = 0; path < f->cube->n_call_paths; path++) {
        if (take_row(f, metric, path)) {
            bytes_put_u32(&rows, path);
            n++;
        }
    }
    put_index(f, metric, &rows, n);
    const enum refrain_status status = rows.failed ? REFRAIN_ERR_MEMORY : put_data(f, metric, n);
    bytes_free(&rows);
    return status;
}

static enum refrain_status put_archive(struct file *f)
{
    static const char end[2 * TAR_BLOCK];
    struct bytes anchor = {0};
    enum refrain_status status = REFRAIN_OK;
    cube_put_head(f->cube, CUBE_4, &anchor);
    text_put(&anchor, "</cube>\n");
    begin_member(&f->output->text, "anchor.xml", anchor.n);
    bytes_put(&f->output->text, anchor.data, anchor.n);
    end_member(&f->output->text, anchor.n);
    if (anchor.failed)
        status = REFRAIN_ERR_MEMORY;
    bytes_free(&anchor);
    for (size_t metric = 0; metric < f->cube->n_metrics && status == REFRAIN_OK; metric++)
        status = put_metric_files(f, metric);
    bytes_put(&f->output->text, end, sizeof end);
    return status;
}

/* ---- version 3 ------------------------------------------------------------------------------- */

static enum refrain_status put_document(struct file *f)
{
    const struct cube *c = f->cube;
    struct bytes *out = &f->output->text;
    enum refrain_status status = REFRAIN_OK;
    cube_put_head(c, CUBE_3, out);
    text_put(out, "<severity>\n");
    for (size_t metric = 0; metric < c->n_metrics; metric++) {
        text_printf(out, "<matrix metricId=\"%zu\">\n", metric);
        for (size_t path = 0; path < c->n_call_paths && status == REFRAIN_OK; path++) {
            if (!take_row(f, metric, path))
                continue;
            cube_put_row(c, path, f->values, out);
            status = output_drain(f->output);
        }
        text_put(out, "</matrix>\n");
    }
    text_put(out, "</severity>\n</cube>\n");
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

static const struct kind {
    const char *ending;
    enum refrain_status (*put)(struct file *);
} kinds[] = {{".cube", put_document}, {".cubex", put_archive}};

/* Returns NULL if the ending is unknown. */
static const struct kind *kind_of(const char *path)
{
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(ending, kinds[i].ending) == 0)
            return &kinds[i];
    return NULL;
}

enum refrain_status cube_path_check(const char *path)
{
    if (kind_of(path))
        return REFRAIN_OK;
    log_error("--output %s: wanted a name that ends in .cube (CUBE 3) or .cubex (CUBE 4)", path);
    return REFRAIN_ERR_USAGE;
}

enum refrain_status cube_write(const struct cube *c, const char *path)
{
    assert(c->n_call_paths > 0);
    struct output output = {0};
    struct file f = {.cube = c, .output = &output, .values = calloc(c->n_locations + 1, sizeof *f.values)};
    enum refrain_status status = cube_path_check(path);
    if (status == REFRAIN_OK && c->n_locations == 0) {
        log_error("--output %s: there are no calls, so there is no profile", path);
        status = REFRAIN_ERR_USAGE;
    }
    if (status == REFRAIN_OK && !f.values) {
        log_error("out of memory: a profile of %zu locations", c->n_locations);
        status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = output_open(&output, path);
    if (status == REFRAIN_OK)
        status = output_end(&output, kind_of(path)->put(&f));
    free(f.values);
    return status;
}
