/* SPDX-License-Identifier: BSD-3-Clause */
/* The complete difference:
 *
 *     "runs":[{"label":"A","files":["old.refrain"],"ranks":4,"threads":4},{"label":"B", …}],
 *     "scaling":{"kind":"strong","growth":1.02,"threads":2,"speed_up":1.7,"efficiency":0.85},
 *     "words":["B takes 1.2 s, …", …],
 *     "run":[{"key":"run","what":"run, without MPI_Init","unit":"seconds","a":2.6,"b":1.2,
 *             "change":-1.4,"relative":-0.54}, …],
 *     "sites":[{"place":"MPI_Recv exchange (halo.c:35)","was_line":31,"at":2,
 *               "time":{"a":1.8,"b":0.3,"change":-1.5,"relative":-0.84},
 *               "waiting":{ … },"calls":{ … },"sent":{ … },"received":{ … }}, …],
 *     "functions":[ … ],"regions":[ … ],
 *     "model":[{"a":"for i0 = 1 to 10","b":"for i0 = 1 to 20","same":false}, …]
 *
 * `at` is the number of the place in the last run, which is its row in refrain report; of one group, `runs`
 * says how many runs have it. The value of a group of several runs is their mean, with "deviation_a" and, for
 * a change, "noise". A value that a group does not have is null. If the numbers of threads differ, a time also
 * has "ideal" and "lost".
 * `model` has the lines that differ and some around them (line_pairs.h), null if there are too many. A pair
 * without "a" or "b" is in one model alone; "gap":true follows lines that are left out. */
#include "run_difference.h"

#include "report_words.h"

#include <ctype.h>

static const char *const units[] = {
    [UNIT_NUMBER] = "", [UNIT_BYTES] = "bytes", [UNIT_SECONDS] = "seconds", [UNIT_SHARE] = "share"};

/* Returns "b", "deviation_b". */
static const char *key_of(const char *before, size_t group, struct bytes *key)
{
    key->n = 0;
    for (const char *c = before; *c; c++)
        bytes_put_u8(key, (uint8_t)*c);
    const size_t label = key->n;
    run_difference_put_label(group, key);
    bytes_put_u8(key, '\0');
    if (key->failed)
        return "";
    key->data[label] = (uint8_t)tolower(key->data[label]);
    return (const char *)key->data;
}

static void put_spread(size_t group, bool known, const struct run_spread *s, struct bytes *key,
                       struct json *j)
{
    if (!known) {
        json_null(j, key_of("", group, key));
        return;
    }
    json_real(j, key_of("", group, key), s->mean);
    if (s->n > 1)
        json_real(j, key_of("deviation_", group, key), s->deviation);
}

static void put_change(const struct run_difference *d, const struct run_change *c, struct json *j)
{
    if (d->n_groups == 1)
        return;
    if (!c->known) {
        json_null(j, "change");
        json_null(j, "relative");
        return;
    }
    json_real(j, "change", c->to - c->from);
    if (c->from > 0)
        json_real(j, "relative", (c->to - c->from) / c->from);
    else
        json_null(j, "relative");
    if (c->has_noise)
        json_real(j, "noise", c->noise);
}

static void put_runs(const struct run_difference *d, struct bytes *text, struct json *j)
{
    json_array(j, "runs");
    for (size_t group = 0; group < d->n_groups; group++) {
        json_object(j, NULL);
        run_difference_put_label(group, text);
        report_json_text(j, "label", text);
        json_array(j, "files");
        for (size_t run = d->groups[group]; run < d->groups[group + 1]; run++)
            json_string(j, NULL, d->runs[run].file);
        json_end(j);
        json_uint(j, "ranks", d->runs[d->groups[group]].ranks);
        json_uint(j, "threads", d->runs[d->groups[group]].threads);
        json_end(j);
    }
    json_end(j);
}

static void put_scaling(const struct run_difference *d, struct json *j)
{
    static const char *const kinds[] = {
        [SCALING_STRONG] = "strong", [SCALING_WEAK] = "weak", [SCALING_NEITHER] = "neither"};
    const struct run_change run = run_difference_fact_change(d, FACT_RUN);
    const double threads = run_difference_threads(d);
    if (d->scaling == SCALING_NONE)
        return;
    json_object(j, "scaling");
    json_string(j, "kind", kinds[d->scaling]);
    json_real(j, "growth", d->growth);
    json_real(j, "threads", threads);
    if (run.known) {
        json_real(j, "speed_up", run.from / run.to * (d->scaling == SCALING_WEAK ? threads : 1));
        json_real(j, "efficiency", run.from / run.to / (d->scaling == SCALING_WEAK ? 1 : threads));
    }
    json_end(j);
}

static void put_facts(const struct run_difference *d, struct bytes *key, struct json *j)
{
    json_array(j, "run");
    for (int fact = 0; fact < FACTS; fact++) {
        const struct run_change change = run_difference_fact_change(d, (enum run_fact)fact);
        json_object(j, NULL);
        json_string(j, "key", run_facts[fact].key);
        json_string(j, "what", run_facts[fact].what);
        json_string(j, "unit", units[run_facts[fact].unit]);
        for (size_t group = 0; group < d->n_groups; group++) {
            struct run_spread s;
            const bool known = run_difference_fact(d, (enum run_fact)fact, group, &s);
            put_spread(group, known, &s, key, j);
        }
        put_change(d, &change, j);
        json_end(j);
    }
    json_end(j);
}

static void put_row(const struct run_difference *d, enum run_places kind,
                    const struct run_difference_row *row, struct bytes *key, struct json *j)
{
    const struct run_place *moved, *last = run_difference_of_run(d, kind, row, d->n_runs - 1);
    json_object(j, NULL);
    json_string(j, "place", run_difference_name(d, kind, row, &moved));
    if (moved)
        json_uint(j, "was_line", moved->line);
    if (d->n_groups == 1)
        json_uint(j, "runs", run_difference_runs(d, kind, row));
    if (last)
        json_uint(j, "at", (uint64_t)(last - d->runs[d->n_runs - 1].places[kind].items.items));
    for (int value = 0; value < PLACE_VALUES; value++) {
        const struct run_change change = run_difference_change(d, kind, row, (enum place_value)value);
        json_object(j, place_values[value].key);
        for (size_t group = 0; group < d->n_groups; group++) {
            struct run_spread s;
            const bool known = run_difference_value(d, kind, row, (enum place_value)value, group, &s);
            put_spread(group, known, &s, key, j);
        }
        put_change(d, &change, j);
        if (value == PLACE_TIME && d->scaling != SCALING_NONE && change.known) {
            json_real(j, "ideal", run_difference_ideal(d, change.from));
            json_real(j, "lost", change.to - run_difference_ideal(d, change.from));
        }
        json_end(j);
    }
    json_end(j);
}

static void put_model(const struct run_difference *d, struct json *j)
{
    bool gap = false;
    if (!d->has_models)
        return;
    if (d->model.too_many) {
        json_null(j, "model");
        return;
    }
    json_array(j, "model");
    for (size_t i = 0; i < d->model.items.n; i++) {
        const struct line_pair *p = &d->model.items.items[i];
        gap = gap || !p->shown;
        if (!p->shown)
            continue;
        json_object(j, NULL);
        if (p->a.text)
            json_string_n(j, "a", p->a.text, p->a.n);
        if (p->b.text)
            json_string_n(j, "b", p->b.text, p->b.n);
        json_bool(j, "same", p->same);
        if (gap)
            json_bool(j, "gap", true);
        json_end(j);
        gap = false;
    }
    json_end(j);
}

enum refrain_status run_difference_put_json(const struct run_difference *d, struct json *j)
{
    struct bytes text = {0};
    enum { PLACES = 5 };
    put_runs(d, &text, j);
    put_scaling(d, j);
    run_difference_put_words(d, PLACES, &text);
    report_json_lines(j, "words", &text);
    put_facts(d, &text, j);
    for (int kind = 0; kind < PLACES_KINDS; kind++) {
        const struct run_difference_list *list = &d->lists[kind];
        json_array(j, run_places_keys[kind]);
        for (size_t i = 0; i < list->rows.n; i++)
            put_row(d, (enum run_places)kind, &list->rows.items[i], &text, j);
        json_end(j);
    }
    put_model(d, j);
    const bool failed = text.failed || j->out->failed;
    bytes_free(&text);
    return failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}
