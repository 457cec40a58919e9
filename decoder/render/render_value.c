/* SPDX-License-Identifier: BSD-3-Clause */
#include "render_impl.h"

#include "decoder/util/text.h"

#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

void value_step(struct value *v, const struct layout_item *item)
{
    const int64_t *end = item->slots + item->n_slots;
    v->slots += v->n;
    v->n = layout_value_slots((enum value_type)item->kind->type, v->slots, (uint32_t)(end - v->slots));
}

const char *render_name(const struct renderer *r, const struct kind *kind, int64_t value)
{
    return names_find(&r->of_kind[kind - r->reader->trace.functions.kinds.items], value);
}

const char *render_code(const struct renderer *r, int64_t code)
{
    if (code == ARRAY_NULL)
        return "NULL";
    if (code == ARRAY_UNUSED)
        return "unused";
    const char *name = names_find(&r->arrays, ARRAY_CODE - code);
    return name ? name : "unknown";
}

bool render_is_null(const struct renderer *r, const struct kind *kind, int64_t handle)
{
    static const char ending[] = "_NULL";
    const char *name = handle & 1 ? render_name(r, kind, handle >> 1) : NULL;
    const size_t n = name ? strlen(name) : 0;
    return n >= sizeof ending && strcmp(name + n - (sizeof ending - 1), ending) == 0;
}

bool render_string(struct renderer *r, struct value v)
{
    if (v.slots[0] < 0)
        return false;
    r->text.n = 0;
    for (uint64_t i = 0; i < (uint64_t)v.slots[0]; i++)
        bytes_put_u8(&r->text, (uint8_t)((uint64_t)v.slots[1 + i / 8] >> 8 * (i % 8)));
    return true;
}

static void put_integer(const char *name, int64_t v, struct bytes *out)
{
    if (name)
        text_put(out, name);
    else
        text_int(out, v);
}

/* Writes the names of the table's single bits and groups of bits, and the remaining bits in
 * hexadecimal. */
static void put_flags(const struct renderer *r, const char *set, int64_t v, struct bytes *out)
{
    const char *separator = "";
    int64_t rest = v;
    for (size_t i = 0; i < r->reader->trace.functions.constants.n; i++) {
        const struct constant *c = &r->reader->trace.functions.constants.items[i];
        if (c->value == 0 || (rest & c->value) != c->value || strcmp(c->set, set) != 0)
            continue;
        text_put(out, separator);
        text_put(out, c->name);
        separator = "|";
        rest &= ~c->value;
    }
    if (v == 0)
        text_putc(out, '0');
    else if (rest != 0)
        text_printf(out, "%s0x%" PRIx64, separator, (uint64_t)rest);
}

/* A communicator with a record has one number in the whole run. A handle of another thread of the
 * rank ends with that thread's number. */
static void put_handle(const struct renderer *r, uint32_t rank, const struct kind *kind, int64_t v,
                       struct bytes *out)
{
    const char *name = v & 1 ? render_name(r, kind, v >> 1) : NULL;
    if (name) {
        text_put(out, name);
        return;
    }
    if (v & 1) {
        text_put(out, "unknown");
        return;
    }
    text_put(out, kind->prefix);
    const int64_t lane = v >> HANDLE_LANE_SHIFT; /* 0: this thread; otherwise lane + 1 */
    if (lane > 0) {
        const int64_t thread = definitions_thread(r->definitions, rank, lane - 1);
        text_uint(out, ((uint64_t)v & ((UINT64_C(1) << HANDLE_LANE_SHIFT) - 1)) >> 1);
        text_putc(out, '@');
        if (thread < 0)
            text_putc(out, '?');
        text_int(out, thread < 0 ? lane - 1 : thread);
        return;
    }
    const bool run_wide = strcmp(kind->prefix, "comm") == 0;
    const struct member *member = run_wide ? definitions_member(r->definitions, rank, v >> 1) : NULL;
    if (run_wide && !member)
        text_putc(out, '?'); /* the rank's own number, which means nothing to other ranks */
    text_int(out, member ? member->number : v >> 1);
}

static void put_offset(int64_t offset, struct bytes *out)
{
    if (offset)
        text_printf(out, "%+" PRId64, offset);
}

/* Writes the name of a variable or function if the module's file has it, otherwise the module and
 * the offset. */
static void put_static(const struct renderer *r, uint32_t sum, uint64_t offset, struct bytes *out)
{
    const struct trace *t = &r->reader->trace;
    const char *name;
    uint64_t inside;
    uint32_t module = 0;
    while (module < t->modules.n &&
           (uint32_t)XXH64(t->modules.items[module], strlen(t->modules.items[module]), 0) != sum)
        module++;
    if (module == t->modules.n) {
        text_put(out, "ptr");
    } else if (symbols_find_object(r->symbols, module, offset, &name, &inside) != REFRAIN_OK) {
        out->failed = true;
    } else if (!name) {
        text_put_name(out, t->modules.items[module]);
        text_printf(out, "+0x%" PRIx64, offset);
    } else {
        text_printf(out, "&%s", name);
        put_offset((int64_t)inside, out);
    }
}

static void put_address(const struct renderer *r, const struct kind *kind, struct value v, struct bytes *out)
{
    static const char *const segments[ADDRESS_FORMS] = {[ADDRESS_HEAP] = "heap",
                                                        [ADDRESS_MAP] = "map",
                                                        [ADDRESS_MPI] = "mpimem",
                                                        [ADDRESS_WINDOW] = "winmem"};
    const int64_t form = v.slots[0];
    const char *name;
    switch (v.n == layout_value_slots(VALUE_ADDRESS, v.slots, v.n) ? form : ADDRESS_UNKNOWN) {
    case ADDRESS_CONSTANT:
        name = render_name(r, kind, v.slots[1]);
        text_put(out, name ? name : "ptr");
        break;
    case ADDRESS_STACK:
        text_put(out, "stack");
        put_offset(v.slots[1], out);
        break;
    case ADDRESS_STATIC:
        put_static(r, (uint32_t)v.slots[1], (uint64_t)v.slots[2], out);
        break;
    case ADDRESS_HEAP:
    case ADDRESS_MAP:
    case ADDRESS_MPI:
    case ADDRESS_WINDOW:
        text_put(out, segments[form]);
        text_int(out, v.slots[1]);
        put_offset(v.slots[2], out);
        break;
    case ADDRESS_DEVICE:
        text_printf(out, "device%" PRId64 ".mem%" PRId64, v.slots[1], v.slots[2]);
        put_offset(v.slots[3], out);
        break;
    default:
        text_put(out, "ptr");
    }
}

static void put_status(const struct renderer *r, const int64_t *s, struct bytes *out)
{
    text_put(out, s[STATUS_FORM] & STATUS_IGNORED ? "ignored{" : "{");
    const bool partial = s[STATUS_FORM] & STATUS_PARTIAL;
    if (!partial) {
        text_put(out, "source=");
        put_integer(names_find(&r->ranks, s[STATUS_SOURCE]), s[STATUS_SOURCE], out);
        text_put(out, ", tag=");
        put_integer(names_find(&r->tags, s[STATUS_TAG]), s[STATUS_TAG], out);
        text_put(out, ", ");
    }
    text_put(out, "error=");
    put_integer(names_find(&r->errors, s[STATUS_ERROR]), s[STATUS_ERROR], out);
    if (!partial) {
        text_put(out, ", bytes=");
        text_int(out, s[STATUS_BYTES]);
    }
    if (s[STATUS_CANCELLED])
        text_put(out, ", cancelled=1");
    text_putc(out, '}');
}

static void put_string(struct renderer *r, struct value v, struct bytes *out)
{
    if (render_string(r, v))
        text_quote_c(out, (const char *)r->text.data, r->text.n);
    else
        text_put(out, render_code(r, v.slots[0]));
}

static void separate(bool *first, struct bytes *out)
{
    if (first && !*first)
        text_put(out, ", ");
    if (first)
        *first = false;
}

/* In an array, the strings stand among those of the other elements, without brackets of their
 * own. */
static void put_strings(struct renderer *r, struct value v, bool *first, struct bytes *out)
{
    bool own_first = true;
    if (v.slots[0] < 0) {
        separate(first, out);
        text_put(out, render_code(r, v.slots[0]));
        return;
    }
    if (!first)
        text_putc(out, '[');
    struct value s = {.slots = v.slots + 1};
    const int64_t *end = v.slots + v.n;
    for (int64_t i = 0; i < v.slots[0]; i++) {
        s.slots += s.n;
        s.n = layout_value_slots(VALUE_STRING, s.slots, (uint32_t)(end - s.slots));
        separate(first ? first : &own_first, out);
        put_string(r, s, out);
    }
    if (!first)
        text_putc(out, ']');
}

void render_value(struct renderer *r, uint32_t rank, const struct kind *kind, struct value v, bool *first,
                  struct bytes *out)
{
    double real;
    if (kind->type != VALUE_STRINGS)
        separate(first, out);
    switch ((enum value_type)kind->type) {
    case VALUE_INT:
        put_integer(render_name(r, kind, v.slots[0]), v.slots[0], out);
        break;
    case VALUE_FLAGS:
        put_flags(r, kind->set, v.slots[0], out);
        break;
    case VALUE_REAL:
        memcpy(&real, v.slots, sizeof real);
        text_real(out, real);
        break;
    case VALUE_HANDLE:
        put_handle(r, rank, kind, v.slots[0], out);
        break;
    case VALUE_ADDRESS:
        put_address(r, kind, v, out);
        break;
    case VALUE_STRING:
        put_string(r, v, out);
        break;
    case VALUE_STRINGS:
        put_strings(r, v, first, out);
        break;
    case VALUE_STATUS:
        put_status(r, v.slots, out);
        break;
    case VALUE_TYPES:
        break;
    }
}
