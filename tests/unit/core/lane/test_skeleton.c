/* SPDX-License-Identifier: BSD-3-Clause */
/* Repetitions with changing counts: loops of a skeleton, fillers and orders of a row stream. A
 * lane builds all of it, and it is read back call by call. */
#include <criterion/criterion.h>

#include "src/core/codec/codec.h"
#include "src/core/lane/lane.h"
#include "src/core/merge/merge.h"
#include "src/core/series/series.h"
#include "src/core/trace/lane_walk.h"
#include "src/core/trace/stream_walk.h"
#include "tests/unit/support/polling.h"
#include "tests/unit/support/sequence.h"

enum { RANKS = 5 };

/* ---- reading back ---------------------------------------------------------------------------- */

/* One site of a rank. */
struct reader {
    const struct group *g;
    uint64_t ordinal, passed, left;
    struct stream_walk walk;
    uint32_t row;
};

static uint64_t ordinal_of(const struct series *ranks, int64_t rank, bool *found)
{
    struct series_cursor c;
    int64_t value;
    uint64_t i = 0;
    series_cursor_start(&c, ranks);
    for (*found = false; !*found && series_cursor_next(&c, &value); i++)
        *found = value == rank;
    return i - 1;
}

static const struct shape *shape_of(const struct trace *t, int64_t rank, uint64_t *ordinal)
{
    bool found = false;
    for (size_t i = 0; i < t->shapes.n; i++) {
        *ordinal = ordinal_of(t->shapes.items[i].ranks, rank, &found);
        if (found)
            return &t->shapes.items[i];
    }
    return NULL;
}

static void reader_start(struct reader *r, const struct trace *t, const struct entry *e, int64_t rank,
                         uint64_t calls)
{
    bool found = false;
    for (size_t i = 0; i < e->groups.n && !found; i++) {
        r->g = &e->groups.items[i];
        r->ordinal = ordinal_of(r->g->ranks, rank, &found);
    }
    cr_assert(found);
    cr_assert_eq(stream_walk_group(&r->walk, t, r->g, r->ordinal, rank, calls), REFRAIN_OK);
}

static int64_t reader_next(struct reader *r, const struct trace *t, int64_t rank)
{
    if (r->left == 0)
        cr_assert(stream_walk_next(&r->walk, &r->row, &r->left));
    r->left--;
    const uint64_t n = r->passed++;
    int64_t value = rankfn_at(row_slot(&r->g->rows.items[r->row], 0), r->ordinal, rank);
    if (group_slot_columns(r->g) > 0 && r->g->columns.items[0].slot == 0)
        value += series_at(t->columns.items[rankfn_at(&r->g->columns.items[0].series, r->ordinal, rank)], n);
    return value;
}

/* Sites and rows are those recorded, read from the first call on and from any other call. */
static void check_rank(const struct trace *t, const struct polling_calls *c, uint32_t rank)
{
    struct reader readers[POLLING_SITES] = {0};
    uint64_t calls[POLLING_SITES] = {0}, passed[POLLING_SITES], all, ordinal, state = random_seed(rank);
    const struct shape *s = shape_of(t, rank, &ordinal);
    struct lane_walk w;
    uint32_t site;
    cr_assert_not_null(s);
    cr_assert_leq(t->sites.n, POLLING_SITES);
    cr_assert_eq(lane_walk_count(t, s, ordinal, rank, calls, &all), REFRAIN_OK);
    cr_assert_eq(all, c->sites.n);
    for (size_t i = 0; i < s->entries.n; i++) {
        site = s->entries.items[i].site;
        reader_start(&readers[site], t, &s->entries.items[i], rank, calls[site]);
    }
    cr_assert_eq(lane_walk_start(&w, t, s, ordinal, rank), REFRAIN_OK);
    for (size_t i = 0; i < c->sites.n; i++) {
        cr_assert(lane_walk_next(&w, &site));
        cr_assert_eq(t->sites.items[site].frames[0].offset, 16 * (c->sites.items[i] + 1), "call %zu", i);
        cr_assert_eq(reader_next(&readers[site], t, rank), c->rows.items[i], "call %zu", i);
    }
    cr_assert_not(lane_walk_next(&w, &site));
    for (unsigned trial = 0; trial < 10 && c->sites.n > 0; trial++) {
        uint64_t before[POLLING_SITES] = {0};
        const uint64_t at = random_below(&state, (uint32_t)c->sites.n + 1);
        cr_assert_eq(lane_walk_seek(&w, at, passed, (uint32_t)t->sites.n), REFRAIN_OK);
        for (uint64_t i = 0; i < at; i++)
            before[c->sites.items[i]]++;
        for (uint32_t i = 0; i < t->sites.n; i++)
            cr_assert_eq(passed[i], before[t->sites.items[i].frames[0].offset / 16 - 1]);
        for (uint64_t i = at; i < c->sites.n && i < at + 20; i++) {
            cr_assert(lane_walk_next(&w, &site));
            cr_assert_eq(t->sites.items[site].frames[0].offset, 16 * (c->sites.items[i] + 1));
        }
    }
    lane_walk_stop(&w);
    for (uint32_t i = 0; i < POLLING_SITES; i++) {
        if (readers[i].g)
            stream_walk_stop(&readers[i].walk);
    }
}

static size_t items_of(const struct rules *r)
{
    return r ? r->first[r->n_rules] : 0;
}

/* Encode and decode. */
static struct trace reread(const struct trace *t, unsigned flags)
{
    struct bytes image = {0};
    struct trace back;
    cr_assert_eq(codec_encode(t, flags, &image), REFRAIN_OK);
    cr_assert_eq(codec_decode("test", image.data, image.n, &back, NULL), REFRAIN_OK);
    bytes_free(&image);
    return back;
}

/* ---- tests ----------------------------------------------------------------------------------- */

Test(skeleton, what_keeps_changing_costs_nothing_but_its_numbers)
{
    for (size_t p = 0; p < POLLING_PROGRAMS; p++) {
        struct polling_calls c = {0};
        polling_run(&c, p, 0, polling_programs[p].turns);
        struct trace t = polling_record(&c, 0);
        check_rank(&t, &c, 0);
        size_t items = items_of(t.shapes.items[0].skeleton);
        for (size_t e = 0; e < t.shapes.items[0].entries.n; e++)
            items += items_of(t.shapes.items[0].entries.items[e].groups.items[0].stream);
        cr_assert_leq(items, polling_programs[p].items, "program %zu: %zu symbols", p, items);
        trace_free(&t);
        polling_free(&c);
    }
}

/* Ranks that differ only in such counts have one shape, and one group for each site; nothing is
 * lost. */
Test(skeleton, ranks_that_poll_merge)
{
    for (size_t p = 0; p < POLLING_PROGRAMS; p++) {
        struct polling_calls c[RANKS] = {0};
        struct trace t;
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            polling_run(&c[rank], p, rank, polling_programs[p].turns);
            struct trace fresh = polling_record(&c[rank], rank), next = reread(&fresh, 0);
            trace_free(&fresh);
            if (rank == 0) {
                t = next;
                continue;
            }
            cr_assert_eq(merge_traces(&t, &next), REFRAIN_OK);
            cr_assert_eq(trace_check(&t), REFRAIN_OK);
        }
        cr_assert_eq(t.shapes.n, 1, "program %zu: %zu shapes", p, t.shapes.n);
        for (size_t e = 0; e < t.shapes.items[0].entries.n; e++)
            cr_assert_eq(t.shapes.items[0].entries.items[e].groups.n, 1, "program %zu, entry %zu", p, e);
        cr_assert_eq(merge_finish(&t), REFRAIN_OK);
        struct trace last = reread(&t, CODEC_FINAL);
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            check_rank(&t, &c[rank], rank);
            check_rank(&last, &c[rank], rank);
            polling_free(&c[rank]);
        }
        trace_free(&last);
        trace_free(&t);
    }
}

/* File offsets: each rank begins at another number and continues like the others. */
Test(skeleton, counters_that_begin_at_another_number_on_each_rank_are_one_column)
{
    struct polling_calls c[RANKS] = {0};
    struct trace t;
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        for (uint32_t i = 0; i < 500; i++)
            polling_call(&c[rank], 0, 1000 * rank + 8 * i);
        struct trace next = polling_record(&c[rank], rank);
        if (rank == 0)
            t = next;
        else
            cr_assert_eq(merge_traces(&t, &next), REFRAIN_OK);
    }
    cr_assert_eq(merge_finish(&t), REFRAIN_OK);
    cr_assert_eq(t.columns.n, 1);
    cr_assert_eq(t.shapes.items[0].entries.items[0].groups.n, 1);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        check_rank(&t, &c[rank], rank);
        polling_free(&c[rank]);
    }
    trace_free(&t);
}

/* Any other sequence comes back, too: pieces of programs, one after the other, and random
 * sequences. */
Test(skeleton, every_sequence_comes_back)
{
    struct sequence noise = {0};
    for (unsigned seed = 0; seed < 300; seed++) {
        uint64_t state = random_seed(seed);
        struct polling_calls c = {0};
        for (uint32_t pieces = 1 + random_below(&state, 6); pieces > 0; pieces--) {
            const uint32_t kind = random_below(&state, POLLING_PROGRAMS + 2),
                           turns = random_below(&state, 60);
            if (kind < POLLING_PROGRAMS && polling_programs[kind].steady) {
                polling_run(&c, kind, seed, turns);
                continue;
            }
            sequence_make(&noise, &state, 400);
            for (size_t i = 0; i < noise.n; i++)
                polling_call(&c, noise.items[i], random_below(&state, 3));
        }
        struct trace t = polling_record(&c, 0);
        if (c.sites.n > 0) {
            check_rank(&t, &c, 0);
            struct trace back = reread(&t, 0);
            check_rank(&back, &c, 0);
            trace_free(&back);
        }
        trace_free(&t);
        polling_free(&c);
    }
    array_free(&noise);
}

/* A lane that is stored from time to time continues as before. */
Test(skeleton, a_lane_can_be_stored_in_the_middle_of_a_poll)
{
    struct lane *l = lane_create(LANE_THREAD, 0, false);
    struct polling_calls c = {0};
    uint32_t index;
    uint64_t state = random_seed(7);
    for (uint32_t i = 0; i < POLLING_SITES; i++) {
        struct frame frame = {.offset = 16 * (i + 1)};
        struct site site = {.n_frames = 1, .frames = &frame};
        cr_assert_eq(lane_add_site(l, &site, &index), REFRAIN_OK);
    }
    for (int i = 0; i < 300; i++)
        polling_programs[1].turn(&c, &state);
    for (size_t i = 0; i < c.sites.n; i++) {
        const int64_t slot = (int64_t)c.rows.items[i];
        cr_assert_eq(lane_record(l, c.sites.items[i], &slot, 1, 1, 1), REFRAIN_OK);
        if (i % 997 != 0 && i + 1 < c.sites.n)
            continue;
        struct trace t = {.n_ranks = 1};
        struct polling_calls so_far = {.sites = {c.sites.items, i + 1, 0}, .rows = {c.rows.items, i + 1, 0}};
        cr_assert_eq(lane_store(l, 0, &t), REFRAIN_OK);
        check_rank(&t, &so_far, 0);
        trace_free(&t);
    }
    polling_free(&c);
    lane_free(l);
}
