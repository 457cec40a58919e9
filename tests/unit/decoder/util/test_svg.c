/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/util/svg.h"
#include "decoder/util/text.h"

#include <string.h>

/* Compares the drawing with `wanted` and frees it. */
static void expect(struct bytes *out, const char *wanted)
{
    cr_assert_not(out->failed);
    text_putc(out, '\0');
    cr_assert_str_eq((const char *)out->data, wanted);
    bytes_free(out);
}

static void expect_lines(struct svg *s, const char *wanted)
{
    bytes_free(&s->text);
    expect(s->out, wanted);
}

Test(svg, the_example)
{
    struct bytes out = {0};
    struct svg s = {.out = &out};
    svg_start(&s,
              &(struct svg_head){
                  .width = 120, .height = 40, .title = "Waiting", .style = "text { font: 11px sans-serif }"});
    svg_group(&s, "class", "bars");
    svg_open(&s, "rect");
    svg_numbers(&s, "x y width height", 10, 20, 30.5, 12);
    svg_attribute(&s, "fill", "#c00");
    svg_open(&s, "title");
    text_printf(svg_text(&s), "rank %u, %s", 0, "<1 s");
    svg_close_all(&s);
    svg_group_end(&s);
    svg_open(&s, "path");
    svg_print(svg_value(&s, "d"), "M% %h%", 10, 34, 30.5);
    svg_close_all(&s);
    svg_end(&s);
    expect(&out,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"120\" height=\"40\" viewBox=\"0 0 120 40\">\n"
           "<title>Waiting</title>\n"
           "<style>text { font: 11px sans-serif }</style>\n"
           "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
           "<g class=\"bars\">\n"
           "<rect x=\"10\" y=\"20\" width=\"30.5\" height=\"12\" fill=\"#c00\">"
           "<title>rank 0, &lt;1 s</title></rect>\n"
           "</g>\n"
           "<path d=\"M10 34h30.5\"/>\n"
           "</svg>\n");
}

Test(svg, a_head_with_all_that_it_can_have)
{
    struct bytes out = {0};
    struct svg s = {.out = &out};
    svg_start(&s, &(struct svg_head){.width = 2.5,
                                     .height = 1,
                                     .title = "a < b",
                                     .description = "\"b\" & c",
                                     .style = "svg > path { font: \"Sans\" }",
                                     .arrow = {7, 5}});
    svg_end(&s);
    expect(&out,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"2.5\" height=\"1\" viewBox=\"0 0 2.5 1\">\n"
           "<title>a &lt; b</title>\n"
           "<desc>&quot;b&quot; &amp; c</desc>\n"
           "<style>svg > path { font: \"Sans\" }</style>\n"
           "<defs><marker id=\"head\" refX=\"7\" refY=\"2.5\" markerWidth=\"7\" markerHeight=\"5\" "
           "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L7 2.5L0 5z\" "
           "style=\"fill:#000;stroke:none;marker-end:none\"/></marker></defs>\n"
           "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
           "</svg>\n");
}

Test(svg, numbers_have_the_digits_that_they_need)
{
    struct bytes out = {0};
    svg_print(&out, "% % % % % ", 0, 7, -7, 4000000000, 1e12);
    svg_print(&out, "% % % % % ", 1.5, 1.25, 1.05, -0.25, -3.5);
    svg_print(&out, "% % % % %", 0.004, -0.004, 0.006, 12.996, 12.994);
    expect(&out, "0 7 -7 4000000000 1000000000000 1.5 1.25 1.05 -0.25 -3.5 0 0 0.01 13 12.99");
}

Test(svg, numbers_stand_where_the_signs_are)
{
    struct bytes out = {0};
    svg_print(&out, "translate(% %) rotate(-90)", 3, -4);
    svg_print(&out, "v-%z", 5);
    expect(&out, "translate(3 -4) rotate(-90)v-5z");
}

Test(svg, elements_in_elements_are_on_one_line)
{
    struct bytes out = {0};
    struct svg s = {.out = &out};
    svg_open(&s, "g");
    svg_open(&s, "circle");
    svg_numbers(&s, "r", 2);
    svg_close(&s);
    svg_open(&s, "circle");
    svg_close(&s);
    svg_close(&s);
    svg_label(&s, 1, 2.5, "end");
    svg_attribute(&s, "fill", "#000");
    text_put(svg_text(&s), "one");
    text_put(svg_text(&s), " two ");
    svg_open(&s, "tspan");
    text_put(svg_text(&s), "three");
    svg_close(&s);
    text_put(svg_text(&s), " four");
    svg_close_all(&s);
    svg_label(&s, 0, 0, NULL);
    svg_text(&s);
    svg_close_all(&s);
    expect_lines(&s, "<g><circle r=\"2\"/><circle/></g><text x=\"1\" y=\"2.5\" class=\"end\" fill=\"#000\">"
                     "one two <tspan>three</tspan> four</text>\n"
                     "<text x=\"0\" y=\"0\"></text>\n");
}

Test(svg, groups_in_groups)
{
    struct bytes out = {0};
    struct svg s = {.out = &out};
    svg_group(&s, "class", "outer");
    svg_group(&s, "id", "inner");
    svg_open(&s, "path");
    svg_close_all(&s);
    svg_group_end(&s);
    svg_open(&s, "rect");
    svg_open(&s, "title");
    svg_close_all(&s);
    svg_group_end(&s);
    svg_group(&s, "class", "empty");
    svg_group_end(&s);
    expect_lines(&s, "<g class=\"outer\">\n<g id=\"inner\">\n<path/>\n</g>\n<rect><title/></rect>\n</g>\n"
                     "<g class=\"empty\">\n</g>\n");
}

Test(svg, what_is_markup_is_escaped)
{
    struct bytes out = {0};
    struct svg s = {.out = &out};
    svg_label(&s, 0, 0, "\"'<>&");
    text_put(svg_text(&s), "a<b>&\"c\"'\\ \xC3\xA4 \xFF \x01.");
    svg_close_all(&s);
    expect_lines(&s, "<text x=\"0\" y=\"0\" class=\"&quot;&#39;&lt;&gt;&amp;\">"
                     "a&lt;b&gt;&amp;&quot;c&quot;&#39;\\ \xC3\xA4 \xEF\xBF\xBD \xEF\xBF\xBD.</text>\n");
}

Test(svg, a_value_is_put_together_piece_by_piece)
{
    struct bytes out = {0};
    struct svg s = {.out = &out};
    svg_open(&s, "path");
    struct bytes *path = svg_value(&s, "d");
    for (unsigned i = 0; i < 3; i++)
        svg_print(path, i == 0 ? "M% %" : "L% %", i, 2 * i);
    text_putc(path, 'z');
    text_printf(svg_value(&s, "stroke"), "hsl(%u,70%%,40%%)", 120);
    svg_close_all(&s);
    expect_lines(&s, "<path d=\"M0 0L1 2L2 4z\" stroke=\"hsl(120,70%,40%)\"/>\n");
}

Test(svg, a_picture_whose_size_shows_in_the_end)
{
    struct bytes body = {0}, out = {0};
    struct svg s = {.out = &body};
    svg_label(&s, 4, 5, NULL);
    text_put(svg_text(&s), "body");
    svg_close_all(&s);
    s.out = &out;
    svg_start(&s, &(struct svg_head){.width = 10, .height = 20});
    bytes_put(&out, body.data, body.n);
    svg_end(&s);
    bytes_free(&body);
    expect(&out,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"20\" viewBox=\"0 0 10 20\">\n"
           "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
           "<text x=\"4\" y=\"5\">body</text>\n"
           "</svg>\n");
}

Test(svg, a_text_that_memory_was_short_for_shows)
{
    struct bytes out = {0};
    struct svg s = {.out = &out};
    svg_label(&s, 0, 0, NULL);
    svg_text(&s)->failed = true;
    svg_close_all(&s);
    cr_assert(out.failed);
    bytes_free(&out);
    bytes_free(&s.text);
}
