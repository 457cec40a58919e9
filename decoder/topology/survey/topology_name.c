/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology_name.h"

#include "decoder/util/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

void topology_put_name(const struct topology *t, struct bytes *out)
{
    if (!t->found) {
        text_put(out, "no regular topology");
        return;
    }
    if (!t->exact)
        text_put(out, t->given ? "as given: " : "almost: ");
    candidate_put_name(&t->best, out);
    if (t->n_holes > 0)
        text_printf(out, " with %u hole%s", t->n_holes, t->n_holes > 1 ? "s" : "");
}

double topology_share(uint64_t part, uint64_t all)
{
    assert(part <= all);
    return all > 0 ? (double)part / (double)all : 1.0;
}

/* Writes one digit after the point, or more if the value would look like 0 % or 100 %. */
static void put_percent(uint64_t part, uint64_t all, struct bytes *out)
{
    char text[32];
    const double percent = 100 * topology_share(part, all);
    const bool whole = percent == 0 || percent == 100;
    int digits = !whole;
    do {
        snprintf(text, sizeof text, "%.*f", digits++, percent);
    } while (!whole && digits < 16 && (strtod(text, NULL) == 0 || strtod(text, NULL) == 100));
    text_put(out, text);
}

void topology_put_shares(const struct traffic_sum *part, const struct traffic_sum *all, struct bytes *out)
{
    put_percent(part->messages, all->messages, out);
    text_put(out, " % of the messages");
    if (all->bytes == 0)
        return;
    text_put(out, ", ");
    put_percent(part->bytes, all->bytes, out);
    text_put(out, " % of the bytes");
}

void component_names_free(struct component_names *p)
{
    text_table_free(&p->names);
    array_free(&p->of);
}

enum refrain_status component_names_find(struct component_names *p, const struct survey *s)
{
    struct bytes name = {0};
    enum refrain_status status = REFRAIN_OK;
    *p = (struct component_names){0};
    for (size_t i = 0; i < s->components.n && status == REFRAIN_OK; i++) {
        uint32_t number;
        name.n = 0;
        topology_put_name(&s->components.items[i].topology, &name);
        status = name.failed ? REFRAIN_ERR_MEMORY : text_table_intern(&p->names, name.data, name.n, &number);
        if (status == REFRAIN_OK && !array_push(&p->of, number))
            status = REFRAIN_ERR_MEMORY;
    }
    bytes_free(&name);
    return status;
}

size_t component_names_put_count(const struct component_names *p, uint32_t number, struct bytes *out)
{
    size_t n = 0;
    for (size_t i = 0; i < p->of.n; i++)
        n += p->of.items[i] == number;
    text_printf(out, "%zu of %.*s", n, (int)p->names.items.items[number].n, text_table_at(&p->names, number));
    return n;
}

enum refrain_status topology_put_summary(const struct survey *s, struct bytes *out)
{
    struct component_names components;
    enum refrain_status status = component_names_find(&components, s);
    if (s->components.n == 0)
        text_put(out, "none");
    else if (s->components.n == 1)
        topology_put_name(&s->components.items[0].topology, out);
    for (uint32_t number = 0;
         s->components.n > 1 && number < components.names.items.n && status == REFRAIN_OK; number++) {
        text_put(out, number > 0 ? ", " : "");
        component_names_put_count(&components, number, out);
    }
    component_names_free(&components);
    return status == REFRAIN_OK && out->failed ? REFRAIN_ERR_MEMORY : status;
}
