/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrows of messages: both ends have one id. A receive that did not return has no end and takes no
 * memory: it has no request number as a key. */
#include <criterion/criterion.h>

#include <string.h>

#include "decoder/chrome/chrome_messages.h"
#include "tests/unit/support/spoken.h"

static size_t count(const struct bytes *text, const char *what)
{
    size_t n = 0;
    for (const char *at = (const char *)text->data; (at = strstr(at, what)); at++)
        n++;
    return n;
}

Test(chrome_messages, a_receive_that_did_not_come_back)
{
    struct spoken s;
    struct operation_source source;
    struct timestamps_source timestamps;
    struct output out = {0};
    const struct ranges all = {0};
    struct chrome chrome = {.out = &out, .source = &source, .ranks = &all, .to = UINT64_MAX};
    spoken_start(&s, 2);
    SAY(&s, 0, 0, SPOKEN_SEND, 1, TYPE, 1, 5, WORLD, 0);
    SAY(&s, 0, 0, SPOKEN_SEND, 1, TYPE, 1, 5, WORLD, 0);
    SAY(&s, 1, 0, SPOKEN_RECV, 0, 5, WORLD, 0, STATUS(0, 5, 8));
    SAY(&s, 1, 0, SPOKEN_RECV, 0, 5, WORLD);
    spoken_end(&s);
    cr_assert_eq(operation_source_create(&source, &s.reader, &s.definitions), REFRAIN_OK);
    cr_assert_eq(timestamps_source_create(&timestamps, &s.reader, true), REFRAIN_OK);
    source.timestamps = &timestamps;
    for (uint32_t rank = 0; rank < 2; rank++)
        cr_assert_eq(chrome_put_messages(&chrome, rank), REFRAIN_OK);
    bytes_put_u8(&out.text, '\0');
    cr_expect_eq(count(&out.text, "\"ph\":\"s\""), 2);
    cr_expect_eq(count(&out.text, "\"ph\":\"f\""), 1);
    cr_expect_eq(count(&out.text, "\"id\":\"1.0.1.5.0\""), 2);
    bytes_free(&out.text);
    timestamps_source_free(&timestamps);
    operation_source_free(&source);
    spoken_free(&s);
}
