/* SPDX-License-Identifier: BSD-3-Clause */
/* Nothing in a title or in data ends the element that contains it. */
#include <criterion/criterion.h>

#include "decoder/util/html_page.h"
#include "decoder/util/json.h"

#include <string.h>

static size_t count(const struct bytes *text, const char *word)
{
    size_t n = 0;
    for (size_t i = 0; i + strlen(word) <= text->n; i++)
        n += memcmp(text->data + i, word, strlen(word)) == 0;
    return n;
}

Test(html_page, hostile_names_are_text)
{
    static const unsigned char css[] = "p {}", js[] = "draw()";
    static const char name[] = "</script><img src=x onerror=alert(1)></title><!--";
    struct bytes data = {0}, page = {0};
    struct json j = json_of(&data);
    json_object(&j, NULL);
    json_string(&j, name, name);
    json_end(&j);
    html_page_put(&(struct html_page){name, css, js, sizeof css - 1, sizeof js - 1, &data}, &page);
    cr_assert(!page.failed);
    cr_expect_eq(count(&page, "</script"), 2);
    cr_expect_eq(count(&page, "</title"), 1);
    cr_expect_eq(count(&page, "<img"), 0);
    cr_expect_eq(count(&page, "<!--"), 0);
    cr_expect_eq(count(&page, "\\u003c/script>"), 2);
    cr_expect_eq(count(&page, "&lt;/script&gt;"), 1);
    cr_expect_eq(count(&page, "p {}"), 1);
    cr_expect_eq(count(&page, "draw()"), 1);
    bytes_free(&page);
    bytes_free(&data);
}
