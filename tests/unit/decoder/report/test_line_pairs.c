/* SPDX-License-Identifier: BSD-3-Clause */
/* Two texts side by side. */
#include <criterion/criterion.h>

#include "decoder/report/line_pairs.h"

#include <stdio.h>
#include <string.h>

static struct bytes bytes_of(const char *text)
{
    struct bytes b = {0};
    bytes_put(&b, text, strlen(text));
    return b;
}

/* A pair is "a|b", with = in front if both are the same, and - if it is not shown. */
static void expect(const char *a, const char *b, const char *wanted)
{
    struct bytes first = bytes_of(a), second = bytes_of(b);
    struct line_pairs p;
    char found[1000] = "";
    size_t differing = 0;
    cr_assert_eq(line_pairs_create(&p, &first, &second), REFRAIN_OK);
    for (size_t i = 0; i < p.items.n; i++) {
        const struct line_pair *pair = &p.items.items[i];
        const size_t at = strlen(found);
        snprintf(found + at, sizeof found - at, "%s%s%.*s|%.*s\n", pair->shown ? "" : "-",
                 pair->same ? "=" : "", (int)pair->a.n, pair->a.text ? pair->a.text : "", (int)pair->b.n,
                 pair->b.text ? pair->b.text : "");
        differing += !pair->same;
    }
    cr_expect_str_eq(found, wanted);
    cr_expect_eq(p.differing, differing);
    cr_expect_not(p.too_many);
    line_pairs_free(&p);
    bytes_free(&first);
    bytes_free(&second);
}

Test(line_pairs, same)
{
    expect("", "", "");
    expect("a\nb\n", "a\nb", "-=a|a\n-=b|b\n");
}

Test(line_pairs, differing)
{
    expect("a\n", "", "a|\n");
    expect("", "a\nb\n", "|a\n|b\n");
    expect("a\nb\nc\nd\ne\n", "a\nb\nx\nd\ne\n", "-=a|a\n=b|b\nc|x\n=d|d\n-=e|e\n");
    expect("a\nb\n", "b\nc\n", "a|\n=b|b\n|c\n");
    expect("a\na\na\n", "a\na\n", "-=a|a\n=a|a\na|\n");
}

/* Loops around what differs are shown, lines between them are not. */
Test(line_pairs, loops)
{
    expect("for 1\n  p\n  for 2\n    q\n    r\n    s\n    t\n",
           "for 1\n  p\n  for 2\n    q\n    r\n    S\n    t\n",
           "=for 1|for 1\n-=  p|  p\n=  for 2|  for 2\n-=    q|    q\n=    r|    r\n    s|    S\n=    t|    "
           "t\n");
}

Test(line_pairs, too_many)
{
    struct bytes a = {0}, b = {0};
    struct line_pairs p;
    for (int i = 0; i < 5000; i++) {
        bytes_put(&a, "a\n", 2);
        bytes_put(&b, "b\n", 2);
    }
    cr_assert_eq(line_pairs_create(&p, &a, &b), REFRAIN_OK);
    cr_expect(p.too_many);
    cr_expect_eq(p.items.n, 0);
    line_pairs_free(&p);
    bytes_free(&a);
    bytes_free(&b);
}
