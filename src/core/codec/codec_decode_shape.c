/* SPDX-License-Identifier: BSD-3-Clause */
/* The SHAP section, and the TIME section of a trace that is not final. */
#include "codec_impl.h"

#include "src/core/base/log.h"
#include "src/core/passes/transposed_counts.h"

#include <stdlib.h>

/* ---- out of the tables ----------------------------------------------------------------------- */

/* Share a series of the table. The budget is charged each time, since readers of the trace walk
 * through the series at each use. */
static enum refrain_status share_series(struct decoder *d, uint64_t number, struct series **out)
{
    if (number >= d->series.n)
        return codec_damaged(d, SECTION_SHAP, "series %llu does not exist", (unsigned long long)number);
    struct series *s = d->series.items[number];
    enum refrain_status status = codec_spend(d, SECTION_SHAP, codec_series_bytes(s));
    if (status == REFRAIN_OK)
        *out = series_share(s);
    return status;
}

/* Make the function of a slot over the group's ranks; `single` as in codec_intern_slot. */
static enum refrain_status make_rankfn(struct decoder *d, const struct slot_code *s,
                                       const struct series *ranks, const int64_t *single, struct rankfn *f)
{
    if (s->forms == SLOT_GLOBAL_PLAIN || s->forms == SLOT_GLOBAL_RELATIVE)
        return codec_cut_global(d, s, ranks, f);
    if (s->forms == SLOT_NATURAL) {
        *f = (struct rankfn){.forms = RANKFN_CONSTANT, .constant = s->constant};
        if (single) {
            f->forms |= RANKFN_OFFSET;
            f->offset = (int64_t)((uint64_t)s->constant - (uint64_t)*single);
        }
        return REFRAIN_OK;
    }
    *f = (struct rankfn){
        .forms = s->forms & (RANKFN_CONSTANT | RANKFN_OFFSET), .constant = s->constant, .offset = s->offset};
    enum refrain_status status = REFRAIN_OK;
    if (s->forms & RANKFN_PLAIN && (status = share_series(d, s->plain, &f->plain)) == REFRAIN_OK)
        f->forms |= RANKFN_PLAIN;
    if (status == REFRAIN_OK && s->forms & RANKFN_RELATIVE &&
        (status = share_series(d, s->relative, &f->relative)) == REFRAIN_OK)
        f->forms |= RANKFN_RELATIVE;
    return status; /* the lists made so far are in f, for its owner to free */
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A row under construction: the slots before the current one are complete. */
struct row_making {
    const struct read_signature *signature;
    const struct series *ranks;
    const int64_t *single;
    struct row *row;
    uint32_t place; /* place of the last transposed slot in its array */
};

static const struct slot_code *code_at(struct decoder *d, const struct row_making *m, uint32_t slot)
{
    return &codec_signature_block(d, m->signature, slot)->codes[slot % SLOT_BLOCK];
}

/* Make slot i of an array that is the transpose of an earlier one. */
static enum refrain_status make_transposed(struct decoder *d, struct row_making *m, uint32_t i,
                                           struct rankfn *f)
{
    const struct slot_code *code = code_at(d, m, i);
    const bool goes_on = i > 0 && slot_code_equal(code, code_at(d, m, i - 1));
    const uint32_t distance = code->plain, place = goes_on ? m->place + 1 : 0;
    const uint64_t n = series_length(m->ranks);
    bool fits = d->final && n <= TRANSPOSED_RANKS_MAX && n <= distance && distance <= i - place && place < n;
    /* Start of the array that it is the transpose of. */
    const uint32_t first = i - place - distance;
    for (uint32_t k = 0; k < n && fits; k++) {
        const uint32_t forms = code_at(d, m, first + k)->forms;
        fits = forms != SLOT_SUM && forms != SLOT_TRANSPOSED;
    }
    m->place = place;
    return fits ? codec_transpose_slots(d, m->row, first, place, m->ranks, f)
                : codec_damaged(d, SECTION_SIGN, "a transposed list does not refer to an array");
}

/* Make the slots of a block, from slot `first` on. They may depend on slots before them. */
static enum refrain_status make_slots(struct decoder *d, struct row_making *m, uint32_t first)
{
    struct slot_block *block = m->row->blocks[first / SLOT_BLOCK];
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < block->n && status == REFRAIN_OK; i++) {
        const uint32_t at = first + i;
        const struct slot_code *code = code_at(d, m, at);
        if (code->forms == SLOT_SUM)
            status = codec_add_slots(d, row_slot(m->row, at - 1), row_slot(m->row, at - code->plain),
                                     code->constant, m->ranks, &block->slots[i]);
        else if (code->forms == SLOT_TRANSPOSED)
            status = make_transposed(d, m, at, &block->slots[i]);
        else
            status = make_rankfn(d, code, m->ranks, m->single, &block->slots[i]);
    }
    return status;
}

/* Whether the slots are the same in all groups. */
static bool is_common(const struct decoder *d, const struct code_block *codes, uint32_t n)
{
    const uint32_t own = SLOT_GLOBAL_PLAIN | SLOT_GLOBAL_RELATIVE | SLOT_SUM | SLOT_TRANSPOSED;
    for (uint32_t i = 0; i < n; i++) {
        if (codes->codes[i].forms & own)
            return false;
    }
    return d->final;
}

/* Share the block that an earlier row has made, if there is one. Its lists are charged each time,
 * as in share_series. */
static enum refrain_status share_block(struct decoder *d, struct code_block *codes, uint32_t n,
                                       struct slot_block **out)
{
    *out = NULL;
    if (!codes->made || codes->made->n != n)
        return REFRAIN_OK;
    const enum refrain_status status = codec_spend(d, SECTION_SHAP, codes->effort);
    if (status != REFRAIN_OK)
        return status;
    codes->made->users++;
    d->trace.shares_slots = true;
    *out = codes->made;
    return REFRAIN_OK;
}

static enum refrain_status make_block(struct decoder *d, struct row_making *m, uint32_t first)
{
    struct code_block *codes = codec_signature_block(d, m->signature, first);
    struct row *row = m->row;
    const uint32_t left = row->n_slots - first, n = left < SLOT_BLOCK ? left : SLOT_BLOCK;
    struct slot_block **block = &row->blocks[first / SLOT_BLOCK];
    const uint64_t before = d->budget;
    enum refrain_status status = share_block(d, codes, n, block);
    if (status != REFRAIN_OK || *block)
        return status;
    *block = slot_block_create(n);
    if (!*block)
        return REFRAIN_ERR_MEMORY;
    status = make_slots(d, m, first);
    codes->effort = before - d->budget;
    if (status == REFRAIN_OK)
        status = codec_spend(d, SECTION_SHAP, sizeof **block + n * sizeof *(*block)->slots);
    if (status == REFRAIN_OK && !codes->made && is_common(d, codes, n)) {
        codes->made = *block;
        codes->made->users++;
    }
    return status;
}

static enum refrain_status make_row(struct decoder *d, const struct read_signature *signature,
                                    const struct series *ranks, const int64_t *single, struct row *row)
{
    const uint32_t n = signature->n_slots, n_blocks = row_blocks(n);
    enum refrain_status status =
        codec_spend(d, SECTION_SHAP, n_blocks * sizeof *row->blocks + n * SLOT_EFFORT + sizeof *row);
    if (status != REFRAIN_OK)
        return status;
    row->blocks = calloc(n_blocks + (size_t)1, sizeof(struct slot_block *));
    if (!row->blocks) {
        log_error("out of memory: a row of %u slots", n);
        return REFRAIN_ERR_MEMORY;
    }
    row->n_slots = n;
    struct row_making making = {.signature = signature, .ranks = ranks, .single = single, .row = row};
    for (uint32_t at = 0; at < n && status == REFRAIN_OK; at += SLOT_BLOCK)
        status = make_block(d, &making, at);
    return status;
}

/* ---- times ----------------------------------------------------------------------------------- */

/* In a final file, the first group that has a row of a class gets the class's times. */
static enum refrain_status take_class(struct decoder *d, struct group *g, uint32_t class, struct row *row)
{
    row->timing = TIMING_NONE;
    if (class == NO_CLASS)
        return REFRAIN_OK;
    row->class = class + 1;
    struct time_class *c = &d->classes.items[class];
    if (c->group == 0) {
        if (!array_push(&g->timings, c->timing))
            return REFRAIN_ERR_MEMORY;
        c->group = d->n_groups;
        c->index = (uint32_t)(g->timings.n - 1);
    }
    if (c->group == d->n_groups)
        row->timing = c->index;
    return REFRAIN_OK;
}

static enum refrain_status decode_timings(struct decoder *d, struct group *g, size_t n)
{
    struct bytes_reader *in = &d->file.parts[SECTION_TIME].content;
    if (n > bytes_left(in))
        return codec_damaged(d, SECTION_TIME, "cut off");
    enum refrain_status status = codec_spend(d, SECTION_TIME, n * sizeof *g->timings.items);
    if (status == REFRAIN_OK && n > 0 && !array_reserve(&g->timings, n))
        status = REFRAIN_ERR_MEMORY;
    codec_about(d, SECTION_TIME);
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
        status = timing_decode(in, &g->timings.items[i]);
        g->timings.n += status == REFRAIN_OK;
    }
    return status;
}

/* Decode times whose number, and whose assignment to rows, are written. */
static enum refrain_status decode_explicit_timings(struct decoder *d, struct bytes_reader *in,
                                                   struct group *g)
{
    uint64_t n = bytes_get_uint(in);
    for (size_t i = 0; i < g->rows.n && n > 0; i++) {
        uint64_t timing = bytes_get_uint(in);
        if (timing > n)
            return codec_damaged(d, SECTION_SHAP, "a row's times do not exist");
        g->rows.items[i].timing = timing == 0 ? TIMING_NONE : (uint32_t)(timing - 1);
    }
    return in->failed ? codec_damaged(d, SECTION_SHAP, "cut off") : decode_timings(d, g, n);
}

static enum refrain_status decode_usual_timings(struct decoder *d, struct group *g)
{
    for (size_t i = 0; i < g->rows.n; i++)
        g->rows.items[i].timing = (uint32_t)i;
    return decode_timings(d, g, g->rows.n);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Add row `number` of the site to the group. */
static enum refrain_status add_row(struct decoder *d, uint32_t site, struct group *g, uint64_t number,
                                   const int64_t *single)
{
    const uint32_t first = d->first.items[site], n = d->first.items[site + 1] - first;
    if (number >= n)
        return codec_damaged(d, SECTION_SHAP, "site %u has no row %llu", site, (unsigned long long)number);
    const struct read_signature *signature = &d->signatures.items[first + number];
    if (!array_push(&g->rows, ((struct row){.timing = TIMING_NONE})))
        return REFRAIN_ERR_MEMORY;
    struct row *row = &g->rows.items[g->rows.n - 1];
    enum refrain_status status = make_row(d, signature, g->ranks, single, row);
    return status == REFRAIN_OK ? take_class(d, g, signature->class, row) : status;
}

static enum refrain_status decode_rows(struct decoder *d, struct bytes_reader *in, uint32_t site,
                                       struct group *g, bool several, const int64_t *single)
{
    size_t n = several ? bytes_get_count(in, 1) : 1;
    uint64_t expected = 0;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
        uint64_t number = expected + (uint64_t)bytes_get_int(in);
        if (in->failed)
            return codec_damaged(d, SECTION_SHAP, "cut off");
        status = add_row(d, site, g, number, single);
        expected = number + 1;
    }
    return status;
}

/* Decode the column of each rank, or the factor of a sum. */
static enum refrain_status decode_choice(struct decoder *d, struct bytes_reader *in,
                                         const struct series *ranks, const int64_t *single, struct rankfn *f)
{
    struct slot_code code;
    if (!codec_get_slot(in, d->series.n, &code))
        return codec_damaged(d, SECTION_SHAP, "a column is invalid");
    return make_rankfn(d, &code, ranks, single, f);
}

static enum refrain_status decode_columns(struct decoder *d, struct bytes_reader *in, uint64_t parts,
                                          struct group *g, const int64_t *single)
{
    size_t n = parts & GROUP_COLUMNS ? bytes_get_count(in, 2) : 0;
    const bool order = parts & GROUP_ORDER, filler = parts & GROUP_FILLER;
    if (!array_reserve(&g->columns, n + order + filler))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n + order + filler; i++) {
        uint64_t slot = i < n ? bytes_get_uint(in) : i < n + order ? COLUMN_ORDER : COLUMN_FILLER;
        if (i < n && slot >= COLUMN_ORDER)
            return codec_damaged(d, SECTION_SHAP, "a column is invalid");
        struct column *c = &g->columns.items[g->columns.n++];
        *c = (struct column){.slot = (uint32_t)slot};
        enum refrain_status status = decode_choice(d, in, g->ranks, single, &c->series);
        if (status != REFRAIN_OK)
            return status;
    }
    return REFRAIN_OK;
}

/* Decode sums of slots. trace_check finds out whether they fit the rows. */
static enum refrain_status decode_sums(struct decoder *d, struct bytes_reader *in, struct group *g,
                                       const int64_t *single)
{
    const size_t n = bytes_get_count(in, 3);
    uint64_t slot = 0;
    if (n == 0)
        return codec_damaged(d, SECTION_SHAP, "no sums");
    enum refrain_status status = array_reserve(&g->sums, n) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
        const uint64_t more = bytes_get_uint(in), distance = bytes_get_uint(in);
        if (in->failed || more > UINT32_MAX - slot || distance > UINT32_MAX)
            return codec_damaged(d, SECTION_SHAP, "a sum is invalid");
        slot += more;
        struct slot_sum *sum = &g->sums.items[g->sums.n++];
        *sum = (struct slot_sum){.slot = (uint32_t)slot, .distance = (uint32_t)distance};
        status = decode_choice(d, in, g->ranks, single, &sum->factor);
    }
    return status;
}

static enum refrain_status copy_stream(struct decoder *d, uint64_t number, struct group *g)
{
    if (number >= d->streams.n)
        return codec_damaged(d, SECTION_SHAP, "stream %llu does not exist", (unsigned long long)number);
    const struct rules *stream = d->streams.items[number];
    enum refrain_status status = codec_spend(d, SECTION_SHAP, codec_rules_bytes(stream));
    if (status != REFRAIN_OK)
        return status;
    g->stream = rules_copy(stream);
    return g->stream ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* How a group is read. */
struct group_source {
    uint32_t site;
    struct series *ranks; /* ranks of the shape */
    bool times;           /* whether SHAP_TIMES is set */
};

/* Give the group its ranks. *single says whether slots hold both simple forms, constant and offset;
 * then *rank is the group's only rank. */
static enum refrain_status start_group(struct decoder *d, struct series *ranks, struct group *g,
                                       int64_t *rank, bool *single)
{
    if (series_length(ranks) == 0)
        return codec_damaged(d, SECTION_SHAP, "a group without ranks");
    enum refrain_status status = codec_spend(d, SECTION_SHAP, codec_series_bytes(ranks) + sizeof *g);
    if (status != REFRAIN_OK)
        return status;
    g->ranks = series_share(ranks);
    d->n_groups++;
    *rank = series_at(ranks, 0);
    *single = !d->final && series_length(ranks) == 1;
    return REFRAIN_OK;
}

/* Decode a group with all ranks of the shape, one row and usual times: only the row's number is
 * written. */
static enum refrain_status decode_simple_group(struct decoder *d, const struct group_source *from,
                                               uint64_t number, struct group *g)
{
    int64_t rank;
    bool single;
    enum refrain_status status = start_group(d, from->ranks, g, &rank, &single);
    if (status == REFRAIN_OK)
        status = add_row(d, from->site, g, number, single ? &rank : NULL);
    if (status == REFRAIN_OK && from->times)
        status = decode_usual_timings(d, g);
    return status;
}

static enum refrain_status decode_group(struct decoder *d, struct bytes_reader *in,
                                        const struct group_source *from, struct group *g)
{
    uint64_t parts = bytes_get_uint(in);
    if (parts > GROUP_ALL)
        return codec_damaged(d, SECTION_SHAP, "a group at site %u has unknown parts", from->site);
    struct series *ranks = from->ranks;
    if (parts & GROUP_RANKS) {
        uint64_t number = bytes_get_uint(in);
        if (number >= d->series.n)
            return codec_damaged(d, SECTION_SHAP, "series %llu does not exist", (unsigned long long)number);
        ranks = d->series.items[number];
    }
    int64_t rank;
    bool single;
    enum refrain_status status = start_group(d, ranks, g, &rank, &single);
    if (status != REFRAIN_OK)
        return status;
    const int64_t *only = single ? &rank : NULL;
    if (parts & GROUP_STREAM)
        status = copy_stream(d, bytes_get_uint(in), g);
    if (status == REFRAIN_OK)
        status = decode_rows(d, in, from->site, g, parts & GROUP_ROWS, only);
    if (status == REFRAIN_OK && parts & (GROUP_COLUMNS | GROUP_ORDER | GROUP_FILLER))
        status = decode_columns(d, in, parts, g, only);
    if (status == REFRAIN_OK && parts & GROUP_SUMS)
        status = decode_sums(d, in, g, only);
    if (status != REFRAIN_OK)
        return status;
    if (parts & GROUP_TIMINGS)
        return decode_explicit_timings(d, in, g);
    return from->times ? decode_usual_timings(d, g) : REFRAIN_OK;
}

/* ---- entries, shapes ------------------------------------------------------------------------- */

static enum refrain_status decode_entry(struct decoder *d, struct bytes_reader *in,
                                        const struct group_source *from, struct entry *entry)
{
    uint64_t head = bytes_get_uint(in), n = head & 1 ? head >> 1 : 1;
    if (in->failed || n > bytes_left(in) + 1)
        return codec_damaged(d, SECTION_SHAP, "cut off at site %u", from->site);
    enum refrain_status status = REFRAIN_OK;
    for (uint64_t i = 0; i < n && status == REFRAIN_OK; i++) {
        if (!array_push(&entry->groups, (struct group){0}))
            return REFRAIN_ERR_MEMORY;
        struct group *g = &entry->groups.items[entry->groups.n - 1];
        status = head & 1 ? decode_group(d, in, from, g) : decode_simple_group(d, from, head >> 1, g);
    }
    return status;
}

static enum refrain_status decode_loop(struct decoder *d, struct bytes_reader *in, struct shape *s)
{
    const uint64_t after = bytes_get_uint(in), n = bytes_get_uint(in);
    if (after >= d->trace.sites.n)
        return codec_damaged(d, SECTION_SHAP, "site %llu does not exist", (unsigned long long)after);
    if (n < 1 || n > LOOP_SITES_MAX)
        return codec_damaged(d, SECTION_SHAP, "a loop without sites, or with too many");
    struct loop *l = &s->loops.items[s->loops.n++];
    *l = (struct loop){.after = (uint32_t)after, .n = (uint32_t)n, .sites = malloc(n * sizeof *l->sites)};
    if (!l->sites) {
        log_error("out of memory: a loop of %u sites", l->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t k = 0; k < l->n; k++) {
        const uint64_t site = bytes_get_uint(in);
        if (site >= d->trace.sites.n)
            return codec_damaged(d, SECTION_SHAP, "site %llu does not exist", (unsigned long long)site);
        l->sites[k] = (uint32_t)site;
    }
    const int64_t rank = series_at(s->ranks, 0);
    const bool single = !d->final && series_length(s->ranks) == 1;
    return decode_choice(d, in, s->ranks, single ? &rank : NULL, &l->counts);
}

static enum refrain_status decode_loops(struct decoder *d, struct bytes_reader *in, struct shape *s)
{
    const uint64_t n = bytes_get_uint(in);
    if (n < 1 || n > LOOPS_MAX)
        return codec_damaged(d, SECTION_SHAP, "no loops, or too many");
    if (series_length(s->ranks) == 0)
        return codec_damaged(d, SECTION_SHAP, "a shape without ranks");
    enum refrain_status status = array_reserve(&s->loops, n) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (uint64_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = decode_loop(d, in, s);
    return status;
}

/* Decode an entry for each site of the skeleton and of the loops. */
static enum refrain_status decode_entries(struct decoder *d, struct bytes_reader *in, bool times,
                                          struct shape *s)
{
    const uint32_t n = shape_alphabet(s);
    if (n > d->trace.sites.n || n + 1 > d->first.n)
        return codec_damaged(d, SECTION_RULE, "site %u does not exist", n - 1);
    uint64_t *calls = calloc((size_t)n + 1, sizeof *calls);
    if (!calls) {
        log_error("out of memory: a shape of %u sites", n);
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = rules_count(s->skeleton, calls, n);
    for (size_t i = 0; i < s->loops.n; i++) {
        for (uint32_t k = 0; k < s->loops.items[i].n; k++)
            calls[s->loops.items[i].sites[k]]++;
    }
    for (uint32_t site = 0; site < n && status == REFRAIN_OK; site++) {
        if (calls[site] == 0)
            continue;
        struct group_source from = {.site = site, .ranks = s->ranks, .times = times};
        status = array_push(&s->entries, (struct entry){.site = site}) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
        if (status == REFRAIN_OK)
            status = decode_entry(d, in, &from, &s->entries.items[s->entries.n - 1]);
    }
    free(calls);
    return status;
}

/* The set of all ranks of the trace. */
static enum refrain_status all_ranks(const struct trace *t, struct series **out)
{
    struct series *s = series_create();
    if (!s)
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status = t->n_ranks ? series_append_run(s, t->first_rank, 1, t->n_ranks) : REFRAIN_OK;
    if (status != REFRAIN_OK) {
        series_free(s);
        return status;
    }
    *out = s;
    return REFRAIN_OK;
}

static enum refrain_status decode_shape(struct decoder *d, struct bytes_reader *in, bool times,
                                        uint32_t index, struct shape *s)
{
    uint64_t lane = bytes_get_uint(in), ranks = bytes_get_uint(in);
    if (in->failed || lane >> SHAPE_NUMBER_SHIFT > UINT32_MAX)
        return codec_damaged(d, SECTION_SHAP, "cut off at shape %u", index);
    s->kind = (uint32_t)(lane & SHAPE_KIND);
    s->number = (uint32_t)(lane >> SHAPE_NUMBER_SHIFT);
    enum refrain_status status =
        ranks == 0 ? all_ranks(&d->trace, &s->ranks) : share_series(d, ranks - 1, &s->ranks);
    if (status == REFRAIN_OK && lane & SHAPE_LOOPS)
        status = decode_loops(d, in, s);
    codec_about(d, SECTION_RULE);
    if (status == REFRAIN_OK)
        status = rules_shared_extract(&d->skeletons, d->skeletons.roots[index], &s->skeleton);
    if (status == REFRAIN_OK)
        status = codec_spend(d, SECTION_RULE, codec_rules_bytes(s->skeleton));
    return status == REFRAIN_OK ? decode_entries(d, in, times, s) : status;
}

enum refrain_status codec_decode_shapes(struct decoder *d)
{
    struct bytes_reader *in = &d->file.parts[SECTION_SHAP].content;
    uint64_t head = bytes_get_uint(in);
    size_t n = bytes_get_count(in, 2);
    if (head & ~(uint64_t)SHAP_TIMES)
        return codec_damaged(d, SECTION_SHAP, "unknown flags");
    if (n != d->skeletons.n_roots)
        return codec_damaged(d, SECTION_SHAP, "%zu shapes for %u skeletons", n, d->skeletons.n_roots);
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < n && status == REFRAIN_OK; i++) {
        if (!array_push(&d->trace.shapes, (struct shape){0}))
            return REFRAIN_ERR_MEMORY;
        status = decode_shape(d, in, head & SHAP_TIMES, i, &d->trace.shapes.items[i]);
    }
    return status == REFRAIN_OK ? codec_section_end(d, SECTION_SHAP) : status;
}
