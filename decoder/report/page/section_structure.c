/* SPDX-License-Identifier: BSD-3-Clause */
/* The model as text: "lines":["for i0 = 1 to 10   [0-7]","  sync MPI_Bcast …","done", …]. Each
 * level is indented by two blanks. */
#include "decoder/model/model_text.h"
#include "report_sections.h"

#include <string.h>

enum { LINES_MOST = 20000, BYTES_MOST = 2000000 };

enum refrain_status section_structure(const struct report *r, struct json *j)
{
    struct output model = {.kept = true, .most = BYTES_MOST};
    const struct bytes *text = &model.text;
    size_t n = 0, at = 0;
    const enum refrain_status status = model_put_text(&r->model, &model);
    json_string(j, "says",
                "What all ranks do together, as nested loops: a line is a message, or an operation of "
                "several ranks.");
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
