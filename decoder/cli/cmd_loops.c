/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain loops: shows the calls of each rank as nested loops (refrain-loops(1)). */
#include "commands.h"

#include "decoder/loops/loop_text.h"
#include "decoder/util/text.h"
#include "loop_source.h"
#include "src/core/base/log.h"
#include "world_select.h"

#include <stdlib.h>

static int by_position(const void *a, const void *b)
{
    const struct member *x = *(const struct member *const *)a, *y = *(const struct member *const *)b;
    if (x->second != y->second)
        return x->second ? 1 : -1;
    return x->rank_in_comm < y->rank_in_comm ? -1 : x->rank_in_comm > y->rank_in_comm;
}

/* Returns the members of a communicator that the trace contains, in their order. Returns NULL if
 * memory is short. */
static uint32_t *members_of(const struct definitions *d, uint32_t number, size_t *n)
{
    const struct member **found = malloc((d->members.n + 1) * sizeof *found);
    uint32_t *ranks = malloc((d->members.n + 1) * sizeof *ranks);
    size_t all = 0;
    *n = 0;
    if (!found || !ranks) {
        log_error("out of memory: %zu members", d->members.n);
        free(ranks);
        ranks = NULL;
    }
    for (size_t i = 0; ranks && i < d->members.n; i++) {
        if (d->members.items[i].number == number)
            found[all++] = &d->members.items[i];
    }
    if (all > 0)
        qsort(found, all, sizeof *found, by_position);
    /* A rank with several handles of the communicator is one member. */
    for (size_t i = 0; i < all; i++) {
        if (i == 0 || by_position(&found[i - 1], &found[i]) != 0)
            ranks[(*n)++] = found[i]->rank;
    }
    free(found);
    return ranks;
}

static enum refrain_status put_communicators(const struct loop_source *p, struct json *json,
                                             struct output *out)
{
    enum refrain_status status = REFRAIN_OK;
    if (json)
        json_array(json, "communicators");
    for (size_t i = 0; i < p->communicators.n && status == REFRAIN_OK; i++) {
        const uint32_t number = p->communicators.items[i];
        size_t n;
        uint32_t *ranks = members_of(&p->definitions, number, &n);
        if (!ranks)
            return REFRAIN_ERR_MEMORY;
        if (json) {
            json_object(json, NULL);
            json_uint(json, "number", number);
            json_array(json, "ranks");
            for (size_t k = 0; k < n; k++)
                json_uint(json, NULL, ranks[k]);
            json_end(json);
            json_end(json);
        } else {
            text_printf(&out->text, "# comm%u: ranks ", number);
            loop_put_ranks(ranks, n, &out->text);
            text_putc(&out->text, '\n');
        }
        free(ranks);
        status = output_drain(out);
    }
    if (json)
        json_end(json);
    return status;
}

static enum refrain_status put_models(const struct loop_source *p, const struct loop_notes *notes,
                                      bool as_json, struct output *out)
{
    struct json j = json_of(&out->text);
    if (as_json)
        json_object(&j, NULL);
    enum refrain_status status = put_communicators(p, as_json ? &j : NULL, out);
    if (as_json)
        json_array(&j, "models");
    for (size_t i = 0; i < p->groups.groups.n && status == REFRAIN_OK && !out->closed; i++) {
        if (!as_json && (i > 0 || p->communicators.n > 0))
            text_putc(&out->text, '\n');
        status =
            as_json ? loop_put_json(&p->groups, i, notes, &j, out) : loop_put_text(&p->groups, i, notes, out);
    }
    if (as_json) {
        json_end(&j);
        json_end(&j);
        text_putc(&out->text, '\n');
    }
    return status;
}

static enum refrain_status put_events(const struct loop_source *p, struct output *out)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < p->groups.members.n && status == REFRAIN_OK && !out->closed; i++)
        status = loop_put_events(&p->groups, &p->groups.members.items[i], out);
    return status;
}

/* With notes on their events. */
static enum refrain_status put_annotated(const struct loop_source *p, const struct options *o,
                                         struct output *out)
{
    const enum call_event_mode mode = options_has(o, OPTION_CALLS) ? CALL_EVENT_CALLS : CALL_EVENT_MESSAGES;
    struct reader reader;
    struct definitions definitions = {0};
    struct symbols symbols = {0};
    struct loop_notes notes = {0};
    enum refrain_status status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    status = definitions_read(&definitions, &reader);
    if (status == REFRAIN_OK)
        status = symbols_open(&symbols, &reader.trace, options_value(o, OPTION_MODULES));
    if (status == REFRAIN_OK)
        status = symbols_look_up_frames(&symbols);
    if (status == REFRAIN_OK)
        status = loop_notes_create(&notes, &p->groups, &reader, &definitions, &symbols, mode,
                                   loop_source_notes(o));
    if (status == REFRAIN_OK)
        status = put_models(p, &notes, options_has(o, OPTION_JSON), out);
    loop_notes_free(&notes);
    symbols_close(&symbols);
    definitions_free(&definitions);
    reader_close(&reader);
    return status;
}

/* Options that would have no effect. */
static enum refrain_status check(const struct options *o)
{
    if (options_has(o, OPTION_EXPAND) && loop_source_notes(o) != 0) {
        log_error("--expand prints events: leave out --sites, --sizes and --times");
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

enum refrain_status cmd_loops(const struct options *o)
{
    struct loop_source p = {.limited = !options_has(o, OPTION_EXPAND) && !options_has(o, OPTION_JSON)};
    struct output out = {0};
    enum refrain_status status = check(o);
    if (status == REFRAIN_OK)
        status = loop_source_read(&p, o);
    if (status == REFRAIN_OK) {
        status = options_has(o, OPTION_EXPAND) ? put_events(&p, &out)
                 : loop_source_notes(o) != 0   ? put_annotated(&p, o, &out)
                                               : put_models(&p, NULL, options_has(o, OPTION_JSON), &out);
        const enum refrain_status written = output_close(&out);
        status = status == REFRAIN_OK ? written : status;
    }
    loop_source_free(&p);
    return status;
}
