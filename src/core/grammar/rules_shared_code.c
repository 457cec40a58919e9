/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared rules as bytes. All numbers are varints:
 *
 *     n_rules, n_terminals
 *     for each rule:   n_items, and for each item
 *                          2 * s      symbol s once
 *                          2 * s + 1, count - 2
 *                      where s is a terminal, or n_terminals + how many rules lie between
 *                      this one and the one named
 *     n_roots, and for each root the signed difference to the root before it (at first: to 0)
 *
 *     rules  a^1 b^2 ; R0^9 c^1  (a, b, c = 0, 1, 2), root 1:     2 3 | 2 | 0 | 3 0 | 2 | 7 7 | 4 | 1 | 2 */
#include <stdlib.h>

#include "rules_impl.h"
#include "src/core/base/log.h"

static uint32_t terminals_of(const struct rules_shared *p)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->first[p->n_rules]; i++) {
        if (!(p->items[i].symbol & RULES_REF) && p->items[i].symbol >= n)
            n = p->items[i].symbol + 1;
    }
    return n;
}

void rules_shared_encode(const struct rules_shared *p, struct bytes *out)
{
    uint32_t terminals = terminals_of(p), previous = 0;

    bytes_put_uint(out, p->n_rules);
    bytes_put_uint(out, terminals);
    for (uint32_t r = 0; r < p->n_rules; r++) {
        bytes_put_uint(out, p->first[r + 1] - p->first[r]);
        for (uint32_t i = p->first[r]; i < p->first[r + 1]; i++) {
            uint64_t s = p->items[i].symbol;

            if (s & RULES_REF)
                s = (uint64_t)terminals + (r - 1 - (s & ~RULES_REF));
            bytes_put_uint(out, s << 1 | (p->items[i].count > 1));
            if (p->items[i].count > 1)
                bytes_put_uint(out, p->items[i].count - 2);
        }
    }
    bytes_put_uint(out, p->n_roots);
    for (uint32_t i = 0; i < p->n_roots; i++) {
        bytes_put_int(out, (int64_t)p->roots[i] - previous);
        previous = p->roots[i];
    }
}

/* One item of rule r; the references and counts are checked by rules_measure. */
static enum refrain_status decode_item(struct bytes_reader *in, uint64_t terminals, uint32_t r,
                                       struct rules_item *item)
{
    uint64_t v = bytes_get_uint(in), s = v >> 1;

    item->count = 1;
    if (v & 1) {
        uint64_t more = bytes_get_uint(in);

        if (more > UINT64_MAX - 2) {
            log_error("a count in rule %u is too large", r);
            return REFRAIN_ERR_FORMAT;
        }
        item->count = more + 2;
    }
    if (s < terminals) {
        item->symbol = (uint32_t)s;
    } else if (s - terminals < r) {
        item->symbol = RULES_REF | (uint32_t)(r - 1 - (s - terminals));
    } else {
        log_error("rule %u refers to a rule before the first one", r);
        return REFRAIN_ERR_FORMAT;
    }
    return REFRAIN_OK;
}

static enum refrain_status decode_rules(struct bytes_reader *in, struct rules_shared *p)
{
    size_t n = bytes_get_count(in, 1);
    uint64_t terminals = bytes_get_uint(in);
    ARRAY(struct rules_item) items = {0};
    enum refrain_status status = REFRAIN_OK;

    if (in->failed || n >= RULES_REF || terminals > RULES_REF) {
        log_error("a list of shared rules is cut off, or has too many rules or symbols");
        return REFRAIN_ERR_FORMAT;
    }
    p->first = calloc(n + 1, sizeof *p->first);
    if (!p->first) {
        log_error("no memory for %zu rules", n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t r = 0; r < n && status == REFRAIN_OK; r++) {
        size_t n_items = bytes_get_count(in, 1);

        if (in->failed || n_items > UINT32_MAX - items.n) {
            log_error("rule %u of %zu is cut off or too long", r, n);
            status = REFRAIN_ERR_FORMAT;
        } else if (!array_reserve(&items, n_items)) {
            status = REFRAIN_ERR_MEMORY;
        }
        for (size_t i = 0; i < n_items && status == REFRAIN_OK; i++)
            status = decode_item(in, terminals, r, &items.items[items.n++]);
        p->first[r + 1] = (uint32_t)items.n;
    }
    p->n_rules = (uint32_t)n;
    p->items = items.items;
    return status;
}

static enum refrain_status decode_roots(struct bytes_reader *in, struct rules_shared *p)
{
    size_t n = bytes_get_count(in, 1);
    int64_t root = 0;

    if (in->failed || n > UINT32_MAX) {
        log_error("the roots of shared rules are cut off");
        return REFRAIN_ERR_FORMAT;
    }
    p->roots = calloc(n > 0 ? n : 1, sizeof *p->roots);
    if (!p->roots) {
        log_error("no memory for %zu roots", n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        int64_t step = bytes_get_int(in);

        if (in->failed || step < -root || step >= (int64_t)p->n_rules - root) {
            log_error("root %zu of shared rules is cut off, or none of its %u rules", i, p->n_rules);
            return REFRAIN_ERR_FORMAT;
        }
        root += step;
        p->roots[i] = (uint32_t)root;
    }
    p->n_roots = (uint32_t)n;
    return REFRAIN_OK;
}

enum refrain_status rules_shared_decode(struct bytes_reader *in, struct rules_shared *out)
{
    struct rules_shared p = {0};
    uint64_t *length = NULL;
    enum refrain_status status = decode_rules(in, &p);

    if (status == REFRAIN_OK)
        status = decode_roots(in, &p);
    if (status == REFRAIN_OK && in->failed) {
        log_error("a list of shared rules is cut off");
        status = REFRAIN_ERR_FORMAT;
    }
    if (status != REFRAIN_OK)
        goto fail;
    length = malloc((p.n_rules + (size_t)1) * sizeof *length);
    if (!length) {
        log_error("no memory to check %u rules", p.n_rules);
        status = REFRAIN_ERR_MEMORY;
        goto fail;
    }
    status = rules_measure(p.n_rules, p.first, p.items, length);
    free(length);
    if (status != REFRAIN_OK)
        goto fail;
    *out = p;
    return REFRAIN_OK;
fail:
    rules_shared_free(&p);
    return status;
}
