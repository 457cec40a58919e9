/* SPDX-License-Identifier: BSD-3-Clause */
/* Finished grammars as arrays. Each grammar is one block of memory, so a copy is a memcpy:
 *
 *     struct rules | items | length | first */
#include "rules.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "rules_impl.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#define LENGTH_MAX (UINT64_C(1) << 63) /* exclusive */

static struct rules *allocate(uint32_t n_rules, uint32_t n_items)
{
    size_t items = (size_t)n_items * sizeof(struct rules_item), lengths = (size_t)n_rules * sizeof(uint64_t);
    size_t firsts = ((size_t)n_rules + 1) * sizeof(uint32_t);
    struct rules *r = malloc(sizeof *r + items + lengths + firsts);

    if (!r) {
        log_error("no memory for %u rules of %u items", n_rules, n_items);
        return NULL;
    }
    r->n_rules = n_rules;
    r->items = (struct rules_item *)(r + 1);
    r->length = (uint64_t *)(r->items + n_items);
    r->first = (uint32_t *)(r->length + n_rules);
    return r;
}

void rules_free(struct rules *r)
{
    free(r);
}

/* first[n_rules] is the number of items. */
static struct rules *copy_arrays(uint32_t n_rules, const uint32_t *first, const struct rules_item *items)
{
    struct rules *r = allocate(n_rules, first[n_rules]);

    if (!r)
        return NULL;
    memcpy(r->first, first, ((size_t)n_rules + 1) * sizeof *first);
    if (first[n_rules] > 0)
        memcpy(r->items, items, first[n_rules] * sizeof *items);
    return r;
}

struct rules *rules_copy(const struct rules *r)
{
    struct rules *copy = copy_arrays(r->n_rules, r->first, r->items);

    if (copy)
        memcpy(copy->length, r->length, r->n_rules * sizeof *r->length);
    return copy;
}

enum refrain_status rules_measure(uint32_t n_rules, const uint32_t *first, const struct rules_item *items,
                                  uint64_t *length)
{
    for (uint32_t r = 0; r < n_rules; r++) {
        length[r] = 0;
        if (first[r] > first[r + 1]) {
            log_error("rule %u of %u ends before it begins", r, n_rules);
            return REFRAIN_ERR_FORMAT;
        }
        for (uint32_t i = first[r]; i < first[r + 1]; i++) {
            uint32_t symbol = items[i].symbol, rule = symbol & ~RULES_REF;
            uint64_t unit = 1;

            if (symbol & RULES_REF) {
                if (rule >= r || length[rule] == 0) {
                    log_error("rule %u of %u refers to rule %u, which is %s", r, n_rules, rule,
                              rule >= r ? "not an earlier one" : "empty");
                    return REFRAIN_ERR_FORMAT;
                }
                unit = length[rule];
            }
            if (items[i].count == 0 || items[i].count > (LENGTH_MAX - 1 - length[r]) / unit) {
                log_error("rule %u of %u has a count of %llu that is %s", r, n_rules,
                          (unsigned long long)items[i].count,
                          items[i].count == 0 ? "not positive" : "too large");
                return REFRAIN_ERR_FORMAT;
            }
            length[r] += items[i].count * unit;
        }
    }
    return REFRAIN_OK;
}

enum refrain_status rules_create(uint32_t n_rules, const uint32_t *first, const struct rules_item *items,
                                 struct rules **out)
{
    struct rules *r;
    enum refrain_status status;

    if (n_rules == 0 || n_rules > RULES_REF || first[0] != 0) {
        log_error("a grammar of %u rules that begin at item %u", n_rules, n_rules ? first[0] : 0);
        return REFRAIN_ERR_FORMAT;
    }
    r = copy_arrays(n_rules, first, items);
    if (!r)
        return REFRAIN_ERR_MEMORY;
    status = rules_measure(n_rules, r->first, r->items, r->length);
    if (status != REFRAIN_OK) {
        rules_free(r);
        return status;
    }
    *out = r;
    return REFRAIN_OK;
}

uint64_t rules_length(const struct rules *r)
{
    assert(r->n_rules >= 1);
    return r->length[r->n_rules - 1];
}

bool rules_equal(const struct rules *a, const struct rules *b)
{
    if (a->n_rules != b->n_rules ||
        memcmp(a->first, b->first, ((size_t)a->n_rules + 1) * sizeof *a->first) != 0)
        return false;
    for (uint32_t i = 0; i < a->first[a->n_rules]; i++) {
        if (a->items[i].symbol != b->items[i].symbol || a->items[i].count != b->items[i].count)
            return false;
    }
    return true;
}

uint64_t rules_hash(const struct rules *r)
{
    uint64_t hash = mix(0, r->n_rules);

    for (uint32_t i = 1; i <= r->n_rules; i++)
        hash = mix(hash, r->first[i]);
    for (uint32_t i = 0; i < r->first[r->n_rules]; i++)
        hash = mix(mix(hash, r->items[i].symbol), r->items[i].count);
    return hash;
}

void rules_rename(struct rules *r, const uint32_t *to, uint32_t n_to)
{
    for (uint32_t i = 0; i < r->first[r->n_rules]; i++) {
        if (r->items[i].symbol < n_to)
            r->items[i].symbol = to[r->items[i].symbol];
    }
}

uint32_t rules_alphabet(const struct rules *r)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->first[r->n_rules]; i++) {
        if (!(r->items[i].symbol & RULES_REF) && r->items[i].symbol >= n)
            n = r->items[i].symbol + 1;
    }
    return n;
}

void rules_add_counts(const struct rules *r, uint64_t *times, uint64_t *counts, uint32_t n)
{
    for (uint32_t rule = r->n_rules; rule-- > 0;) {
        if (times[rule] == 0)
            continue;
        for (uint32_t i = r->first[rule]; i < r->first[rule + 1]; i++) {
            const struct rules_item *item = &r->items[i];

            if (item->symbol & RULES_REF)
                times[item->symbol & ~RULES_REF] += times[rule] * item->count;
            else if (item->symbol < n)
                counts[item->symbol] += times[rule] * item->count;
        }
    }
}

enum refrain_status rules_count(const struct rules *r, uint64_t *counts, uint32_t n)
{
    uint64_t *times = calloc(r->n_rules, sizeof *times);

    if (!times) {
        log_error("no memory to count the symbols of %u rules", r->n_rules);
        return REFRAIN_ERR_MEMORY;
    }
    memset(counts, 0, n * sizeof *counts);
    times[r->n_rules - 1] = 1;
    rules_add_counts(r, times, counts, n);
    free(times);
    return REFRAIN_OK;
}
