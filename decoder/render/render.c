/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out a call and its text. The values are in render_value.c, JSON is in render_json.c. */
#include "render_impl.h"

#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum refrain_status renderer_create(struct renderer *r, const struct reader *reader,
                                    const struct definitions *d)
{
    const struct functable *table = &reader->trace.functions;
    uint32_t most = 0;
    for (size_t i = 0; i < table->functions.n; i++) {
        if (table->functions.items[i].n_params > most)
            most = table->functions.items[i].n_params;
    }
    *r = (struct renderer){.reader = reader, .definitions = d};
    r->before = calloc(most + (size_t)1, sizeof *r->before);
    r->after = calloc(most + (size_t)1, sizeof *r->after);
    r->of_kind = calloc(table->kinds.n + 1, sizeof *r->of_kind);
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    if (!r->before || !r->after || !r->of_kind)
        log_error("out of memory: %u parameters, %zu kinds", most, table->kinds.n);
    else
        status = names_create(&r->names, table);
    if (status != REFRAIN_OK) {
        renderer_free(r);
        return status;
    }
    for (size_t i = 0; i < table->kinds.n; i++)
        r->of_kind[i] = names_of(&r->names, table->kinds.items[i].set);
    r->arrays = names_of(&r->names, "ARRAY");
    r->ranks = names_of(&r->names, "RANK");
    r->tags = names_of(&r->names, "TAG");
    r->errors = names_of(&r->names, "ERROR_CODE");
    return REFRAIN_OK;
}

void renderer_free(struct renderer *r)
{
    free(r->before);
    free(r->after);
    free(r->of_kind);
    array_free(&r->holes);
    bytes_free(&r->text);
    names_free(&r->names);
    *r = (struct renderer){0};
}

enum refrain_status render_collect(struct renderer *r, const struct call *call)
{
    const struct functable *table = &r->reader->trace.functions;
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;

    r->function = &table->functions.items[call->function];
    memset(r->before, 0, r->function->n_params * sizeof *r->before);
    memset(r->after, 0, r->function->n_params * sizeof *r->after);
    r->result = (struct layout_item){0};
    layout_start(&layout, table, call->function, call->slots, call->n_slots);
    while (layout_next(&layout, &item, &status)) {
        if (!item.param)
            r->result = item;
        else
            (item.phase == LAYOUT_BEFORE ? r->before : r->after)[item.param - r->function->params] = item;
    }
    return status;
}

static bool any(const bool *flags, size_t n)
{
    return memchr(flags, true, n) != NULL;
}

void render_note_hole(struct renderer *r, const struct call *call, size_t at, bool separated, const char *key,
                      const struct kind *kind, struct value value, const struct value *after,
                      struct bytes *out)
{
    assert(at <= out->n);
    struct hole hole = {.at = at,
                        .end = out->n,
                        .kind = kind,
                        .key = key,
                        .value = {(uint32_t)(value.slots - call->slots), value.n},
                        .separated = separated};
    if (!r->varies)
        return;
    if (after)
        hole.after = (struct hole_slots){(uint32_t)(after->slots - call->slots), after->n};
    if (!any(r->varies + hole.value.at, hole.value.n) && !any(r->varies + hole.after.at, hole.after.n))
        return;
    if (!array_push(&r->holes, hole))
        out->failed = true;
}

/* Must the text show the value after the call, too? */
static bool changed(const struct renderer *r, const struct kind *kind, struct value before,
                    struct value after)
{
    if (after.n == before.n && memcmp(after.slots, before.slots, before.n * sizeof(int64_t)) == 0)
        return false;
    return kind->type != VALUE_HANDLE || !render_is_null(r, kind, after.slots[0]);
}

/* Writes one element of a parameter and, after an arrow, its value after the call. `after` may be
 * NULL. */
static void put_element(struct renderer *r, const struct call *call, const struct kind *kind,
                        struct value before, const struct value *after, bool *first, struct bytes *out)
{
    const size_t at = out->n;
    const bool separated = first && !*first;
    render_value(r, call->rank, kind, before, first, out);
    if (after && changed(r, kind, before, *after)) {
        text_put(out, "->");
        render_value(r, call->rank, kind, *after, NULL, out);
    }
    render_note_hole(r, call, at, separated, NULL, kind, before, after, out);
}

void render_hole_text(struct renderer *r, const struct call *call, const struct hole *hole, struct bytes *out)
{
    assert(hole->value.at <= call->n_slots && hole->value.n <= call->n_slots - hole->value.at);
    const struct value value = {call->slots + hole->value.at, hole->value.n};
    const struct value after = {call->slots + hole->after.at, hole->after.n};
    bool first = false;
    put_element(r, call, hole->kind, value, after.n > 0 ? &after : NULL, hole->separated ? &first : NULL,
                out);
}

static void put_items(struct renderer *r, const struct call *call, const struct layout_item *before,
                      const struct layout_item *after, struct bytes *out)
{
    const bool array = before->param && before->param->flags & PARAM_ARRAY;
    bool first = true;
    if (before->count < 0) {
        text_put(out, render_code(r, before->count));
        return;
    }
    if (array)
        text_putc(out, '[');
    struct value a = {.slots = before->slots}, b = {.slots = after ? after->slots : NULL};
    for (int64_t i = 0; i < before->count; i++) {
        value_step(&a, before);
        if (after)
            value_step(&b, after);
        put_element(r, call, before->kind, a, after ? &b : NULL, array ? &first : NULL, out);
    }
    if (array)
        text_putc(out, ']');
}

/* Writes a parameter's value before and after the call, element by element if both have the same
 * number of elements. */
static void put_param(struct renderer *r, const struct call *call, uint32_t p, struct bytes *out)
{
    const struct layout_item *before = &r->before[p], *after = &r->after[p];
    if (!before->kind && !after->kind) {
        text_putc(out, '?');
    } else if (!before->kind || !after->kind) {
        put_items(r, call, before->kind ? before : after, NULL, out);
    } else if (before->count == after->count) {
        put_items(r, call, before, after, out);
    } else {
        put_items(r, call, before, NULL, out);
        text_put(out, "->");
        put_items(r, call, after, NULL, out);
    }
}

enum refrain_status render_argument(struct renderer *r, const struct call *call, const char *name,
                                    struct bytes *out)
{
    enum refrain_status status = render_collect(r, call);
    for (uint32_t p = 0; status == REFRAIN_OK && p < r->function->n_params; p++) {
        if (strcmp(r->function->params[p].name, name) == 0)
            put_param(r, call, p, out);
    }
    return status;
}

static void put_call(struct renderer *r, const struct call *call, struct bytes *out)
{
    text_put(out, r->function->name);
    text_putc(out, '(');
    for (uint32_t p = 0; p < r->function->n_params; p++) {
        if (p > 0)
            text_put(out, ", ");
        text_put(out, r->function->params[p].name);
        text_putc(out, '=');
        put_param(r, call, p, out);
    }
    text_putc(out, ')');
    if (r->result.kind) {
        text_put(out, " = ");
        put_items(r, call, &r->result, NULL, out);
    } else if (r->function->result > 0) {
        text_put(out, " = ?"); /* the call has not returned */
    }
}

enum refrain_status render_call(struct renderer *r, const struct call *call, struct bytes *out)
{
    enum refrain_status status = render_collect(r, call);
    if (status == REFRAIN_OK)
        put_call(r, call, out);
    return status;
}

void render_head(enum render_format format, uint32_t rank, uint32_t thread, struct bytes *out)
{
    text_put(out, format == RENDER_JSON ? "{\"rank\":" : "");
    text_uint(out, rank);
    if (thread > 0) {
        text_put(out, format == RENDER_JSON ? ",\"thread\":" : ".");
        text_uint(out, thread);
    }
    text_put(out, format == RENDER_JSON ? ",\"call\":" : "  ");
}

enum refrain_status render_rest(struct renderer *r, enum render_format format, const struct call *call,
                                struct bytes *out)
{
    if (format == RENDER_JSON)
        return render_rest_json(r, call, out);
    enum refrain_status status = render_collect(r, call);
    if (status != REFRAIN_OK)
        return status;
    text_put(out, "  ");
    put_call(r, call, out);
    if (r->callsites) {
        text_put(out, "  at ");
        site_put_text(&r->reader->trace, r->symbols, call->site, out);
    }
    return REFRAIN_OK;
}

enum refrain_status render_line(struct renderer *r, enum render_format format, const struct call *call,
                                struct bytes *out)
{
    const size_t before = out->n;
    render_head(format, call->rank, call->thread, out);
    text_uint(out, call->index);
    enum refrain_status status = render_rest(r, format, call, out);
    if (status != REFRAIN_OK)
        out->n = before;
    return status;
}
