/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes, and the topology that a program declares. */
#include <criterion/criterion.h>

#include "decoder/region/declared_topology.h"
#include "decoder/region/notes.h"
#include "tests/unit/support/spoken.h"

static struct spoken s;

#define CART(rank, a, b)                                                                                     \
    SAY(&s, rank, 0, SPOKEN_TOPOLOGY_CART, 2, 2, a, b, 2, 1, 0, 2, LETTERS(1, 'x'), NO_STRING)
#define COORDS(rank, a, b) SAY(&s, rank, 0, SPOKEN_TOPOLOGY_COORDS, 2, a, b)

Test(declared_topology, there_need_not_be_one)
{
    struct declared_topology t;
    spoken_start(&s, 2);
    SAY(&s, 0, 0, SPOKEN_BARRIER, WORLD, 0);
    SAY(&s, 1, 0, SPOKEN_TOPOLOGY_COORDS, 2, 0, 1);
    spoken_end(&s);
    cr_assert_eq(declared_topology_read(&t, &s.reader), REFRAIN_OK);
    cr_expect_eq(t.n, 0);
    cr_expect_eq(declared_topology_coords(&t, 1), NULL);
    declared_topology_free(&t);
    spoken_free(&s);
}

Test(declared_topology, each_rank_has_its_place)
{
    struct declared_topology t;
    spoken_start(&s, 6);
    for (uint32_t rank = 0; rank < 6; rank++) {
        CART(rank, 3, 2);
        COORDS(rank, rank / 2, rank % 2);
    }
    spoken_end(&s);
    cr_assert_eq(declared_topology_read(&t, &s.reader), REFRAIN_OK);
    cr_assert_eq(t.n, 2);
    cr_expect_eq(t.dimensions[0].size, 3);
    cr_expect_eq(t.dimensions[1].size, 2);
    cr_expect(t.dimensions[0].periodic && !t.dimensions[1].periodic);
    cr_expect_str_eq(t.dimensions[0].name, "x");
    cr_expect_eq(t.dimensions[1].name, NULL);
    cr_expect_eq(t.ranks.n, 6);
    cr_expect_eq(t.different, 0);
    for (uint32_t rank = 0; rank < 6; rank++) {
        const int64_t *coords = declared_topology_coords(&t, rank);
        cr_assert(coords);
        cr_expect(coords[0] == rank / 2 && coords[1] == rank % 2);
    }
    cr_expect_eq(declared_topology_coords(&t, 6), NULL);
    declared_topology_free(&t);
    spoken_free(&s);
}

/* Rank 0 declares twice, rank 1 something else, rank 2 is outside of the grid, and rank 3 declares
 * no place. */
Test(declared_topology, the_last_one_holds_and_others_are_counted)
{
    struct declared_topology t;
    spoken_start(&s, 4);
    CART(0, 1, 1), COORDS(0, 0, 0), CART(0, 3, 2), COORDS(0, 0, 1), COORDS(0, 2, 1);
    CART(1, 2, 2), COORDS(1, 1, 1);
    CART(2, 3, 2), COORDS(2, 3, 0);
    CART(3, 3, 2);
    spoken_end(&s);
    cr_assert_eq(declared_topology_read(&t, &s.reader), REFRAIN_OK);
    cr_assert_eq(t.n, 2);
    cr_expect_eq(t.dimensions[0].size, 3);
    cr_expect_eq(t.different, 1);
    cr_expect_eq(t.ranks.n, 1);
    cr_assert(declared_topology_coords(&t, 0));
    cr_expect_eq(declared_topology_coords(&t, 0)[0], 2);
    for (uint32_t rank = 1; rank < 4; rank++)
        cr_expect_eq(declared_topology_coords(&t, rank), NULL);
    declared_topology_free(&t);
    spoken_free(&s);
}

Test(declared_topology, what_makes_no_sense_is_none)
{
    struct declared_topology t;
    spoken_start(&s, 2);
    CART(0, 0, 2), COORDS(0, 0, 0);
    SAY(&s, 1, 0, SPOKEN_TOPOLOGY_CART, -3, -1, -1, -1);
    spoken_end(&s);
    cr_assert_eq(declared_topology_read(&t, &s.reader), REFRAIN_OK);
    cr_expect_eq(t.n, 0);
    cr_expect_eq(t.ranks.n, 0);
    declared_topology_free(&t);
    spoken_free(&s);
}

Test(notes, each_once_with_who_said_it)
{
    struct notes n;
    spoken_start(&s, 3);
    for (uint32_t rank = 0; rank < 3; rank++) {
        for (int i = 0; i < 2; i++)
            SAY(&s, rank, 0, SPOKEN_NOTE, LETTERS(1, 'k'), LETTERS(1, 'v'));
    }
    SAY(&s, 2, 0, SPOKEN_NOTE, LETTERS(1, 'k'), LETTERS(1, 'w'));
    SAY(&s, 2, 0, SPOKEN_NOTE, NO_STRING, 0);
    spoken_end(&s);
    cr_assert_eq(notes_read(&n, &s.reader), REFRAIN_OK);
    cr_assert_eq(n.items.n, 3);
    cr_expect_eq(n.items.items[0].ranks, 3);
    cr_expect_eq(n.items.items[0].first, 0);
    cr_expect_eq(n.items.items[1].ranks, 1);
    cr_expect_eq(n.items.items[1].first, 2);
    cr_expect_eq(*text_table_at(&n.texts, n.items.items[1].value), 'w');
    cr_expect_eq(n.texts.items.items[n.items.items[2].key].n, 0);
    cr_expect(!n.more);
    notes_free(&n);
    spoken_free(&s);
}
