/* SPDX-License-Identifier: BSD-3-Clause */
/* Reasons for all waiting of a run: a rank that computes longer at several places, and what the run would gain. */
#include <criterion/criterion.h>

#include "critical_run.h"
#include "decoder/causes/reasons/removals.h"

#include <math.h>
#include <string.h>

enum { TURNS = 20 };

struct answer {
    struct reasons reasons;
    struct removal removal;
    struct bytes text;
};

static struct answer answer(const struct found *f, bool joins)
{
    static const uint64_t by_lane[SPOKEN_RANKS] = {1, 1};
    struct critical_search *critical = (struct critical_search *)&f->critical;
    const struct delays *d = &critical->path.delays;
    const struct causes_view view = {.search = &f->search, .preceding = &d->preceding};
    const struct reason_request request = {.site = DELAYS_ANYWHERE,
                                           .kinds = DELAYS_ANY_KIND,
                                           .time = d->waiting,
                                           .by_lane = by_lane,
                                           .joins = joins};
    struct answer a = {0};
    struct removals removals;
    cr_assert_eq(reasons_find(&a.reasons, d, &view, &request), REFRAIN_OK);
    cr_assert_eq(removals_find(&removals, critical, &view, &request, 1), REFRAIN_OK);
    a.removal = removals.items[0];
    removals_free(&removals);
    const struct reason_text text = {.view = &view, .request = &request, .removal = &a.removal};
    reasons_put_main(&a.reasons, &text, &a.text);
    bytes_put_u8(&a.text, '\0');
    cr_assert_not(a.text.failed);
    return a;
}

static void answer_free(struct answer *a)
{
    reasons_free(&a->reasons);
    bytes_free(&a->text);
}

/* All ranks compute 1000 before each of two different calls; `slow` computes 3000 and 2000. */
static void two_places(struct spoken *s, uint32_t n, uint32_t slow)
{
    for (uint32_t rank = 0; rank < n; rank++) {
        const bool is_slow = rank == slow;
        CALL(s, is_slow ? 3000 : 1000, is_slow ? 10 : 2010, rank, SPOKEN_BARRIER, WORLD, 0);
        CALL(s, is_slow ? 2000 : 1000, is_slow ? 10 : 1010, rank, SPOKEN_ALLREDUCE, 1, TYPE, 0, WORLD, 0);
    }
}

Test(main_reasons, one_rank_at_two_places)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 3);
    for (unsigned i = 0; i < TURNS; i++)
        two_places(&s, 3, 2);
    find(&f, &s);
    struct answer a = answer(&f, true);
    const char *text = (const char *)a.text.data;
    cr_assert_eq(a.reasons.n, 1, "%s", text);
    cr_expect_eq(a.reasons.items[0].n_places, 2);
    cr_expect_gt(a.reasons.items[0].explains, 0.99);
    cr_expect_eq(strncmp(text, "100.0 %  rank 2 computes 2.5 times as long, 67 % of the delay ", 54), 0, "%s",
                 text);
    cr_expect(strstr(text, ", 33 % of the delay ") == NULL && strstr(text, ", 33 % "), "%s", text);
    cr_expect(strstr(text, "; without that the run would take "), "%s", text);
    /* Without it, 2000 of 5020 are left of each turn. */
    const double left = (double)a.removal.without[0] / (double)a.removal.run;
    cr_expect_lt(fabs(left - 2020.0 / 5020), 0.02, "%f of %u", left, (unsigned)a.removal.run);
    answer_free(&a);
    /* Apart, each place explains its share, and gains as much. */
    a = answer(&f, false);
    cr_assert_eq(a.reasons.n, 2);
    cr_expect_lt(fabs(a.reasons.items[0].explains - 2.0 / 3), 0.01);
    cr_expect_lt(fabs((double)a.removal.without[0] / (double)a.removal.run - 3020.0 / 5020), 0.02);
    cr_expect_lt(fabs((double)a.removal.without[1] / (double)a.removal.run - 4020.0 / 5020), 0.02);
    answer_free(&a);
    stop(&f);
}

/* In three of four turns rank 0 is late at a place, and rank 1 in the others. */
Test(main_reasons, one_place_at_different_times)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (uint32_t i = 0; i < TURNS; i++) {
        const uint32_t late = i % 4 == 3;
        SEND(&s, 3000, 100, late, 1 - late, i);
        RECV(&s, 1000, 2100, 1 - late, late, i);
        CALL(&s, 10, 10, late, SPOKEN_COMM_GROUP, WORLD, 0, GROUP(7 + i));
    }
    find(&f, &s);
    struct answer a = answer(&f, true);
    const char *text = (const char *)a.text.data, *again = strstr(text, ", at other times; without that ");
    cr_expect(again && again > strchr(text, '\n'), "%s", text);
    answer_free(&a);
    stop(&f);
}

/* If each rank is slow in turn, no few ranks are the reason. */
Test(main_reasons, ranks_in_turn)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (uint32_t i = 0; i < TURNS; i++) {
        SEND(&s, 3000, 100, i % 2, 1 - i % 2, i);
        RECV(&s, 1000, 2100, 1 - i % 2, i % 2, i);
    }
    find(&f, &s);
    struct answer a = answer(&f, true);
    cr_assert_eq(a.reasons.n, 1, "%s", (const char *)a.text.data);
    cr_expect_null(a.reasons.joined);
    cr_expect_eq(a.reasons.items[0].kind, REASON_ALTERNATES, "%s", (const char *)a.text.data);
    answer_free(&a);
    stop(&f);
}

/* The reason with the larger gain comes first. */
Test(main_reasons, the_largest_gain_first)
{
    struct spoken s;
    struct found f;
    const struct removal removal = {.run = 90000, .without = {80000, 60000, 70000}};
    spoken_start(&s, 3);
    for (unsigned i = 0; i < TURNS; i++)
        two_places(&s, 3, 2);
    find(&f, &s);
    struct answer a = answer(&f, false);
    const struct delays *d = &f.critical.path.delays;
    const struct causes_view view = {.search = &f.search, .preceding = &d->preceding};
    const struct reason_request request = {.by_lane = (uint64_t[SPOKEN_RANKS]){1}};
    const struct reason_text text = {.view = &view, .request = &request, .removal = &removal};
    a.text.n = 0;
    reasons_put_main(&a.reasons, &text, &a.text);
    bytes_put_u8(&a.text, '\0');
    const char *said = (const char *)a.text.data, *most = strstr(said, "60.00 us"),
               *least = strstr(said, "80.00 us");
    cr_expect(most && least && most < least, "%s", said);
    answer_free(&a);
    stop(&f);
}
