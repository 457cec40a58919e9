/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline_texts.h"

#include "decoder/call/other_requests.h"
#include "decoder/call/volume.h"
#include "decoder/render/render.h"
#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 600, ALL_TEXTS_MOST = 8 << 20 }; /* bytes */

/* What is needed to make the texts. */
struct maker {
    struct timeline_texts *texts;
    const struct timeline *timeline;
    struct renderer renderer;
    struct volume_source volumes;
    struct other_requests others;
    struct volume_sum volume;
    struct bytes text; /* of one call */
};

static void put_bytes(struct bytes *out, uint64_t n, const char *what)
{
    if (n > 0)
        text_printf(out, "%s%" PRIu64 " bytes %s", out->n > 0 && out->data[out->n - 1] != '\n' ? ", " : "", n,
                    what);
}

/* Returns how long the text then is. */
static size_t put_place(struct maker *m, const struct call *call)
{
    text_put(&m->text, "at ");
    site_put_innermost(&m->timeline->reader->trace, m->timeline->symbols, call->site, &m->text);
    if (m->text.n == strlen("at "))
        m->text.n = 0;
    else
        text_putc(&m->text, '\n');
    return m->text.n;
}

static enum refrain_status render(struct maker *m, const struct call *call)
{
    m->text.n = 0;
    const size_t begin = put_place(m, call);
    enum refrain_status status = render_call(&m->renderer, call, &m->text);
    if (status == REFRAIN_OK)
        status = volume_sum_of(&m->volumes, call, &m->volume);
    if (status != REFRAIN_OK)
        return status;
    if (m->text.n - begin > TEXT_MOST) {
        m->text.n = begin + TEXT_MOST;
        /* do not cut a character of UTF-8 */
        while (m->text.n > 0 && (m->text.data[m->text.n] & 0xC0) == 0x80)
            m->text.n--;
        text_put(&m->text, "\xE2\x80\xA6");
    }
    const struct volume v = volume_at(&m->volume, call->slots);
    text_putc(&m->text, '\n');
    put_bytes(&m->text, v.sent, "sent");
    put_bytes(&m->text, v.received, "received");
    if (m->text.n > 0 && m->text.data[m->text.n - 1] == '\n')
        m->text.n--;
    return m->text.failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

/* Returns the number of the current text, which is added if it is new. */
static enum refrain_status intern(struct maker *m, uint32_t *number)
{
    struct timeline_texts *x = m->texts;
    *number = text_table_find(&x->table, m->text.data, m->text.n);
    if (*number != MAP_NONE)
        return REFRAIN_OK;
    if (x->table.data.n + m->text.n > ALL_TEXTS_MOST) {
        x->missing++;
        return REFRAIN_OK;
    }
    return text_table_intern(&x->table, m->text.data, m->text.n, number);
}

/* Makes the texts of the calls `first` … `end` - 1, which are of one lane. */
static enum refrain_status take_lane(struct maker *m, size_t first, size_t end)
{
    const struct timeline *t = m->timeline;
    struct cursor cursor;
    struct call call;
    enum refrain_status status =
        cursor_start(&cursor, t->reader, &t->lanes.items[t->calls.items[first].lane].ref);
    if (status != REFRAIN_OK)
        return status;
    for (size_t i = first; i < end && status == REFRAIN_OK; i++) {
        const uint64_t index = t->calls.items[i].index;
        if (index != cursor.index)
            status = cursor_seek(&cursor, index);
        if (status == REFRAIN_OK && cursor_next(&cursor, &call, &status) &&
            (status = render(m, &call)) == REFRAIN_OK)
            status = intern(m, &m->texts->of_call[i]);
    }
    cursor_stop(&cursor);
    return status;
}

static enum refrain_status take_lanes(struct maker *m)
{
    const struct timeline *t = m->timeline;
    enum refrain_status status = REFRAIN_OK;
    for (size_t first = 0, end; first < t->calls.n && status == REFRAIN_OK; first = end) {
        for (end = first; end < t->calls.n && t->calls.items[end].lane == t->calls.items[first].lane;)
            end++;
        status = take_lane(m, first, end);
    }
    return status;
}

enum refrain_status timeline_texts_create(struct timeline_texts *x, const struct timeline *t,
                                          const struct definitions *d)
{
    struct maker m = {.texts = x, .timeline = t};
    *x = (struct timeline_texts){.of_call = calloc(t->calls.n + 1, sizeof *x->of_call)};
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    volume_source_start(&m.volumes, t->reader, d, &t->roles);
    m.volumes.others = &m.others;
    if (!x->of_call)
        log_error("out of memory: the texts of %zu calls", t->calls.n);
    else
        status = renderer_create(&m.renderer, t->reader, d);
    if (status == REFRAIN_OK)
        status = other_requests_find(&m.others, t->reader, d, &t->roles);
    if (status == REFRAIN_OK)
        status = take_lanes(&m);
    renderer_free(&m.renderer);
    other_requests_free(&m.others);
    volume_sum_free(&m.volume);
    bytes_free(&m.text);
    if (status != REFRAIN_OK)
        timeline_texts_free(x);
    return status;
}

void timeline_texts_free(struct timeline_texts *x)
{
    text_table_free(&x->table);
    free(x->of_call);
    *x = (struct timeline_texts){0};
}
