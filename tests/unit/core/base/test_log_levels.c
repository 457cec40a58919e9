/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <stdio.h>

#include "src/core/base/log.h"

Test(log_levels, a_level_holds_for_all_domains)
{
    struct log_levels l;
    cr_assert(log_levels_parse("info", &l));
    for (unsigned d = 0; d < LOG_DOMAINS; d++)
        cr_expect_eq(l.of[d], LOG_INFO, "domain %u", d);
}

Test(log_levels, other_domains_print_notices)
{
    struct log_levels l;
    cr_assert(log_levels_parse("match,merge:debug", &l));
    cr_expect_eq(l.of[LOG_MATCH], LOG_DEBUG);
    cr_expect_eq(l.of[LOG_MERGE], LOG_DEBUG);
    cr_expect_eq(l.of[LOG_CLOCK], LOG_NOTICE);
    cr_expect_eq(l.of[LOG_GENERAL], LOG_NOTICE);
}

Test(log_levels, the_last_clause_holds)
{
    struct log_levels l;
    cr_assert(log_levels_parse("error;clock:debug;clock,launch:info", &l));
    cr_expect_eq(l.of[LOG_CLOCK], LOG_INFO);
    cr_expect_eq(l.of[LOG_LAUNCH], LOG_INFO);
    cr_expect_eq(l.of[LOG_ENDING], LOG_ERROR);
}

Test(log_levels, what_makes_no_sense_changes_nothing)
{
    static const char *const wrong[] = {"",
                                        "loud",
                                        ":debug",
                                        "merge:",
                                        "merge",
                                        "merge,:debug",
                                        "nobody:debug",
                                        "debug;",
                                        ";debug",
                                        "merge:debug,match:info",
                                        "merge:debug:info"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct log_levels l = {.of = {[LOG_MERGE] = LOG_INFO}};
        cr_expect_not(log_levels_parse(wrong[i], &l), "'%s'", wrong[i]);
        cr_expect_eq(l.of[LOG_MERGE], LOG_INFO, "'%s'", wrong[i]);
    }
}

Test(log_levels, domains_have_names)
{
    for (unsigned d = LOG_GENERAL + 1; d < LOG_DOMAINS; d++) {
        char text[64];
        struct log_levels l;
        snprintf(text, sizeof text, "%s:debug", log_domain_name(d));
        cr_expect(log_levels_parse(text, &l), "%s", text);
        cr_expect_eq(l.of[d], LOG_DEBUG);
    }
}
