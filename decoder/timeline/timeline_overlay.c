/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline_overlay.h"

void timeline_overlay_free(struct timeline_overlay *x)
{
    array_free(&x->path);
    array_free(&x->waits);
    array_free(&x->worst);
    bytes_free(&x->texts);
    *x = (struct timeline_overlay){0};
}

/* Lanes are sorted by rank, then by thread. Returns false if there is none. */
static bool find_line(const struct timeline *t, const struct timeline_stay *stay, uint32_t *line)
{
    size_t low = 0, high = t->lanes.n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const struct lane_ref *lane = &t->lanes.items[middle].ref;
        if (lane->rank < stay->rank || (lane->rank == stay->rank && lane->shape->number < stay->thread))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == t->lanes.n || t->lanes.items[low].ref.rank != stay->rank ||
        t->lanes.items[low].ref.shape->number != stay->thread)
        return false;
    *line = timeline_line(t, low);
    return true;
}

static void put_stay(uint32_t line, const struct timeline_stay *stay, struct json *j)
{
    json_uint(j, NULL, line);
    json_uint(j, NULL, stay->from);
    json_uint(j, NULL, stay->to);
}

static void put_stays(const char *key, const struct timeline_stay *stays, size_t n, const struct timeline *t,
                      struct json *j)
{
    uint32_t line;
    json_array(j, key);
    for (size_t i = 0; i < n; i++) {
        if (find_line(t, &stays[i], &line))
            put_stay(line, &stays[i], j);
    }
    json_end(j);
}

void timeline_overlay_put(const struct timeline_overlay *x, const struct timeline *t, struct json *j)
{
    uint32_t line;
    put_stays("path", x->path.items, x->path.n, t, j);
    put_stays("waits", x->waits.items, x->waits.n, t, j);
    json_array(j, "worst");
    for (size_t i = 0; i < x->worst.n; i++) {
        if (!find_line(t, &x->worst.items[i].stay, &line))
            continue;
        json_array(j, NULL);
        put_stay(line, &x->worst.items[i].stay, j);
        json_string(j, NULL, (const char *)x->texts.data + x->worst.items[i].text);
        json_end(j);
    }
    json_end(j);
}
