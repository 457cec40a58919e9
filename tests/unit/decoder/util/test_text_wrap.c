/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/util/text_wrap.h"

#include <string.h>

static void expect(const char *text, size_t width, const char *wrapped)
{
    struct bytes out = {0};
    text_wrap(&out, text, strlen(text), width);
    bytes_put_u8(&out, '\0');
    cr_assert_str_eq((const char *)out.data, wrapped);
    bytes_free(&out);
}

Test(text_wrap, short_lines_stay)
{
    expect("", 10, "");
    expect("one\n\n  two three\nno end", 11, "one\n\n  two three\nno end");
}

Test(text_wrap, long_lines_go_on)
{
    expect("1  one two three four\n", 12, "1  one two\n    three\n    four\n");
    expect("  one two three\n  x\n", 9, "  one two\n      three\n  x\n");
    expect("one two   ", 7, "one two");
    expect("exactly fits", 12, "exactly fits");
}

/* A word that is too long stays whole, and what it stands in ends. */
Test(text_wrap, long_words)
{
    expect("longer_than_that a b\n", 8, "longer_than_that\n    a b\n");
    expect("a longer_than_that b\n", 8, "a\n    longer_than_that\n    b\n");
    expect("    abcdef gh\n", 3, "    abcdef\n        gh\n");
}

Test(text_wrap, characters_count)
{
    expect("ä-ö-ü ä-ö-ü", 11, "ä-ö-ü ä-ö-ü");
    expect("ä-ö-ü ä-ö-ü", 10, "ä-ö-ü\n    ä-ö-ü");
}

Test(text_wrap, tables_stay)
{
    expect("name     calls\na much longer name 7\n\na much longer line\n", 9,
           "name     calls\na much longer name 7\n\na much\n    longer\n    line\n");
}

Test(text_wrap, units_stay_with_their_numbers)
{
    expect("it takes 5.3 % of", 12, "it takes\n    5.3 % of");
    expect("it takes 5.3 sheep", 12, "it takes 5.3\n    sheep");
}

Test(text_wrap, commands_stay_whole)
{
    expect("More of it: refrain report -o x.html y.refrain\n", 16,
           "More of it:\n    refrain report -o x.html y.refrain\n");
    expect("More: refrain report 'x (1)'\n", 16, "More:\n    refrain report 'x (1)'\n");
    expect("Names: refrain -e a (b), c (d)\n", 16, "Names: refrain\n    -e a (b), c\n    (d)\n");
    expect("refrains from it all\n", 12, "refrains\n    from it\n    all\n");
}
