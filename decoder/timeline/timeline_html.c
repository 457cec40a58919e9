/* SPDX-License-Identifier: BSD-3-Clause */
/* The page consists of its style sheet, its scripts, which draw and handle the mouse (page/), and its data as JSON:
 *
 *     {"title":"./app","about":"4 ranks …","notes":"…","from":0,"begin":0,"to":1234000,"span":…,
 *      "kinds":[{"name":"waiting, testing","colour":"#D55E00","ink":"#000000","time":12000}, …],
 *      "rest":{"name":"computation","colour":"#F0F0F0"},
 *      "functions":[{"name":"MPI_Send","kind":0}, …],
 *      "texts":["at exchange (halo.c:31)\nMPI_Send(buf=heap0, …) = MPI_SUCCESS\n64 bytes sent", …],
 *      "lanes":[{"rank":0,"thread":0}, …],
 *      "lines":[{"label":"0","lane":0,"lanes":1,"begin":0,"end":1233000,"calls":[…],"bins":[…]}, …],
 *      "messages":[line, time, line, time, …], "bands":[[line, enter, leave, line, …], …],
 *      "regions":{"names":["sweep", …],"colours":["#FBB4AE", …],
 *                 "items":[line, name, depth, enter, leave, …]},
 *      "path":[line, from, to, …], "waits":[line, from, to, …], "worst":[[line, from, to, "words"], …],
 *      "bin":{"from":0,"width":1024,"unit":1000}}
 *
 * Times are in nanoseconds. The page first shows the time from `begin` on; MPI_Init is before it. `regions`
 * is there if the program has any; `path`, `waits` and `worst` (timeline_overlay.h) if they were looked for. `lane` is the line's first lane. `calls` has for each call: its number
 * minus the previous one's, its enter minus the previous leave, leave minus enter, the function, and the
 * text or -1. `bins` has a list for each kind of the line: the kind, then for each bin that is not empty its
 * number minus the previous one's (at first -1), and the kind's share of the bin in `unit`ths, rounded up. */
#include "timeline_html.h"

#include "decoder/util/html_page.h"
#include "decoder/util/json.h"
#include "decoder/util/text.h"
#include "timeline_page.h"
#include "timeline_texts.h"

#include <inttypes.h>
#include <math.h>

enum { SHARE_UNIT = 1000 };

static void put_kinds(struct json *j, const struct timeline *t)
{
    json_array(j, "kinds");
    for (unsigned k = 0; k < CALL_KINDS; k++) {
        json_object(j, NULL);
        json_string(j, "name", call_looks[k].name);
        json_string(j, "colour", call_looks[k].colour);
        json_string(j, "ink", call_looks[k].ink);
        json_uint(j, "time", t->time[k]);
        json_end(j);
    }
    json_end(j);
    json_object(j, "rest");
    json_string(j, "name", call_look_rest.name);
    json_string(j, "colour", call_look_rest.colour);
    json_end(j);
}

static void put_functions(struct json *j, const struct timeline *t)
{
    const struct functable *table = &t->reader->trace.functions;
    json_array(j, "functions");
    for (size_t i = 0; i < table->functions.n; i++) {
        json_object(j, NULL);
        json_string(j, "name", table->functions.items[i].name);
        json_uint(j, "kind", t->roles.items[i].kind);
        json_end(j);
    }
    json_end(j);
}

static void put_texts(struct json *j, const struct timeline_texts *texts)
{
    json_array(j, "texts");
    for (uint32_t i = 0; i < texts->table.items.n; i++)
        json_string_n(j, NULL, text_table_at(&texts->table, i), texts->table.items.items[i].n);
    json_end(j);
}

static void put_lanes(struct json *j, const struct timeline *t)
{
    json_array(j, "lanes");
    for (size_t i = 0; i < t->lanes.n; i++) {
        json_object(j, NULL);
        json_uint(j, "rank", t->lanes.items[i].ref.rank);
        json_uint(j, "thread", t->lanes.items[i].ref.shape->number);
        json_end(j);
    }
    json_end(j);
}

/* Writes the calls of the line, from *at on. */
static void put_calls(struct json *j, const struct timeline *t, const struct timeline_texts *texts,
                      uint32_t line, size_t *at)
{
    uint64_t index = 0, leave = 0;
    json_array(j, "calls");
    for (; *at < t->calls.n && timeline_line(t, t->calls.items[*at].lane) == line; ++*at) {
        const struct timeline_call *c = &t->calls.items[*at];
        const uint32_t text = texts->of_call[*at];
        json_uint(j, NULL, c->index - index);
        json_int(j, NULL, (int64_t)(c->enter - leave));
        json_uint(j, NULL, c->leave - c->enter);
        json_uint(j, NULL, c->function);
        json_int(j, NULL, text == TIMELINE_TEXT_NONE ? -1 : (int64_t)text);
        index = c->index;
        leave = c->leave;
    }
    json_end(j);
}

static void put_bins(struct json *j, const struct timeline *t, uint32_t line)
{
    const struct bin *bins = t->bins.items + (size_t)line * t->bins.n;
    const size_t lanes = timeline_first_lane(t, line + 1) - timeline_first_lane(t, line);
    const double whole = (double)(UINT64_C(1) << t->bins.shift) * (double)lanes;
    json_array(j, "bins");
    for (unsigned k = 0; k < CALL_KINDS; k++) {
        int64_t last = -1;
        for (uint32_t i = 0; i < t->bins.n; i++) {
            if (bins[i].time[k] == 0)
                continue;
            if (last < 0) {
                json_array(j, NULL);
                json_uint(j, NULL, k);
            }
            json_uint(j, NULL, (uint64_t)(i - last));
            json_uint(j, NULL, (uint64_t)ceil((double)bins[i].time[k] * SHARE_UNIT / whole));
            last = i;
        }
        if (last >= 0)
            json_end(j);
    }
    json_end(j);
}

static void put_lines(struct json *j, const struct timeline *t, const struct timeline_texts *texts)
{
    struct bytes label = {0};
    size_t call = 0;
    json_array(j, "lines");
    for (uint32_t line = 0; line < t->n_lines; line++) {
        const size_t first = timeline_first_lane(t, line);
        struct timeline_extent extent = timeline_extent(t, line);
        label.n = 0;
        timeline_label(t, line, &label);
        json_object(j, NULL);
        json_string_n(j, "label", (const char *)label.data, label.n);
        json_uint(j, "lane", first);
        json_uint(j, "lanes", timeline_first_lane(t, line + 1) - first);
        json_uint(j, "begin", extent.begin);
        json_uint(j, "end", extent.end);
        put_calls(j, t, texts, line, &call);
        put_bins(j, t, line);
        json_end(j);
    }
    json_end(j);
    j->out->failed = j->out->failed || label.failed;
    bytes_free(&label);
}

static void put_regions(struct json *j, const struct timeline *t)
{
    const struct timeline_regions *x = &t->regions;
    if (x->items.n == 0)
        return;
    json_object(j, "regions");
    json_array(j, "names");
    for (uint32_t i = 0; i < x->names.items.n; i++)
        json_string_n(j, NULL, text_table_at(&x->names, i), x->names.items.items[i].n);
    json_end(j);
    json_array(j, "colours");
    for (size_t i = 0; i < TIMELINE_REGION_COLOURS; i++)
        json_string(j, NULL, timeline_region_colours[i]);
    json_end(j);
    json_array(j, "items");
    for (size_t i = 0; i < x->items.n; i++) {
        const struct timeline_region *region = &x->items.items[i];
        json_uint(j, NULL, timeline_line(t, region->lane));
        json_uint(j, NULL, region->name);
        json_uint(j, NULL, region->depth);
        json_uint(j, NULL, region->enter);
        json_uint(j, NULL, region->leave);
    }
    json_end(j);
    json_end(j);
}

static void put_links(struct json *j, const struct timeline_links *x)
{
    json_array(j, "messages");
    for (size_t i = 0; i < x->messages.n; i++) {
        const struct timeline_message *m = &x->messages.items[i];
        json_uint(j, NULL, m->from);
        json_uint(j, NULL, m->sent);
        json_uint(j, NULL, m->to);
        json_uint(j, NULL, m->received);
    }
    json_end(j);
    json_array(j, "bands");
    for (size_t i = 0; i < x->bands.n; i++) {
        const struct timeline_member *members = &x->members.items[x->bands.items[i]];
        json_array(j, NULL);
        for (size_t m = 0; m < timeline_band_size(x, i); m++) {
            json_uint(j, NULL, members[m].line);
            json_uint(j, NULL, members[m].enter);
            json_uint(j, NULL, members[m].leave);
        }
        json_end(j);
    }
    json_end(j);
}

static void put_data(struct bytes *out, const struct timeline *t, const struct timeline_links *links,
                     const struct timeline_overlay *overlay, const struct timeline_texts *texts,
                     const char *title)
{
    struct json j = json_of(out);
    struct bytes text = {0};
    json_object(&j, NULL);
    json_string(&j, "title", title);
    timeline_about(t, &text);
    json_string_n(&j, "about", (const char *)text.data, text.n);
    text.n = 0;
    timeline_notes(t, &text);
    timeline_links_notes(links, &text);
    if (overlay && overlay->path_is_cut)
        text_put(&text, "The critical path changes ranks too often to be shown.\n");
    if (texts->missing > 0)
        text_printf(&text, "%" PRIu64 " calls are shown without arguments to keep the page small.\n",
                    texts->missing);
    json_string_n(&j, "notes", (const char *)text.data, text.n);
    json_uint(&j, "from", t->from);
    json_uint(&j, "begin", timeline_begin(t));
    json_uint(&j, "to", t->to);
    json_uint(&j, "span", t->span);
    put_kinds(&j, t);
    put_functions(&j, t);
    put_texts(&j, texts);
    put_lanes(&j, t);
    put_lines(&j, t, texts);
    put_regions(&j, t);
    put_links(&j, links);
    if (overlay)
        timeline_overlay_put(overlay, t, &j);
    json_object(&j, "bin");
    json_uint(&j, "from", t->bins.from);
    json_uint(&j, "width", UINT64_C(1) << t->bins.shift);
    json_uint(&j, "unit", SHARE_UNIT);
    json_end(&j);
    json_end(&j);
    out->failed = out->failed || text.failed;
    bytes_free(&text);
}

enum refrain_status timeline_html(const struct timeline *t, const struct timeline_links *links,
                                  const struct timeline_overlay *overlay, const struct definitions *d,
                                  struct bytes *out)
{
    const char *command = trace_meta(&t->reader->trace, "command"),
               *title = command ? command : t->reader->path;
    struct timeline_texts texts;
    struct bytes data = {0};
    enum refrain_status status = timeline_texts_create(&texts, t, d);
    if (status != REFRAIN_OK)
        return status;
    put_data(&data, t, links, overlay, &texts, title);
    html_page_put(&(struct html_page){.title = title,
                                      .css = timeline_page_css,
                                      .css_size = timeline_page_css_size,
                                      .js = timeline_page_js,
                                      .js_size = timeline_page_js_size,
                                      .data = &data},
                  out);
    bytes_free(&data);
    timeline_texts_free(&texts);
    return out->failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}
