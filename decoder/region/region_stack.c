/* SPDX-License-Identifier: BSD-3-Clause */
#include "region_stack.h"

#include "decoder/render/call_argument.h"
#include "decoder/util/text.h"
#include "rare_calls.h"

#include <assert.h>
#include <inttypes.h>

void region_stack_start(struct region_stack *s, const struct reader *r, const struct roles *roles,
                        struct text_table *names)
{
    *s = (struct region_stack){.reader = r, .roles = roles, .names = names};
}

void region_stack_stop(struct region_stack *s)
{
    array_free(&s->open);
    bytes_free(&s->text);
    *s = (struct region_stack){0};
}

/* ---- reading calls --------------------------------------------------------------------------- */

/* Returns false if the name is a null pointer. */
static bool read_name(struct region_stack *s, const struct call *call)
{
    s->text.n = 0;
    return rare_calls_text(s->reader, call, "name", &s->text);
}

static bool is_named(const struct region_open *region, uint32_t name)
{
    return !region->level && region->name == name;
}

static enum refrain_status intern(struct region_stack *s, uint32_t *name)
{
    return s->text.failed ? REFRAIN_ERR_MEMORY : text_table_intern(s->names, s->text.data, s->text.n, name);
}

static enum refrain_status look_at_begin(struct region_stack *s, const struct call *call,
                                         struct region_step *step)
{
    if (s->open.n >= REGION_DEPTH) {
        s->deep++;
        s->faults.deep++;
        return REFRAIN_OK;
    }
    step->begins = true;
    if (!read_name(s, call) || s->text.n == 0)
        text_put(&s->text, "(unnamed)");
    return intern(s, &step->region.name);
}

static void look_at_end(struct region_stack *s, const struct call *call, struct region_step *step)
{
    if (s->deep > 0) {
        s->deep--;
        return;
    }
    const bool any = !read_name(s, call);
    const uint32_t name = any ? 0 : text_table_find(s->names, s->text.data, s->text.n);
    size_t i = s->open.n;
    while (i > 0 && !(any ? !s->open.items[i - 1].level : is_named(&s->open.items[i - 1], name)))
        i--;
    step->ends = i > 0 ? s->open.n - i + 1 : 0;
    s->faults.unmatched += i == 0;
    s->faults.crossed += i > 0 ? step->ends - 1 : 0;
}

/* Ends the regions that are inside of the level's region. */
static enum refrain_status look_at_level(struct region_stack *s, const struct call *call,
                                         struct region_step *step)
{
    struct layout_item item;
    size_t i = s->open.n;
    if (!call_argument(s->reader, call, "level", &item) || item.slots[0] == 2)
        return REFRAIN_OK;
    while (i > 0 && !s->open.items[i - 1].level)
        i--;
    step->ends = i > 0 ? s->open.n - i + 1 : 0;
    s->faults.crossed += i > 0 ? step->ends - 1 : 0;
    if (item.slots[0] == 0 || item.slots[0] == 1)
        return REFRAIN_OK;
    step->begins = true;
    step->region.level = true;
    s->text.n = 0;
    text_printf(&s->text, "MPI_Pcontrol(%" PRId64 ")", item.slots[0]);
    return intern(s, &step->region.name);
}

enum refrain_status region_stack_look(struct region_stack *s, const struct call *call,
                                      struct region_step *step)
{
    assert(region_stack_concerns(s, call->function));
    const enum role_word word = s->roles->items[call->function].word;
    *step = (struct region_step){.region.call = call->index};
    if (word == WORD_REGION_BEGIN)
        return look_at_begin(s, call, step);
    if (word == WORD_REGION_LEVEL)
        return look_at_level(s, call, step);
    look_at_end(s, call, step);
    return s->text.failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

void region_stack_pop(struct region_stack *s)
{
    assert(s->open.n > 0);
    s->open.n--;
}

enum refrain_status region_stack_push(struct region_stack *s, const struct region_step *step, uint64_t enter)
{
    assert(step->begins && s->open.n < REGION_DEPTH);
    struct region_open region = step->region;
    region.enter = enter;
    return array_push(&s->open, region) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* ---- mistakes -------------------------------------------------------------------------------- */

void region_stack_note_end(struct region_stack *s)
{
    for (size_t i = 0; i < s->open.n; i++)
        s->faults.unended += !s->open.items[i].level;
}

void region_faults_add(struct region_faults *to, const struct region_faults *from)
{
    to->unmatched += from->unmatched;
    to->crossed += from->crossed;
    to->unended += from->unended;
    to->deep += from->deep;
}

void region_faults_put(const struct region_faults *f, struct bytes *out)
{
    const struct {
        uint64_t n;
        const char *what;
    } all[] = {{f->unended, "not ended"},
               {f->crossed, "ended with one around"},
               {f->unmatched, "ended that had not begun"},
               {f->deep, "too deep"}};
    bool some = false;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].n == 0)
            continue;
        text_printf(out, "%s%" PRIu64 " %s", some ? ", " : "Regions: ", all[i].n, all[i].what);
        some = true;
    }
    if (some)
        text_putc(out, '.');
}
