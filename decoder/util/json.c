/* SPDX-License-Identifier: BSD-3-Clause */
#include "json.h"

#include "text.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct json json_of(struct bytes *out)
{
    return (struct json){.out = out};
}

struct json json_inside(struct bytes *out)
{
    return (struct json){.out = out, .depth = 1, .comma = true};
}

/* Writes the comma and the key before a value. */
static void lead_in(struct json *j, const char *key)
{
    assert(j->depth == 0 || j->array[j->depth - 1] == !key);
    if (j->comma)
        text_putc(j->out, ',');
    j->comma = true;
    if (key) {
        text_quote_json(j->out, key, strlen(key));
        text_putc(j->out, ':');
    }
}

static void open_nest(struct json *j, const char *key, bool array)
{
    assert(j->depth < JSON_DEPTH_MAX);
    lead_in(j, key);
    text_putc(j->out, array ? '[' : '{');
    j->array[j->depth++] = array;
    j->comma = false;
}

void json_object(struct json *j, const char *key)
{
    open_nest(j, key, false);
}

void json_array(struct json *j, const char *key)
{
    open_nest(j, key, true);
}

void json_end(struct json *j)
{
    assert(j->depth > 0);
    text_putc(j->out, j->array[--j->depth] ? ']' : '}');
    j->comma = true;
}

void json_int(struct json *j, const char *key, int64_t v)
{
    lead_in(j, key);
    text_int(j->out, v);
}

void json_uint(struct json *j, const char *key, uint64_t v)
{
    lead_in(j, key);
    text_uint(j->out, v);
}

void json_real(struct json *j, const char *key, double v)
{
    if (!isfinite(v)) {
        json_null(j, key);
        return;
    }
    lead_in(j, key);
    text_real(j->out, v);
}

void json_bool(struct json *j, const char *key, bool v)
{
    lead_in(j, key);
    text_put(j->out, v ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
    lead_in(j, key);
    text_put(j->out, "null");
}

void json_string(struct json *j, const char *key, const char *s)
{
    json_string_n(j, key, s, strlen(s));
}

void json_string_n(struct json *j, const char *key, const char *s, size_t n)
{
    lead_in(j, key);
    text_quote_json(j->out, s, n);
}
