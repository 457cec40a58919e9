/* SPDX-License-Identifier: BSD-3-Clause */
/* Decode the sections of docs/FORMAT.md into a trace. Input is not trusted: each count is compared
 * with the remaining bytes, each number with its table, and the expansion of references with a
 * budget. */
#include "codec_impl.h"

#include "codec_times.h"
#include "src/core/trace/annex_columns.h"

#include "src/core/base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The budget of memory. A row of MPI_Waitany needs far more memory than bytes in the file, if some
 * requests are known to be null: with 600 requests the row takes 20 bytes in the file, and 2500
 * bytes of memory for each of these bytes. */
#define BUDGET_BASE (UINT64_C(256) << 20)
#define BUDGET_RATE (UINT64_C(16) << 10) /* bytes of memory for each byte of the file */

/* ---- errors ---------------------------------------------------------------------------------- */

void codec_about(struct decoder *d, enum section_id section)
{
    log_set_subject(d->name, section_names[section]);
}

enum refrain_status codec_damaged(struct decoder *d, enum section_id section, const char *format, ...)
{
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    codec_about(d, section);
    log_error("%s", what);
    return REFRAIN_ERR_FORMAT;
}

enum refrain_status codec_spend(struct decoder *d, enum section_id section, uint64_t bytes)
{
    if (bytes > d->budget)
        return codec_damaged(d, section,
                             "damaged: it expands to more memory than a file of this size may need");
    d->budget -= bytes;
    return REFRAIN_OK;
}

enum refrain_status codec_section_end(struct decoder *d, enum section_id section)
{
    const struct bytes_reader *in = &d->file.parts[section].content;
    if (in->failed)
        return codec_damaged(d, section, "cut off");
    if (bytes_left(in) > 0)
        return codec_damaged(d, section, "%zu bytes too many", bytes_left(in));
    return REFRAIN_OK;
}

/* ---- META, FUNC, SITE ------------------------------------------------------------------------ */

static enum refrain_status decode_meta(struct decoder *d, struct bytes_reader *in)
{
    struct trace *t = &d->trace;
    uint64_t first = bytes_get_uint(in), n = bytes_get_uint(in);
    if (!in->failed && (n > TRACE_RANKS_MAX || first > UINT32_MAX - n))
        return codec_damaged(d, SECTION_META, "impossible: %llu ranks from rank %llu on",
                             (unsigned long long)n, (unsigned long long)first);
    t->first_rank = (uint32_t)first;
    t->n_ranks = (uint32_t)n;
    size_t pairs = bytes_get_count(in, 2);
    if (!array_reserve(&t->meta, pairs))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < pairs && !in->failed; i++) {
        struct meta *m = &t->meta.items[t->meta.n++];
        m->key = bytes_get_string(in);
        m->value = bytes_get_string(in);
    }
    return REFRAIN_OK;
}

static enum refrain_status decode_functions(struct decoder *d, struct bytes_reader *in)
{
    return functable_decode(in, &d->trace.functions);
}

static enum refrain_status decode_site(struct decoder *d, struct bytes_reader *in, uint64_t *last)
{
    struct trace *t = &d->trace;
    uint64_t function = bytes_get_uint(in), head = bytes_get_uint(in), common = 0;
    if (head & 1)
        common = bytes_get_uint(in);
    uint64_t own = head >> 1;
    const struct site *before = t->sites.n > 0 ? &t->sites.items[t->sites.n - 1] : NULL;
    if (in->failed || own > bytes_left(in) / 2)
        return codec_damaged(d, SECTION_SITE, "cut off in site %zu", t->sites.n);
    if (function >= t->functions.functions.n)
        return codec_damaged(d, SECTION_SITE, "function %llu does not exist", (unsigned long long)function);
    if (common > (before ? before->n_frames : 0))
        return codec_damaged(d, SECTION_SITE, "site %zu shares frames that do not exist", t->sites.n);
    enum refrain_status status = codec_spend(d, SECTION_SITE, (own + common) * sizeof(struct frame));
    if (status != REFRAIN_OK)
        return status;

    struct site s = {.function = (uint32_t)function, .n_frames = (uint32_t)(own + common)};
    s.frames = malloc((s.n_frames ? s.n_frames : 1) * sizeof *s.frames);
    if (!s.frames) {
        log_error("out of memory: a site of %u frames", s.n_frames);
        return REFRAIN_ERR_MEMORY;
    }
    bool modules_exist = true;
    for (uint64_t k = 0; k < own; k++) {
        uint64_t module = bytes_get_uint(in);
        modules_exist = modules_exist && module < t->modules.n;
        *last += (uint64_t)bytes_get_int(in);
        s.frames[k] = (struct frame){.module = (uint32_t)module, .offset = *last};
    }
    if (common > 0)
        memcpy(s.frames + own, before->frames + before->n_frames - common, common * sizeof *s.frames);
    t->sites.items[t->sites.n++] = s; /* decode_sites has reserved room */
    return modules_exist ? REFRAIN_OK : codec_damaged(d, SECTION_SITE, "a module does not exist");
}

static enum refrain_status decode_sites(struct decoder *d, struct bytes_reader *in)
{
    struct trace *t = &d->trace;
    size_t n = bytes_get_count(in, 1);
    if (!array_reserve(&t->modules, n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n && !in->failed; i++) {
        char *name = bytes_get_string(in);
        if (name)
            t->modules.items[t->modules.n++] = name;
    }
    uint64_t last = 0;
    size_t n_sites = bytes_get_count(in, 2);
    if (!array_reserve(&t->sites, n_sites))
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < n_sites && status == REFRAIN_OK; i++)
        status = decode_site(d, in, &last);
    return status;
}

/* ---- RULE, STRM ------------------------------------------------------------------------------ */

static enum refrain_status decode_skeletons(struct decoder *d, struct bytes_reader *in)
{
    return rules_shared_decode(in, &d->skeletons);
}

static enum refrain_status decode_streams(struct decoder *d, struct bytes_reader *in)
{
    struct rules_shared shared;
    enum refrain_status status = rules_shared_decode(in, &shared);
    if (status != REFRAIN_OK)
        return status;
    if (!array_reserve(&d->streams, shared.n_roots))
        status = REFRAIN_ERR_MEMORY;
    for (uint32_t i = 0; i < shared.n_roots && status == REFRAIN_OK; i++) {
        struct rules *stream = NULL;
        status = rules_shared_extract(&shared, shared.roots[i], &stream);
        if (status == REFRAIN_OK) {
            d->streams.items[d->streams.n++] = stream;
            status = codec_spend(d, SECTION_STRM, codec_rules_bytes(stream));
        }
    }
    rules_shared_free(&shared);
    return status;
}

/* ---- TIME of a final file -------------------------------------------------------------------- */

static enum refrain_status decode_times(struct decoder *d, struct bytes_reader *in)
{
    uint32_t n_classes = 0;
    for (size_t i = 0; i < d->signatures.n; i++) {
        uint64_t kind = bytes_get_uint(in);
        uint32_t *class = &d->signatures.items[i].class;
        if (kind == CLASS_NEW)
            *class = n_classes++;
        else if (kind >= CLASS_OLD && kind - CLASS_OLD < n_classes)
            *class = (uint32_t)(kind - CLASS_OLD);
        else if (kind != CLASS_NONE)
            return codec_damaged(d, SECTION_TIME, "class %llu does not exist",
                                 (unsigned long long)(kind - CLASS_OLD));
    }
    if (in->failed || n_classes > bytes_left(in))
        return codec_damaged(d, SECTION_TIME, "cut off");
    enum refrain_status status = codec_spend(d, SECTION_TIME, n_classes * sizeof *d->classes.items * 2);
    if (status != REFRAIN_OK)
        return status;
    struct timing *times = malloc((n_classes + 1) * sizeof *times);
    if (!times || !array_reserve(&d->classes, n_classes)) {
        log_error("out of memory: %u times", n_classes);
        free(times);
        return REFRAIN_ERR_MEMORY;
    }
    status = codec_times_decode(in, times, n_classes);
    for (uint32_t i = 0; i < n_classes && status == REFRAIN_OK; i++)
        d->classes.items[d->classes.n++] = (struct time_class){.timing = times[i]};
    free(times);
    return status;
}

/* ---- RTIM ------------------------------------------------------------------------------------ */

static enum refrain_status decode_rank_times(struct decoder *d, struct bytes_reader *in)
{
    struct trace *t = &d->trace;
    size_t n = bytes_get_count(in, 3);
    if (!array_reserve(&t->rank_times, n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        uint64_t function = bytes_get_uint(in), ranks = bytes_get_uint(in);
        if (in->failed)
            return codec_damaged(d, SECTION_RTIM, "cut off");
        if (function >= t->functions.functions.n || ranks >= d->series.n)
            return codec_damaged(d, SECTION_RTIM, "a function or set of ranks does not exist");
        const struct series *set = d->series.items[ranks];
        enum refrain_status status = codec_spend(d, SECTION_RTIM, codec_series_bytes(set));
        if (status != REFRAIN_OK)
            return status;
        struct rank_time *r = &t->rank_times.items[t->rank_times.n++];
        *r = (struct rank_time){.function = (uint32_t)function, .ranks = series_copy(set)};
        if (!r->ranks)
            return REFRAIN_ERR_MEMORY;
        status = series_decode(in, &r->sums);
        if (status != REFRAIN_OK)
            return status;
    }
    return REFRAIN_OK;
}

/* ---- ANNX ------------------------------------------------------------------------------------ */

static enum refrain_status decode_annex(struct decoder *d, struct bytes_reader *in)
{
    const struct trace *t = &d->trace;
    const bool apart = d->file.flags & SECTION_APART;
    enum refrain_status status = annex_decode(in, &d->trace.annex);
    if (status == REFRAIN_ERR_FORMAT)
        return codec_damaged(d, SECTION_ANNX, "the index is damaged");
    d->trace.annex.apart = apart;
    for (size_t i = 0; i < t->annex.pieces.n && status == REFRAIN_OK; i++) {
        const uint32_t rank = t->annex.pieces.items[i].rank;
        if (rank < t->first_rank || rank - t->first_rank >= t->n_ranks)
            status = codec_damaged(d, SECTION_ANNX, "there is no rank %u", rank);
    }
    if (status == REFRAIN_OK && bytes_left(&d->file.annex) != (apart ? 0 : t->annex.length))
        status = codec_damaged(d, SECTION_ANNX, "%zu bytes follow, not %llu", bytes_left(&d->file.annex),
                               (unsigned long long)(apart ? 0 : t->annex.length));
    return status;
}

/* ---- CLCK ------------------------------------------------------------------------------------ */

static enum refrain_status decode_clocks(struct decoder *d, struct bytes_reader *in)
{
    return rank_clocks_decode(in, &d->trace.clocks);
}

/* ---- COLS ------------------------------------------------------------------------------------ */

static enum refrain_status decode_away(struct decoder *d, struct bytes_reader *in)
{
    enum refrain_status status = annex_columns_decode(in, &d->trace);
    if (status == REFRAIN_ERR_FORMAT)
        return codec_damaged(d, SECTION_COLS, "columns or pieces that do not exist");
    if (status == REFRAIN_OK && !(d->file.flags & SECTION_APART))
        status = annex_columns_attach(d->name, &d->trace, d->file.annex.at, &d->budget);
    return status == REFRAIN_ERR_FORMAT
               ? codec_damaged(d, SECTION_COLS,
                               "the data of a column is damaged: the checksum does not match")
               : status;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Check what depends on several sections. */
static enum refrain_status check_trace(struct decoder *d)
{
    codec_about(d, SECTION_SHAP);
    enum refrain_status status = trace_check(&d->trace);
    return status == REFRAIN_ERR_CHECK ? REFRAIN_ERR_FORMAT : status;
}

static enum refrain_status decode_sections(struct decoder *d)
{
    /* In this order, each section finds the tables that it refers to. */
    static const struct {
        enum section_id id;
        enum refrain_status (*decode)(struct decoder *, struct bytes_reader *);
    } steps[] = {{SECTION_META, decode_meta},
                 {SECTION_FUNC, decode_functions},
                 {SECTION_SITE, decode_sites},
                 {SECTION_RULE, decode_skeletons},
                 {SECTION_STRM, decode_streams},
                 {SECTION_SERI, codec_decode_series},
                 {SECTION_SIGN, codec_decode_signatures},
                 {SECTION_RTIM, decode_rank_times},
                 {SECTION_ANNX, decode_annex},
                 {SECTION_CLCK, decode_clocks},
                 {SECTION_COLS, decode_away}};

    if (!d->file.parts[SECTION_META].content.at)
        return codec_damaged(d, SECTION_META, "missing");
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct bytes_reader *in = &d->file.parts[steps[i].id].content;
        if (!in->at)
            continue; /* the section is missing: its table is empty */
        codec_about(d, steps[i].id);
        if ((status = steps[i].decode(d, in)) != REFRAIN_OK ||
            (status = codec_section_end(d, steps[i].id)) != REFRAIN_OK)
            return status;
    }
    struct bytes_reader *times = &d->file.parts[SECTION_TIME].content;
    if (d->final && times->at) {
        codec_about(d, SECTION_TIME);
        status = decode_times(d, times);
    }
    if (status == REFRAIN_OK && d->file.parts[SECTION_SHAP].content.at)
        status = codec_decode_shapes(d);
    if (status == REFRAIN_OK)
        status = codec_section_end(d, SECTION_TIME);
    if (status == REFRAIN_OK)
        status = check_trace(d);
    return status;
}

static enum refrain_status list_sections(const struct section_file *f, struct codec_sections *sections)
{
    if (!array_reserve(sections, SECTIONS))
        return REFRAIN_ERR_MEMORY;
    for (unsigned i = 0; i < SECTIONS; i++) {
        const struct section_part *part = &f->parts[i];
        if (!part->content.at)
            continue;
        struct codec_section *s = &sections->items[sections->n++];
        *s = (struct codec_section){.raw = part->raw, .stored = part->stored};
        memcpy(s->tag, section_names[i], sizeof s->tag);
    }
    return REFRAIN_OK;
}

static void decoder_free(struct decoder *d)
{
    trace_free(&d->trace);
    section_file_free(&d->file);
    rules_shared_free(&d->skeletons);
    for (size_t i = 0; i < d->streams.n; i++)
        rules_free(d->streams.items[i]);
    for (size_t i = 0; i < d->series.n; i++)
        series_free(d->series.items[i]);
    for (size_t i = 0; i < d->series.n && d->whole; i++)
        free(d->whole[i]);
    free(d->whole);
    array_free(&d->streams);
    array_free(&d->series);
    array_free(&d->first);
    array_free(&d->signatures);
    for (size_t i = 0; i < d->blocks.n; i++)
        slot_block_release(d->blocks.items[i].made);
    array_free(&d->blocks);
    array_free(&d->block_of);
    array_free(&d->classes);
}

uint64_t codec_budget(size_t n)
{
    return BUDGET_BASE + (uint64_t)n * BUDGET_RATE;
}

enum refrain_status codec_decode(const char *name, const void *data, size_t n, struct trace *out,
                                 struct codec_sections *sections)
{
    struct decoder d = {.name = name, .budget = codec_budget(n)};
    enum refrain_status status = section_read(name, data, n, &d.file);
    d.final = d.file.flags & SECTION_FINAL;
    if (status == REFRAIN_OK)
        status = decode_sections(&d);
    if (status == REFRAIN_OK && sections)
        status = list_sections(&d.file, sections);
    if (status == REFRAIN_OK) {
        *out = d.trace;
        d.trace = (struct trace){0};
    }
    log_set_subject(NULL, NULL);
    decoder_free(&d);
    return status;
}
