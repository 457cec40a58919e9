/* SPDX-License-Identifier: BSD-3-Clause */
/* The regions that are open after each call, whatever mistakes the program makes. */
#include <criterion/criterion.h>

#include "decoder/region/region_stack.h"
#include "decoder/trace/cursor.h"
#include "decoder/util/text.h"
#include "tests/unit/support/spoken.h"

#define BEGIN(name) SAY(&s, 0, 0, SPOKEN_REGION_BEGIN, LETTERS(1, name))
#define END(name)   SAY(&s, 0, 0, SPOKEN_REGION_END, LETTERS(1, name))
#define LEVEL(n)    SAY(&s, 0, 0, SPOKEN_PCONTROL, n, 0)

static struct spoken s;

/* Walk the calls of rank 0. Writes the first letters of the open regions after each call into
 * `open`, divided by blanks. */
static struct region_faults walk(char *open, size_t size)
{
    struct roles roles;
    struct text_table names = {0};
    struct region_stack stack;
    struct lane_ref lane;
    struct cursor cursor;
    struct call call;
    enum refrain_status status;
    size_t at = 0, n = 0;
    spoken_end(&s);
    cr_assert_eq(roles_find(&roles, &s.reader.trace.functions), REFRAIN_OK);
    region_stack_start(&stack, &s.reader, &roles, &names);
    cr_assert(reader_next_lane(&s.reader, 0, LANE_THREAD, &at, &lane));
    cr_assert_eq(cursor_start(&cursor, &s.reader, &lane), REFRAIN_OK);
    while (cursor_next(&cursor, &call, &status)) {
        struct region_step step = {0};
        if (region_stack_concerns(&stack, call.function))
            cr_assert_eq(region_stack_look(&stack, &call, &step), REFRAIN_OK);
        for (size_t i = 0; i < step.ends; i++)
            region_stack_pop(&stack);
        if (step.begins) {
            cr_expect_eq(step.region.call, call.index);
            cr_assert_eq(region_stack_push(&stack, &step, 0), REFRAIN_OK);
        }
        for (size_t i = 0; i < stack.open.n && n + 2 < size; i++)
            open[n++] = *text_table_at(&names, stack.open.items[i].name);
        if (n + 2 < size)
            open[n++] = ' ';
    }
    open[n] = '\0';
    region_stack_note_end(&stack);
    const struct region_faults faults = stack.faults;
    cursor_stop(&cursor);
    region_stack_stop(&stack);
    text_table_free(&names);
    roles_free(&roles);
    spoken_free(&s);
    return faults;
}

static void expect_faults(struct region_faults f, uint64_t unmatched, uint64_t crossed, uint64_t unended)
{
    cr_expect_eq(f.unmatched, unmatched);
    cr_expect_eq(f.crossed, crossed);
    cr_expect_eq(f.unended, unended);
    cr_expect_eq(f.deep, 0);
}

Test(region_stack, regions_are_nested)
{
    char open[64];
    spoken_start(&s, 1);
    BEGIN('a'), SAY(&s, 0, 0, SPOKEN_BARRIER, WORLD, 0), BEGIN('b'), BEGIN('a'), END('a'), END('b'), END('a');
    expect_faults(walk(open, sizeof open), 0, 0, 0);
    cr_expect_str_eq(open, "a a ab aba ab a  ");
}

Test(region_stack, an_end_ends_what_is_inside)
{
    char open[64];
    spoken_start(&s, 1);
    BEGIN('a'), BEGIN('b'), BEGIN('c'), END('a'), END('b'), END('c');
    expect_faults(walk(open, sizeof open), 2, 2, 0);
    cr_expect_str_eq(open, "a ab abc    ");
}

Test(region_stack, an_end_without_a_begin_ends_nothing)
{
    char open[64];
    spoken_start(&s, 1);
    END('x'), BEGIN('a'), END('x'), SAY(&s, 0, 0, SPOKEN_REGION_END, NO_STRING);
    SAY(&s, 0, 0, SPOKEN_REGION_END, NO_STRING), BEGIN('b');
    expect_faults(walk(open, sizeof open), 3, 0, 1);
    cr_expect_str_eq(open, " a a   b ");
}

Test(region_stack, a_region_without_a_name_has_one)
{
    char open[64];
    spoken_start(&s, 1);
    SAY(&s, 0, 0, SPOKEN_REGION_BEGIN, NO_STRING), SAY(&s, 0, 0, SPOKEN_REGION_BEGIN, 0);
    SAY(&s, 0, 0, SPOKEN_REGION_END, NO_STRING), SAY(&s, 0, 0, SPOKEN_REGION_END, NO_STRING);
    expect_faults(walk(open, sizeof open), 0, 0, 0);
    cr_expect_str_eq(open, "( (( (  ");
}

Test(region_stack, a_level_lasts_until_the_next)
{
    char open[64];
    spoken_start(&s, 1);
    LEVEL(3), LEVEL(2), LEVEL(4), LEVEL(1), LEVEL(-1), LEVEL(0);
    expect_faults(walk(open, sizeof open), 0, 0, 0);
    cr_expect_str_eq(open, "M M M  M  ");
}

/* The end of a region, with a name or without, does not end a level. */
Test(region_stack, levels_and_regions_are_nested)
{
    char open[64];
    spoken_start(&s, 1);
    BEGIN('a'), LEVEL(3), BEGIN('b'), LEVEL(1), SAY(&s, 0, 0, SPOKEN_REGION_END, NO_STRING), LEVEL(5);
    SAY(&s, 0, 0, SPOKEN_REGION_END, NO_STRING);
    expect_faults(walk(open, sizeof open), 1, 1, 0);
    cr_expect_str_eq(open, "a aM aMb a  M M ");
}

Test(region_stack, what_is_too_deep_is_no_region)
{
    char open[8];
    spoken_start(&s, 1);
    for (int i = 0; i < REGION_DEPTH + 10; i++)
        BEGIN('a');
    for (int i = 0; i < REGION_DEPTH + 10; i++)
        END('a');
    END('a');
    const struct region_faults f = walk(open, sizeof open);
    cr_expect_eq(f.deep, 10);
    cr_expect_eq(f.unmatched, 1);
    cr_expect_eq(f.unended, 0);
    cr_expect_eq(f.crossed, 0);
}

Test(region_stack, mistakes_are_said_in_a_sentence)
{
    struct bytes text = {0};
    region_faults_put(&(struct region_faults){0}, &text);
    cr_expect_eq(text.n, 0);
    region_faults_put(&(struct region_faults){.unmatched = 2, .unended = 1}, &text);
    text_putc(&text, '\0');
    cr_expect_str_eq((const char *)text.data, "Regions: 1 not ended, 2 ended that had not begun.");
    bytes_free(&text);
}
