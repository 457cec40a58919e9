/* SPDX-License-Identifier: BSD-3-Clause */
#include "intervals.h"

#include "mix.h"

#include <assert.h>

static struct intervals_node *node(const struct intervals *t, uint32_t link)
{
    return &t->nodes.items[link - 1];
}

void intervals_free(struct intervals *t)
{
    array_free(&t->nodes);
    *t = (struct intervals){0};
}

/* Split a tree into the intervals that start before an address and the others. */
static void split(struct intervals *t, uint32_t tree, uintptr_t start, uint32_t *before, uint32_t *rest)
{
    while (tree) {
        struct intervals_node *n = node(t, tree);
        if (n->interval.start < start) {
            *before = tree;
            before = &n->right;
            tree = n->right;
        } else {
            *rest = tree;
            rest = &n->left;
            tree = n->left;
        }
    }
    *before = *rest = 0;
}

/* Join two trees; all of `a` lies before all of `b`. */
static uint32_t join(struct intervals *t, uint32_t a, uint32_t b)
{
    uint32_t root = 0, *place = &root;
    while (a && b) {
        if (node(t, a)->priority > node(t, b)->priority) {
            *place = a;
            place = &node(t, a)->right;
            a = *place;
        } else {
            *place = b;
            place = &node(t, b)->left;
            b = *place;
        }
    }
    *place = a ? a : b;
    return root;
}

static uint32_t take(struct intervals *t)
{
    if (t->free) {
        const uint32_t link = t->free;
        t->free = node(t, link)->left;
        return link;
    }
    return array_reserve(&t->nodes, 1) ? (uint32_t)++t->nodes.n : 0;
}

enum refrain_status intervals_add(struct intervals *t, struct interval new)
{
    assert(new.start < new.end);
    assert(!intervals_first(t, new.start, new.end));
    const uint32_t link = take(t);
    if (!link)
        return REFRAIN_ERR_MEMORY;
    struct intervals_node *n = node(t, link);
    *n = (struct intervals_node){.interval = new, .priority = mix(0, new.start)};
    uint32_t *place = &t->root;
    while (*place && node(t, *place)->priority > n->priority)
        place =
            new.start < node(t, *place)->interval.start ? &node(t, *place)->left : &node(t, *place)->right;
    split(t, *place, new.start, &n->left, &n->right);
    *place = link;
    t->n++;
    return REFRAIN_OK;
}

bool intervals_remove(struct intervals *t, uintptr_t start)
{
    uint32_t *place = &t->root;
    while (*place && node(t, *place)->interval.start != start)
        place = start < node(t, *place)->interval.start ? &node(t, *place)->left : &node(t, *place)->right;
    const uint32_t link = *place;
    if (!link)
        return false;
    struct intervals_node *n = node(t, link);
    *place = join(t, n->left, n->right);
    n->left = t->free;
    t->free = link;
    t->n--;
    return true;
}

struct interval *intervals_first(const struct intervals *t, uintptr_t start, uintptr_t end)
{
    assert(start <= end);
    struct interval *found = NULL;
    for (uint32_t link = t->root; link;) {
        struct intervals_node *n = node(t, link);
        if (n->interval.end > start) { /* the intervals on the right start later */
            found = &n->interval;
            link = n->left;
        } else {
            link = n->right;
        }
    }
    return found && found->start < end ? found : NULL;
}
