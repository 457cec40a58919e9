#include <criterion/criterion.h>

#include "causality.h"
#include "spoken.h"

/* By the means of its calls rank 0 has received at 10 what rank 1 sends at 1000. */
static void speak(struct spoken *s)
{
    spoken_start(s, 3);
    s->duration = 10;
    SAY(s, 0, 0, SPOKEN_RECV, 1, 5, WORLD, 0, STATUS(1, 5, 8));
    s->gap = 1000;
    SAY(s, 1, 0, SPOKEN_SEND, 1, TYPE, 0, 5, WORLD, 0);
    s->gap = 5000;
    SAY(s, 2, 0, SPOKEN_BARRIER, WORLD, 0);
    s->gap = 0;
    SAY(s, 1, 0, SPOKEN_BARRIER, WORLD, 0);
    SAY(s, 0, 0, SPOKEN_BARRIER, WORLD, 0);
    spoken_end(s);
}

/* When the calls of a rank end. */
static void ends(const struct spoken *s, const struct stamps_source *source, uint32_t rank, uint64_t *out)
{
    struct lane_ref lane;
    struct cursor cursor;
    struct stamps stamps;
    struct call call;
    struct stamp stamp;
    enum refrain_status status;
    size_t at = 0;
    cr_assert(reader_next_lane(&s->reader, rank, LANE_THREAD, &at, &lane));
    cr_assert_eq(cursor_start(&cursor, &s->reader, &lane), REFRAIN_OK);
    cr_assert_eq(stamps_start(&stamps, source, &lane), REFRAIN_OK);
    while (cursor_next(&cursor, &call, &status)) {
        cr_assert_eq(stamps_next(&stamps, &call, &stamp), REFRAIN_OK);
        cr_assert_leq(stamp.enter, stamp.leave);
        *out++ = stamp.leave;
    }
    stamps_stop(&stamps);
    cursor_stop(&cursor);
}

Test(causality, what_comes_too_early_is_put_off)
{
    struct spoken s;
    struct stamps_source stamps;
    struct causality c = {0};
    uint64_t before[3][2], after[3][2];
    speak(&s);
    cr_assert_eq(stamps_source_create(&stamps, &s.reader, true), REFRAIN_OK);
    for (uint32_t rank = 0; rank < 3; rank++)
        ends(&s, &stamps, rank, before[rank]);
    cr_assert_eq(before[0][0], 10);
    cr_assert_eq(causality_apply(&c, "causal", &s.reader, &s.definitions, &stamps), REFRAIN_OK);
    cr_assert_eq(c.arrivals, 4);
    cr_assert_eq(c.early_before, 3); /* the message, and two in the barrier */
    cr_assert_eq(c.early_after, 0);
    for (uint32_t rank = 0; rank < 3; rank++)
        ends(&s, &stamps, rank, after[rank]);
    cr_assert_geq(after[0][0], 1000);
    cr_assert_geq(after[0][1], 5000);
    cr_assert_geq(after[1][1], 5000);
    cr_assert_eq(after[1][0], before[1][0]);
    causality_free(&c);
    stamps_source_free(&stamps);
    spoken_free(&s);
}

Test(causality, clocks_as_they_are)
{
    struct spoken s;
    struct stamps_source stamps;
    struct causality c = {0};
    speak(&s);
    cr_assert_eq(stamps_source_create(&stamps, &s.reader, true), REFRAIN_OK);
    cr_assert_eq(causality_apply(&c, NULL, &s.reader, &s.definitions, &stamps), REFRAIN_OK);
    cr_assert_eq(causality_apply(&c, "linear", &s.reader, &s.definitions, &stamps), REFRAIN_OK);
    cr_assert_null(stamps.shifts);
    cr_assert_eq(causality_apply(&c, "", &s.reader, &s.definitions, &stamps), REFRAIN_ERR_USAGE);
    stamps_source_free(&stamps);
    spoken_free(&s);
}
