/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a call as a JSON object. Numbers are numbers; everything that docs/TEXT.md gives a name
 * or symbol is a string. */
#include "render_impl.h"

#include "decoder/trace/site.h"

#include <assert.h>
#include <string.h>

static void put_text_of(struct renderer *r, struct json *j, const char *key, uint32_t rank,
                        const struct kind *kind, struct value v)
{
    struct bytes text = {0};
    render_value(r, rank, kind, v, NULL, &text);
    json_string_n(j, key, (const char *)text.data, text.n);
    if (text.failed)
        j->out->failed = true;
    bytes_free(&text);
}

static void put_named(struct json *j, const char *key, const char *name, int64_t v)
{
    if (name)
        json_string(j, key, name);
    else
        json_int(j, key, v);
}

static void put_status(const struct renderer *r, struct json *j, const char *key, const int64_t *s)
{
    json_object(j, key);
    if (!(s[STATUS_FORM] & STATUS_PARTIAL)) {
        put_named(j, "source", names_find(&r->ranks, s[STATUS_SOURCE]), s[STATUS_SOURCE]);
        put_named(j, "tag", names_find(&r->tags, s[STATUS_TAG]), s[STATUS_TAG]);
    }
    put_named(j, "error", names_find(&r->errors, s[STATUS_ERROR]), s[STATUS_ERROR]);
    if (!(s[STATUS_FORM] & STATUS_PARTIAL))
        json_int(j, "bytes", s[STATUS_BYTES]);
    json_bool(j, "cancelled", s[STATUS_CANCELLED] != 0);
    json_bool(j, "ignored", s[STATUS_FORM] & STATUS_IGNORED);
    json_end(j);
}

static void put_string(struct renderer *r, struct json *j, const char *key, struct value v)
{
    if (render_string(r, v))
        json_string_n(j, key, (const char *)r->text.data, r->text.n);
    else
        json_string(j, key, render_code(r, v.slots[0]));
}

static void put_strings(struct renderer *r, struct json *j, const char *key, struct value v)
{
    if (v.slots[0] < 0) {
        json_string(j, key, render_code(r, v.slots[0]));
        return;
    }
    struct value s = {.slots = v.slots + 1};
    const int64_t *end = v.slots + v.n;
    json_array(j, key);
    for (int64_t i = 0; i < v.slots[0]; i++) {
        s.slots += s.n;
        s.n = layout_value_slots(VALUE_STRING, s.slots, (uint32_t)(end - s.slots));
        put_string(r, j, NULL, s);
    }
    json_end(j);
}

static void put_value(struct renderer *r, struct json *j, const char *key, uint32_t rank,
                      const struct kind *kind, struct value v)
{
    double real;
    switch ((enum value_type)kind->type) {
    case VALUE_INT:
        put_named(j, key, render_name(r, kind, v.slots[0]), v.slots[0]);
        break;
    case VALUE_REAL:
        memcpy(&real, v.slots, sizeof real);
        json_real(j, key, real);
        break;
    case VALUE_STRING:
        put_string(r, j, key, v);
        break;
    case VALUE_STRINGS:
        put_strings(r, j, key, v);
        break;
    case VALUE_STATUS:
        put_status(r, j, key, v.slots);
        break;
    default:
        put_text_of(r, j, key, rank, kind, v);
    }
}

static void put_item(struct renderer *r, struct json *j, const char *key, const struct call *call,
                     const struct layout_item *item)
{
    if (item->count < 0) {
        json_string(j, key, render_code(r, item->count));
        return;
    }
    const bool array = item->param && item->param->flags & PARAM_ARRAY;
    struct value v = {.slots = item->slots};
    if (array)
        json_array(j, key);
    for (int64_t i = 0; i < item->count; i++) {
        value_step(&v, item);
        const size_t at = j->out->n;
        const bool separated = j->comma;
        put_value(r, j, array ? NULL : key, call->rank, item->kind, v);
        render_note_hole(r, call, at, separated, array ? NULL : key, item->kind, v, NULL, j->out);
    }
    if (array)
        json_end(j);
}

static void put_param(struct renderer *r, struct json *j, const struct call *call, uint32_t p)
{
    const struct layout_item *before = &r->before[p], *after = &r->after[p];
    const char *name = r->function->params[p].name;
    if (before->kind && after->kind) {
        json_object(j, name);
        put_item(r, j, "before", call, before);
        put_item(r, j, "after", call, after);
        json_end(j);
    } else if (before->kind || after->kind) {
        put_item(r, j, name, call, before->kind ? before : after);
    } else {
        json_null(j, name);
    }
}

void render_hole_json(struct renderer *r, const struct call *call, const struct hole *hole, struct bytes *out)
{
    assert(hole->value.at <= call->n_slots && hole->value.n <= call->n_slots - hole->value.at);
    struct json j = json_of(out);
    j.comma = hole->separated;
    put_value(r, &j, hole->key, call->rank, hole->kind,
              (struct value){call->slots + hole->value.at, hole->value.n});
}

enum refrain_status render_rest_json(struct renderer *r, const struct call *call, struct bytes *out)
{
    enum refrain_status status = render_collect(r, call);
    if (status != REFRAIN_OK)
        return status;
    struct json j = json_inside(out);
    json_string(&j, "function", r->function->name);
    json_object(&j, "parameters");
    for (uint32_t p = 0; p < r->function->n_params; p++)
        put_param(r, &j, call, p);
    json_end(&j);
    if (r->result.kind)
        put_item(r, &j, "result", call, &r->result);
    else if (r->function->result > 0)
        json_null(&j, "result"); /* the call has not returned */
    site_put_json(&r->reader->trace, r->symbols, call->site, &j, "site");
    json_end(&j);
    return REFRAIN_OK;
}
