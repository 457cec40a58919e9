/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's own regions: "local region_begin sweep", "local MPI_Pcontrol 3". Names become
 * words, as in an event file: blanks become underscores. Digits at the end are a number, so that
 * step1, step2 … may become a loop. */
#include "call_event_impl.h"

#include "decoder/region/rare_calls.h"
#include "decoder/util/text.h"

#include <string.h>

enum { DIGITS_MOST = 18 };

/* Returns how many bytes at the end are a number that prints in the same form. */
static size_t number_at_end(const uint8_t *word, size_t n)
{
    size_t digits = 0;
    while (digits < n && word[n - 1 - digits] >= '0' && word[n - 1 - digits] <= '9')
        digits++;
    const bool leading = digits > 1 && word[n - digits] == '0';
    return digits > DIGITS_MOST || leading || (digits > 0 && digits < n && word[n - digits - 1] == '-')
               ? 0
               : digits;
}

static void put_name(struct event_draft *d, const uint8_t *name, size_t n)
{
    const size_t digits = number_at_end(name, n);
    int64_t number = 0;
    for (size_t i = 0; i < n - digits; i++)
        text_putc(&d->text, name[i] <= ' ' || name[i] == 0x7F ? '_' : (char)name[i]);
    for (size_t i = n - digits; i < n; i++)
        number = 10 * number + (name[i] - '0');
    if (digits > 0)
        event_draft_number(d, number);
}

static void put_level(struct call_view *v)
{
    struct event_draft *d = &v->source->draft;
    call_view_begin(v, "local MPI_Pcontrol");
    if (v->n_slots == 0)
        return;
    call_view_use(v, v->slots, 1, CALL_EVENT_NUMBER);
    event_draft_number(d, v->slots[0]);
}

enum refrain_status call_view_put_region(struct call_view *v, uint32_t function)
{
    struct event_draft *d = &v->source->draft;
    const struct call call = {.function = function, .slots = v->slots, .n_slots = v->n_slots};
    struct bytes name = {0};
    if (v->role->word == WORD_REGION_LEVEL) {
        put_level(v);
        return call_view_end(v);
    }
    call_view_begin(v, v->role->word == WORD_REGION_BEGIN ? "local region_begin" : "local region_end");
    if (!rare_calls_text(v->source->reader, &call, "name", &name) || name.n == 0)
        text_put(&name, "unnamed");
    put_name(d, name.data, name.failed ? 0 : name.n);
    d->failed = d->failed || name.failed;
    bytes_free(&name);
    const enum refrain_status status = call_view_end(v);
    d->failed = false;
    return status;
}
