/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_difference.h"

#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* ---- places ---------------------------------------------------------------------------------- */

/* "exchange", of a function that is an address only "app": another build has others. */
static void put_function(const char *name, struct bytes *out)
{
    const char *offset = strstr(name, "+0x");
    bytes_put(out, name, offset ? (size_t)(offset - name) : strlen(name));
}

static void put_place(const struct report *r, uint32_t site, struct bytes *out)
{
    if (site == COSTS_COMPUTING) {
        text_put(out, "computation");
        return;
    }
    const struct call_paths *p = &r->paths;
    const struct call_path *path = &p->items.items[p->of_site[site]];
    text_put(out, reader_function(r->reader, site));
    if (path->parent != MAP_NONE && path->parent != 0) {
        text_put(out, " in ");
        put_function(text_table_at(&p->functions, p->items.items[path->parent].function), out);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static enum refrain_status add(struct run_difference *c, int run, const struct cost *cost,
                               struct bytes *place)
{
    const struct report *r = c->runs[run];
    uint32_t number;
    place->n = 0;
    put_place(r, cost->site, place);
    bytes_put_u8(place, '\0');
    if (place->failed)
        return REFRAIN_ERR_MEMORY;
    const enum refrain_status status = text_table_intern(&c->places, place->data, place->n, &number);
    if (status != REFRAIN_OK)
        return status;
    const struct run_difference_row none = {.place = number};
    if (number == c->rows.n && !array_push(&c->rows, none))
        return REFRAIN_ERR_MEMORY;
    struct run_difference_side *side = &c->rows.items[number].of[run];
    side->there = true;
    side->time += costs_mean(&r->costs, cost);
    side->calls += cost->calls;
    return REFRAIN_OK;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static int by_change(const void *a, const void *b)
{
    const struct run_difference_row *x = a, *y = b;
    const uint64_t times[] = {distance(x->of[0].time, x->of[1].time), distance(y->of[0].time, y->of[1].time)};
    const uint64_t calls[] = {distance(x->of[0].calls, x->of[1].calls),
                              distance(y->of[0].calls, y->of[1].calls)};
    if (times[0] != times[1])
        return times[0] > times[1] ? -1 : 1;
    if (calls[0] != calls[1])
        return calls[0] > calls[1] ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

enum refrain_status run_difference_create(struct run_difference *c, const struct report *a,
                                          const struct report *b)
{
    enum refrain_status status = REFRAIN_OK;
    struct bytes place = {0};
    *c = (struct run_difference){.runs = {a, b}};
    for (int run = 0; run < 2; run++) {
        const struct costs *costs = &c->runs[run]->costs;
        for (size_t i = 0; i < costs->items.n && status == REFRAIN_OK; i++)
            status = add(c, run, &costs->items.items[i], &place);
    }
    bytes_free(&place);
    if (status != REFRAIN_OK) {
        log_error("out of memory: %zu rows", c->rows.n);
        run_difference_free(c);
        return status;
    }
    if (c->rows.n > 0)
        qsort(c->rows.items, c->rows.n, sizeof *c->rows.items, by_change);
    return REFRAIN_OK;
}

void run_difference_free(struct run_difference *c)
{
    array_free(&c->rows);
    text_table_free(&c->places);
    *c = (struct run_difference){0};
}
