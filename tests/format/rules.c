/* SPDX-License-Identifier: BSD-3-Clause */
/* Section 6: sequences as rules. Nothing is expanded: terminal number i is found by binary
 * search. */
#include "steps.h"

#include <stdlib.h>

/* Returns a + b × c, a length that must be below 2^63. */
uint64_t lengthen(const struct input *in, uint64_t a, uint64_t b, uint64_t c)
{
    refuse_if(in, c != 0 && b > (LENGTH_MAX - a) / c, "an expansion is too long");
    return a + b * c;
}

uint64_t rule_length(const struct rule *rule)
{
    return rule->n ? rule->ends[rule->n - 1] : 0;
}

void read_pool(struct trace *t, unsigned number, struct pool *p)
{
    struct input *in = section(t, number);
    if (!in)
        return;
    size_t n_rules = get_count(in, 1);
    p->rules = zeroed(n_rules, sizeof *p->rules);
    p->n_terminals = get_uint(in);
    for (; p->n_rules < n_rules; p->n_rules++) {
        struct rule *rule = &p->rules[p->n_rules];
        size_t n = get_count(in, 1);
        rule->items = zeroed(n, sizeof *rule->items);
        rule->ends = zeroed(n, sizeof *rule->ends);
        for (; rule->n < n; rule->n++) {
            struct power *item = &rule->items[rule->n];
            uint64_t v = get_uint(in), s = v >> 1, length = 1;
            item->terminal = s;
            if (s >= p->n_terminals) {
                refuse_if(in, s - p->n_terminals >= p->n_rules, "a rule refers to one that is not before it");
                item->rule = &p->rules[p->n_rules - 1 - (s - p->n_terminals)];
                refuse_if(in, (length = rule_length(item->rule)) == 0, "a rule refers to an empty one");
            }
            item->count = v & 1 ? get_uint(in) : 0;
            refuse_if(in, item->count > LENGTH_MAX, "an expansion is too long");
            item->count += v & 1 ? 2 : 1;
            rule->ends[rule->n] = lengthen(in, rule_length(rule), item->count, length);
        }
    }
    p->roots = zeroed(p->n_roots = get_count(in, 1), sizeof(*p->roots));
    uint64_t root = 0;
    for (size_t i = 0; i < p->n_roots; i++) {
        root += (uint64_t)get_int(in);
        refuse_if(in, root >= n_rules, "a root is no rule");
        p->roots[i] = &p->rules[root];
    }
    section_end(in);
}

/* Returns the part of an expansion that contains value number i; *i becomes its number in that
 * part. */
size_t find_part(const uint64_t *ends, size_t n, uint64_t *i)
{
    size_t low = 0, high = n - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ends[middle] > *i)
            high = middle;
        else
            low = middle + 1;
    }
    *i -= low ? ends[low - 1] : 0;
    return low;
}

/* Returns terminal number i < rule_length(rule) of the rule's expansion. */
uint64_t rule_at(const struct rule *rule, uint64_t i)
{
    for (;;) {
        const struct power *item = &rule->items[find_part(rule->ends, rule->n, &i)];
        if (!item->rule)
            return item->terminal;
        rule = item->rule;
        i %= rule_length(rule);
    }
}

/* Counts how often each site occurs in the root's expansion. A rule refers only to earlier ones,
 * so in one pass from the root down, the uses of each rule are known when the pass reaches it. */
void count_sites(const struct pool *p, const struct rule *root, uint64_t *sites)
{
    uint64_t *uses = zeroed(p->n_rules, sizeof *uses);
    uses[root - p->rules] = 1;
    for (const struct rule *rule = root + 1; rule-- > p->rules;)
        for (const struct power *item = rule->items; item < rule->items + rule->n; item++)
            *(item->rule ? &uses[item->rule - p->rules] : &sites[item->terminal]) +=
                uses[rule - p->rules] * item->count;
    free(uses);
}
