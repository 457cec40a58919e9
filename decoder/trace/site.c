/* SPDX-License-Identifier: BSD-3-Clause */
#include "site.h"

#include "decoder/util/text.h"

#include <inttypes.h>
#include <string.h>

static void put_place(const struct trace *t, const struct frame *frame, const struct place *place,
                      struct bytes *out)
{
    const char *slash = place->file ? strrchr(place->file, '/') : NULL;
    if (place->function)
        text_printf(out, "%s (", place->function);
    if (place->file)
        text_printf(out, "%s:%d", slash ? slash + 1 : place->file, place->line);
    else
        text_printf(out, "%s+0x%" PRIx64, t->modules.items[frame->module], frame->offset);
    if (place->function)
        text_putc(out, ')');
}

void site_put_text(const struct trace *t, const struct symbols *s, uint32_t site, struct bytes *out)
{
    const struct site *const this = &t->sites.items[site];
    for (uint32_t i = 0; i < this->n_frames; i++) {
        const struct places places = symbols_find(s, &this->frames[i]);
        for (size_t k = 0; k < places.n; k++) {
            if (i > 0 || k > 0)
                text_put(out, " < ");
            put_place(t, &this->frames[i], &places.items[k], out);
        }
    }
}

static void put_place_json(const struct trace *t, const struct frame *frame, const struct place *place,
                           bool inlined, struct json *j)
{
    json_object(j, NULL);
    json_string(j, "module", t->modules.items[frame->module]);
    json_uint(j, "offset", frame->offset);
    if (place->function)
        json_string(j, "function", place->function);
    if (place->file) {
        json_string(j, "file", place->file);
        json_int(j, "line", place->line);
    }
    if (inlined)
        json_bool(j, "inlined", true);
    json_end(j);
}

void site_put_json(const struct trace *t, const struct symbols *s, uint32_t site, struct json *j,
                   const char *key)
{
    const struct site *const this = &t->sites.items[site];
    json_array(j, key);
    for (uint32_t i = 0; i < this->n_frames; i++) {
        const struct places places = symbols_find(s, &this->frames[i]);
        for (size_t k = 0; k < places.n; k++)
            put_place_json(t, &this->frames[i], &places.items[k], k + 1 < places.n, j);
    }
    json_end(j);
}
