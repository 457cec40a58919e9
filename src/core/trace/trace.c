/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace.h"

#include "src/core/base/log.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- release --------------------------------------------------------------------------------- */

struct slot_block *slot_block_create(uint32_t n)
{
    struct slot_block *b = calloc(1, sizeof *b + n * sizeof *b->slots);
    if (!b) {
        log_error("out of memory: %u slots of a row", n);
        return NULL;
    }
    b->users = 1;
    b->n = n;
    return b;
}

void slot_block_release(struct slot_block *b)
{
    if (!b || --b->users > 0)
        return;
    for (uint32_t i = 0; i < b->n; i++)
        rankfn_free(&b->slots[i]);
    free(b);
}

enum refrain_status row_make(struct row *r, uint32_t n)
{
    const uint32_t n_blocks = row_blocks(n);
    *r = (struct row){.n_slots = n, .blocks = calloc(n_blocks + (size_t)1, sizeof(struct slot_block *))};
    if (!r->blocks) {
        log_error("out of memory: a row of %u slots", n);
        *r = (struct row){0};
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < n_blocks; i++) {
        const uint32_t left = n - i * SLOT_BLOCK;
        r->blocks[i] = slot_block_create(left < SLOT_BLOCK ? left : SLOT_BLOCK);
        if (!r->blocks[i]) {
            row_free(r);
            return REFRAIN_ERR_MEMORY;
        }
    }
    return REFRAIN_OK;
}

enum refrain_status slot_block_own(struct slot_block **b)
{
    struct slot_block *shared = *b;
    if (shared->users == 1)
        return REFRAIN_OK;
    struct slot_block *own = slot_block_create(shared->n);
    if (!own)
        return REFRAIN_ERR_MEMORY;
    for (uint32_t k = 0; k < own->n; k++)
        own->slots[k] = rankfn_share(&shared->slots[k]);
    *b = own;
    slot_block_release(shared);
    return REFRAIN_OK;
}

static enum refrain_status own_slots(struct row *r)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < row_blocks(r->n_slots) && status == REFRAIN_OK; i++)
        status = slot_block_own(&r->blocks[i]);
    return status;
}

static enum refrain_status own_slots_of_entry(struct entry *e)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t k = 0; k < e->groups.n; k++) {
        struct group *g = &e->groups.items[k];
        for (size_t i = 0; i < g->rows.n && status == REFRAIN_OK; i++)
            status = own_slots(&g->rows.items[i]);
    }
    return status;
}

enum refrain_status trace_own_slots(struct trace *t)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < t->shapes.n && t->shares_slots; i++) {
        struct shape *s = &t->shapes.items[i];
        for (size_t k = 0; k < s->entries.n && status == REFRAIN_OK; k++)
            status = own_slots_of_entry(&s->entries.items[k]);
    }
    if (status == REFRAIN_OK)
        t->shares_slots = false;
    return status;
}

void row_free(struct row *r)
{
    for (uint32_t i = 0; r->blocks && i < row_blocks(r->n_slots); i++)
        slot_block_release(r->blocks[i]);
    free(r->blocks);
    *r = (struct row){0};
}

void group_free(struct group *g)
{
    series_free(g->ranks);
    rules_free(g->stream);
    for (size_t i = 0; i < g->rows.n; i++)
        row_free(&g->rows.items[i]);
    for (size_t i = 0; i < g->columns.n; i++)
        rankfn_free(&g->columns.items[i].series);
    array_free(&g->rows);
    for (size_t i = 0; i < g->sums.n; i++)
        rankfn_free(&g->sums.items[i].factor);
    array_free(&g->columns);
    array_free(&g->sums);
    array_free(&g->timings);
    *g = (struct group){0};
}

void shape_free(struct shape *s)
{
    series_free(s->ranks);
    rules_free(s->skeleton);
    for (size_t i = 0; i < s->entries.n; i++) {
        struct entry *e = &s->entries.items[i];
        for (size_t k = 0; k < e->groups.n; k++)
            group_free(&e->groups.items[k]);
        array_free(&e->groups);
    }
    array_free(&s->entries);
    for (size_t i = 0; i < s->loops.n; i++) {
        free(s->loops.items[i].sites);
        rankfn_free(&s->loops.items[i].counts);
    }
    array_free(&s->loops);
    *s = (struct shape){0};
}

uint32_t shape_alphabet(const struct shape *s)
{
    uint32_t n = rules_alphabet(s->skeleton);
    for (size_t i = 0; i < s->loops.n; i++) {
        for (uint32_t k = 0; k < s->loops.items[i].n; k++) {
            if (s->loops.items[i].sites[k] >= n)
                n = s->loops.items[i].sites[k] + 1;
        }
    }
    return n;
}

size_t group_slot_columns(const struct group *g)
{
    size_t n = g->columns.n;
    while (n > 0 && g->columns.items[n - 1].slot >= COLUMN_ORDER)
        n--;
    return n;
}

static const struct column *find_column(const struct group *g, uint32_t slot)
{
    for (size_t i = group_slot_columns(g); i < g->columns.n; i++) {
        if (g->columns.items[i].slot == slot)
            return &g->columns.items[i];
    }
    return NULL;
}

const struct column *group_order(const struct group *g)
{
    return find_column(g, COLUMN_ORDER);
}

const struct column *group_filler(const struct group *g)
{
    return find_column(g, COLUMN_FILLER);
}

bool group_varies(const struct shape *s, uint32_t site, const struct group *g)
{
    for (size_t i = 0; i < s->loops.n; i++) {
        for (uint32_t k = 0; k < s->loops.items[i].n; k++) {
            if (s->loops.items[i].sites[k] == site)
                return true;
        }
    }
    return group_slot_columns(g) < g->columns.n;
}

void trace_free(struct trace *t)
{
    map_free(&t->index.sites);
    map_free(&t->index.columns);
    for (size_t i = 0; i < t->meta.n; i++) {
        free(t->meta.items[i].key);
        free(t->meta.items[i].value);
    }
    array_free(&t->meta);
    functable_free(&t->functions);
    for (size_t i = 0; i < t->modules.n; i++)
        free(t->modules.items[i]);
    array_free(&t->modules);
    for (size_t i = 0; i < t->sites.n; i++)
        free(t->sites.items[i].frames);
    array_free(&t->sites);
    for (size_t i = 0; i < t->columns.n; i++)
        series_free(t->columns.items[i]);
    array_free(&t->columns);
    array_free(&t->away);
    for (size_t i = 0; i < t->shapes.n; i++)
        shape_free(&t->shapes.items[i]);
    array_free(&t->shapes);
    for (size_t i = 0; i < t->rank_times.n; i++) {
        series_free(t->rank_times.items[i].ranks);
        series_free(t->rank_times.items[i].sums);
    }
    array_free(&t->rank_times);
    annex_free(&t->annex);
    rank_clocks_free(&t->clocks);
    *t = (struct trace){0};
}

/* ---- meta ------------------------------------------------------------------------------------ */

static enum refrain_status out_of_memory(const char *what)
{
    log_error("out of memory: %s", what);
    return REFRAIN_ERR_MEMORY;
}

enum refrain_status trace_add_meta(struct trace *t, const char *key, const char *value)
{
    struct meta m = {.key = strdup(key), .value = strdup(value)};
    if (m.key && m.value && array_push(&t->meta, m))
        return REFRAIN_OK;
    bool copied = m.key && m.value;
    free(m.key);
    free(m.value);
    return copied ? REFRAIN_ERR_MEMORY : out_of_memory("the meta data of the run");
}

enum refrain_status trace_set_meta(struct trace *t, const char *key, const char *value)
{
    for (size_t i = 0; i < t->meta.n; i++) {
        struct meta *m = &t->meta.items[i];
        if (strcmp(m->key, key) != 0)
            continue;
        char *copy = strdup(value);
        if (!copy)
            return out_of_memory("the meta data of the run");
        free(m->value);
        m->value = copy;
        return REFRAIN_OK;
    }
    return trace_add_meta(t, key, value);
}

const char *trace_meta(const struct trace *t, const char *key)
{
    for (size_t i = 0; i < t->meta.n; i++) {
        if (strcmp(t->meta.items[i].key, key) == 0)
            return t->meta.items[i].value;
    }
    return NULL;
}

/* ---- interning ------------------------------------------------------------------------------- */

enum refrain_status trace_intern_module(struct trace *t, const char *name, uint32_t *index)
{
    for (size_t i = 0; i < t->modules.n; i++) {
        if (strcmp(t->modules.items[i], name) == 0) {
            *index = (uint32_t)i;
            return REFRAIN_OK;
        }
    }
    char *copy = strdup(name);
    if (!copy)
        return out_of_memory("the name of a module");
    if (!array_push(&t->modules, copy)) {
        free(copy);
        return REFRAIN_ERR_MEMORY;
    }
    *index = (uint32_t)(t->modules.n - 1);
    return REFRAIN_OK;
}

static uint64_t site_key(const struct site *s)
{
    uint64_t key = XXH3_64bits(&s->function, sizeof s->function);
    for (uint32_t i = 0; i < s->n_frames; i++) {
        uint64_t frame[2] = {s->frames[i].module, s->frames[i].offset};
        key = XXH3_64bits_withSeed(frame, sizeof frame, key);
    }
    return key;
}

static bool sites_equal(const struct site *a, const struct site *b)
{
    if (a->function != b->function || a->n_frames != b->n_frames)
        return false;
    for (uint32_t i = 0; i < a->n_frames; i++) {
        if (a->frames[i].module != b->frames[i].module || a->frames[i].offset != b->frames[i].offset)
            return false;
    }
    return true;
}

enum refrain_status trace_intern_site(struct trace *t, const struct site *s, uint32_t *index)
{
    struct map *known = &t->index.sites;
    while (known->n < t->sites.n) {
        if (!map_add(known, site_key(&t->sites.items[known->n]), (uint32_t)known->n))
            return REFRAIN_ERR_MEMORY;
    }
    uint64_t key = site_key(s);
    size_t at;
    for (uint32_t i = map_first(known, key, &at); i != MAP_NONE; i = map_next(known, key, &at)) {
        if (sites_equal(&t->sites.items[i], s)) {
            *index = i;
            return REFRAIN_OK;
        }
    }
    struct site copy = *s;
    copy.frames = malloc((s->n_frames ? s->n_frames : 1) * sizeof *copy.frames);
    if (!copy.frames)
        return out_of_memory("a call site");
    if (s->n_frames > 0)
        memcpy(copy.frames, s->frames, s->n_frames * sizeof *copy.frames);
    if (!array_push(&t->sites, copy)) {
        free(copy.frames);
        return REFRAIN_ERR_MEMORY;
    }
    *index = (uint32_t)(t->sites.n - 1);
    return REFRAIN_OK;
}

/* A column is packed before it is compared, so that equal columns have equal hashes, whether they
 * come from a file or not. */
enum refrain_status trace_intern_column(struct trace *t, const struct series *s, uint32_t *index)
{
    struct map *known = &t->index.columns;
    while (known->n < t->columns.n) {
        if (!map_add(known, series_hash(t->columns.items[known->n]), (uint32_t)known->n))
            return REFRAIN_ERR_MEMORY;
    }
    struct series *copy = series_copy(s);
    enum refrain_status status = copy ? series_pack(copy) : REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK)
        goto out;
    const uint64_t key = series_hash(copy);
    size_t at;
    for (uint32_t i = map_first(known, key, &at); i != MAP_NONE; i = map_next(known, key, &at)) {
        if (series_equal(t->columns.items[i], copy)) {
            *index = i;
            goto out;
        }
    }
    if (array_push(&t->columns, copy)) {
        *index = (uint32_t)(t->columns.n - 1);
        copy = NULL;
    } else {
        status = REFRAIN_ERR_MEMORY;
    }
out:
    series_free(copy);
    return status;
}
