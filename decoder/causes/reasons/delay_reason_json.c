/* SPDX-License-Identifier: BSD-3-Clause */
#include "chain_start.h"
#include "delay_reason_text.h"

#include "decoder/causes/delays_text.h"

static const char *const kinds[] = {[REASON_LONGER] = "longer",
                                    [REASON_ALTERNATES] = "alternates",
                                    [REASON_SERIALIZED] = "serialized",
                                    [REASON_TRANSFER] = "transfer"};

static void put_places_json(const struct reason *r, const struct reason_text *t, struct json *j)
{
    json_array(j, "places");
    for (size_t i = 0; i < r->n_places; i++) {
        json_object(j, NULL);
        delay_place_put_json(t->view, &r->places[i], j);
        json_end(j);
    }
    json_end(j);
}

/* A member of the open object: the late ranks. */
static void put_late_json(const struct reason_text *t, const struct reason *r, struct json *j)
{
    const struct wait_lanes *lanes = &t->view->search->lanes;
    uint64_t last = UINT64_MAX;
    json_array(j, "late_ranks");
    for (size_t i = 0; i < lanes->n; i++) {
        if (!r->lanes.are[i] || lanes->items[i].rank == last)
            continue;
        last = lanes->items[i].rank;
        json_uint(j, NULL, last);
    }
    json_end(j);
}

/* Members of the open object. */
static void put_members(const struct reasons *r, size_t number, const struct reason_text *t, struct json *j)
{
    const struct reason *this = &r->items[number];
    struct chain_start start;
    json_string(j, "kind", kinds[this->kind]);
    json_real(j, "explains", this->explains);
    if (t->request->joins)
        put_places_json(this, t, j);
    else
        delay_place_put_json(t->view, this->places, j);
    if (this->kind == REASON_LONGER)
        put_late_json(t, this, j);
    if (this->kind == REASON_SERIALIZED &&
        chain_find_start(t->view->search, this->places, t->request->by_lane, &start))
        chain_put_start_json(t->view, &start, j);
    if (!t->removal || t->removal->run == 0 || t->removal->without[number] == 0)
        return;
    json_real(j, "run_seconds", (double)t->removal->run * 1e-9);
    json_real(j, "without_seconds", (double)t->removal->without[number] * 1e-9);
    if (this->kind == REASON_TRANSFER)
        json_real(j, "instant_seconds", (double)t->removal->instant[number] * 1e-9);
    if (number == 0 && t->removal->without_barrier > 0)
        json_real(j, "without_barrier_seconds", (double)t->removal->without_barrier * 1e-9);
}

void reasons_put_json(const struct reasons *r, const struct reason_text *t, struct json *j)
{
    if (r->n > 0) {
        json_object(j, "because");
        put_members(r, 0, t, j);
        json_end(j);
    } else {
        json_null(j, "because");
    }
    json_array(j, "also");
    for (size_t i = 1; i < r->n; i++) {
        json_object(j, NULL);
        put_members(r, i, t, j);
        json_end(j);
    }
    json_end(j);
}

void reasons_put_main_json(const struct reasons *r, const struct reason_text *t, struct json *j)
{
    const struct removal *removal = t->removal && t->removal->run > 0 ? t->removal : NULL;
    size_t order[REASONS_MOST];
    reasons_sort(r, removal, order);
    json_array(j, "reasons");
    for (size_t i = 0; i < r->n; i++) {
        json_object(j, NULL);
        put_members(r, order[i], t, j);
        json_end(j);
    }
    json_end(j);
}
