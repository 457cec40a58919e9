/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/model/construct_path.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"
#include "tests/unit/support/model_program.h"

/* A loop with a loop inside, and events around it. */
static void say_nest(struct program *p)
{
    program_say(p, "0 local begin");
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 4; k++) {
            program_say(p, "0 send 1 a");
            program_say(p, "1 recv 0 a");
            program_say(p, "1 local work");
        }
        program_say(p, "0 send 1 b");
        program_say(p, "1 recv 0 b");
        program_say(p, "2 send 3 b");
        program_say(p, "3 recv 2 b");
        program_say(p, "0 send 2 c");
        program_say(p, "2 recv 0 c");
        program_say(p, "1 send 3 c");
        program_say(p, "3 recv 1 c");
    }
    program_model(p);
}

/* Checks that every construct has a path, which finds it; returns their number. */
static size_t check_all(const struct system *top, const struct system *s, struct construct_path *path)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++, n++) {
        struct construct_range range = {0};
        struct bytes name = {0};
        construct_path_set(path, s, i);
        construct_path_put(path, &name);
        bytes_put_u8(&name, '\0');
        cr_assert_eq(construct_range_find(top, (const char *)name.data, &range), REFRAIN_OK);
        cr_assert(range.n == 1 && range.body == s);
        const struct construct_path found = construct_range_at(&range, 0);
        cr_assert_eq(found.n, path->n);
        for (uint32_t k = 0; k < found.n; k++) {
            cr_assert_eq(found.levels[k].number, path->levels[k].number);
            cr_assert_eq(found.levels[k].construct, path->levels[k].construct);
        }
        cr_assert_eq(construct_path_last(&found), s->items[i]);
        bytes_free(&name);
        if (construct_is_loop(s->items[i]))
            n += check_all(top, s->items[i]->body, path);
    }
    return n;
}

Test(construct_path, every_construct_is_found_by_its_path)
{
    struct program p = {0};
    struct construct_path path = {0};
    say_nest(&p);
    cr_assert_geq(check_all(p.model.all, p.model.all, &path), 8);
    program_end(&p);
}

/* Checks that each construct of a range is the one that its own path names. */
static void check_range(const struct system *top, const char *text, const struct system *body, size_t first,
                        size_t n)
{
    struct construct_range range = {0};
    cr_assert_eq(construct_range_find(top, text, &range), REFRAIN_OK, "%s", text);
    cr_assert(range.n == n && range.body == body, "%s", text);
    for (size_t i = 0; i < n; i++) {
        struct bytes name = {0};
        struct construct_range one;
        const struct construct_path path = construct_range_at(&range, i);
        cr_assert_eq(construct_path_last(&path), body->items[first + i], "%s", text);
        construct_path_put(&path, &name);
        bytes_put_u8(&name, '\0');
        cr_assert_eq(construct_range_find(top, (const char *)name.data, &one), REFRAIN_OK);
        cr_assert_eq(construct_path_last(&one.first), body->items[first + i]);
        bytes_free(&name);
    }
}

Test(construct_path, a_range_is_several)
{
    struct program p = {0};
    struct construct_range range;
    say_nest(&p);
    const struct system *top = p.model.all, *outer = top->items[1]->body, *inner = outer->items[1]->body;
    check_range(top, "1-2", top, 0, 2);
    check_range(top, "2.4-5", outer, 3, 2);
    check_range(top, "2.1-5", outer, 0, 5);
    check_range(top, "2.3-3", outer, 2, 1);
    check_range(top, "2.2.1-2", inner, 0, 2);
    cr_assert_eq(construct_range_find(top, "2.4-5", &range), REFRAIN_OK);
    for (uint32_t i = 0; i < p.model.processes.n; i++)
        cr_assert(construct_range_has(&range, i), "0 -> 2, 1 -> 3");
    cr_assert_eq(construct_range_find(top, "2.1", &range), REFRAIN_OK);
    cr_assert(!construct_range_has(&range, 0) && !construct_range_has(&range, 1));
    cr_assert(construct_range_has(&range, 2) && construct_range_has(&range, 3), "2 -> 3");
    program_end(&p);
}

Test(construct_path, lines_have_paths_in_front)
{
    struct program p = {0};
    struct output out = {0};
    say_nest(&p);
    cr_assert_eq(model_put_paths(&p.model, &out), REFRAIN_OK);
    bytes_put_u8(&out.text, '\0');
    cr_assert_str_eq((char *)out.text.data, "1         0 local begin\n"
                                            "2         for i0 = 1 to 5   [0-3]\n"
                                            "2.1         2 -> 3 b\n"
                                            "2.2         for i1 = 1 to 4   [0-1]\n"
                                            "2.2.1         0 -> 1 a\n"
                                            "2.2.2         1 local work\n"
                                            "2.2         done\n"
                                            "2.3         0 -> 1 b\n"
                                            "2.4-5       0 -> 2, 1 -> 3 c\n"
                                            "2         done\n");
    bytes_free(&out.text);
    program_end(&p);
}

Test(construct_path, what_names_nothing_is_an_error)
{
    static const char *const bad[] = {"",
                                      "0",
                                      "1.0",
                                      "x",
                                      "1.",
                                      ".1",
                                      "1..1",
                                      "-1",
                                      "1-",
                                      "2-1",
                                      "1-3",
                                      "0-1",
                                      "1--2",
                                      "1-2-3",
                                      "1-2.1",
                                      "2.1-2.2",
                                      "2.1-6",
                                      "2.5-4",
                                      "1-18446744073709551617",
                                      "+1",
                                      "1 ",
                                      " 1",
                                      "3",
                                      "2.6",
                                      "1.1",
                                      "2.2.3",
                                      "2.1.1",
                                      "18446744073709551617",
                                      "99999999999999999999999999"};
    struct program p = {0};
    struct construct_range range = {.n = 7};
    say_nest(&p);
    const unsigned errors = log_error_count();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_assert_eq(construct_range_find(p.model.all, bad[i], &range), REFRAIN_ERR_USAGE, "%s", bad[i]);
    cr_assert_eq(log_error_count(), errors + sizeof bad / sizeof bad[0], "each is said once");
    cr_assert_eq(range.n, 7, "the result is set on success only");
    program_end(&p);
}
