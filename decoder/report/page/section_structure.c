/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of `refrain model --sites --sizes --times`: "lines":["# 8 ranks: 2x4 grid …","for i0 = 1 to 10",
 * "  x -> x+1 tag5   # exchange (halo.c:31), 80 bytes, 577 us, 3.1 %", …]. Each level is indented by two blanks. */
#include "decoder/report/run_model.h"
#include "report_sections.h"

#include <string.h>

enum { LINES_MOST = 20000, BYTES_MOST = 2000000 };

enum refrain_status section_structure(const struct report *r, struct json *j)
{
    struct output model = {.kept = true, .most = BYTES_MOST};
    const struct bytes *text = &model.text;
    size_t n = 0, at = 0;
    const enum refrain_status status = run_model_annotate(r, &model);
    json_string(
        j, "says",
        "What all ranks do together, as nested loops: a line is a message, or an operation of "
        "several ranks, with its place in the source, its size, its mean time and its share of the run.");
    json_array(j, "lines");
    for (; at < text->n && n < LINES_MOST; n++) {
        const uint8_t *end = memchr(text->data + at, '\n', text->n - at);
        const size_t behind = end ? (size_t)(end - text->data) : text->n;
        json_string_n(j, NULL, (const char *)text->data + at, behind - at);
        at = behind + 1;
    }
    json_end(j);
    json_bool(j, "more", at < text->n || model.closed);
    bytes_free(&model.text);
    return status;
}
