/* SPDX-License-Identifier: BSD-3-Clause */
/* Phases and regions of runs that are said call by call. */
#include <criterion/criterion.h>

#include "decoder/parts/program_parts.h"
#include "tests/unit/support/spoken.h"

#include <string.h>

enum { TURNS = 5, CALLS = 4 };

static int64_t letters(const char *text)
{
    int64_t value = 0;
    memcpy(&value, text, strlen(text));
    return value;
}

/* All ranks: a call without events and a barrier; then in each turn a message, a call without events, and a
 * barrier; at last a call without events. */
static void speak_turns(struct spoken *s)
{
    spoken_start(s, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        SAY(s, rank, 0, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(7));
        SAY(s, rank, 0, SPOKEN_BARRIER, WORLD, 0);
        for (int turn = 0; turn < TURNS; turn++) {
            SAY(s, rank, 0, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(8));
            if (rank == 0)
                SAY(s, 0, 0, SPOKEN_SEND, 1, TYPE, 1, 5, WORLD, 0);
            else
                SAY(s, 1, 0, SPOKEN_RECV, 0, 5, WORLD, 0, STATUS(0, 5, 8));
            SAY(s, rank, 0, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(9));
            SAY(s, rank, 0, SPOKEN_BARRIER, WORLD, 0);
        }
        SAY(s, rank, 0, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(7));
    }
    spoken_end(s);
}

/* The first barrier leads into the loop; the last one ends the phase of all iterations. The time before the
 * next call belongs to the next phase. */
Test(program_parts, phases_of_calls)
{
    struct program_parts p;
    struct spoken s;
    speak_turns(&s);
    cr_assert_eq(program_parts_open(&p, PARTS_BY_PHASE, &s.reader, &s.definitions), REFRAIN_OK);
    const struct run_phase *phases = p.phases.items.items;
    cr_assert_eq(p.phases.items.n, 3);
    cr_assert(phases[0].leads && phases[1].loop && phases[2].same == 1);
    cr_assert_str_eq(reader_function(&s.reader, phases[1].from_site), "MPI_Send");
    cr_assert_str_eq(reader_function(&s.reader, phases[1].to_site), "MPI_Barrier");
    for (size_t lane = 0; lane < 2; lane++) {
        for (uint64_t call = 0; call < 2 + TURNS * CALLS + 1; call++) {
            cr_assert_eq(wait_places_find(&p.places, lane, 2 * call), call < 2 ? 1 : 2);
            cr_assert_eq(wait_places_find(&p.places, lane, 2 * call + 1), call < 2 ? 1 : 2);
        }
    }
    program_parts_free(&p);
    spoken_free(&s);
}

/* A loop without meetings begins before its first call with an event; calls without events before that are of
 * the phase before. */
Test(program_parts, a_loop_begins_with_its_first_event)
{
    struct program_parts p;
    struct spoken s;
    spoken_start(&s, 1);
    SAY(&s, 0, 0, SPOKEN_ISEND, 1, TYPE, NULL_RANK, 5, WORLD, 0, REQUEST(0));
    SAY(&s, 0, 0, SPOKEN_PCONTROL, 1, 0);
    SAY(&s, 0, 0, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(7));
    for (int turn = 0; turn < TURNS; turn++) {
        SAY(&s, 0, 0, SPOKEN_REGION_BEGIN, LETTERS(1, letters("a")));
        SAY(&s, 0, 0, SPOKEN_REGION_END, LETTERS(1, letters("a")));
    }
    spoken_end(&s);
    cr_assert_eq(program_parts_open(&p, PARTS_BY_PHASE, &s.reader, &s.definitions), REFRAIN_OK);
    cr_assert_eq(p.phases.items.n, 2);
    for (uint64_t call = 0; call < 3 + 2 * TURNS; call++) {
        cr_assert_eq(wait_places_find(&p.places, 0, 2 * call), call < 3 ? 1 : 2, "before call %u",
                     (unsigned)call);
        cr_assert_eq(wait_places_find(&p.places, 0, 2 * call + 1), call < 3 ? 1 : 2, "call %u",
                     (unsigned)call);
    }
    program_parts_free(&p);
    spoken_free(&s);
}

/* Names the regions of a path, outermost first. */
static void put_path(const struct region_paths *p, uint32_t path, char *out)
{
    if (path == 0) {
        *out = '\0';
        return;
    }
    put_path(p, p->items.items[path].parent, out);
    strncat(out, text_table_at(&p->names, p->items.items[path].name), 1);
}

/* The calls that begin and end a region are inside; the time before and after them is outside. */
Test(program_parts, regions_are_paths)
{
    static const struct {
        const char *name; /* NULL: an end */
        const char *before, *in;
    } calls[] = {{"a", "", "a"},     {"b", "a", "ab"},     {NULL, "ab", "ab"}, {"b", "a", "ab"},
                 {"a", "ab", "aba"}, {NULL, "aba", "aba"}, {NULL, "ab", "ab"}, {NULL, "a", "a"},
                 {"b", "", "b"},     {NULL, "b", "b"}};
    enum { N = sizeof calls / sizeof calls[0] };
    struct program_parts p;
    struct spoken s;
    char path[N + 1];
    spoken_start(&s, 1);
    for (size_t i = 0; i < N; i++) {
        if (calls[i].name)
            SAY(&s, 0, 0, SPOKEN_REGION_BEGIN, LETTERS(1, letters(calls[i].name)));
        else
            SAY(&s, 0, 0, SPOKEN_REGION_END, NO_STRING);
    }
    SAY(&s, 0, 0, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(7));
    spoken_end(&s);
    cr_assert_eq(program_parts_open(&p, PARTS_BY_REGION, &s.reader, &s.definitions), REFRAIN_OK);
    for (size_t i = 0; i < N; i++) {
        put_path(&p.regions, wait_places_find(&p.places, 0, 2 * i), path);
        cr_assert_str_eq(path, calls[i].before, "before call %zu", i);
        put_path(&p.regions, wait_places_find(&p.places, 0, 2 * i + 1), path);
        cr_assert_str_eq(path, calls[i].in, "call %zu", i);
    }
    cr_assert_eq(wait_places_find(&p.places, 0, 2 * N), 0);
    cr_assert_eq(p.regions.items.n, 5); /* none, a, ab, aba, b */
    cr_assert(region_paths_has(&p.regions, 3, 0) && region_paths_has(&p.regions, 3, 1));
    cr_assert_not(region_paths_has(&p.regions, 1, 1));
    program_parts_free(&p);
    spoken_free(&s);
}
