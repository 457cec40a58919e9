/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology.h"

/* Tags and lengths are set later. */
static void add(struct topology *t, int from, int to)
{
    if (t->n < MOST_MESSAGES)
        t->items[t->n++] = (struct message){.from = from, .to = to};
}

static void ring(struct topology *t, struct place *p)
{
    const int step = 1 + dice_below(&p->plan, p->size);
    for (int i = 0; i < p->size; i++)
        add(t, i, (i + step) % p->size);
}

/* Messages in both directions along a line; its ends use MPI_PROC_NULL. */
static void line(struct topology *t, struct place *p)
{
    for (int i = 0; i < p->size; i++) {
        add(t, i, i + 1 < p->size ? i + 1 : MPI_PROC_NULL);
        add(t, i + 1 < p->size ? i + 1 : MPI_PROC_NULL, i);
    }
}

static void torus(struct topology *t, struct place *p)
{
    const int width = p->size % 3 == 0 ? 3 : p->size % 2 == 0 ? 2 : 1, height = p->size / width;
    for (int i = 0; i < p->size; i++) {
        const int x = i % width, y = i / width;
        add(t, i, y * width + (x + 1) % width);
        add(t, i, (y + 1) % height * width + x);
    }
}

static void star(struct topology *t, struct place *p)
{
    const int middle = dice_below(&p->plan, p->size);
    const bool out = dice_chance(&p->plan, 50);
    for (int i = 0; i < p->size; i++)
        if (i != middle)
            add(t, out ? middle : i, out ? i : middle);
}

static void all_pairs(struct topology *t, struct place *p)
{
    for (int i = 0; i < p->size; i++)
        for (int k = 0; k < p->size; k++)
            add(t, i, k);
}

/* A pair may occur several times. */
static void any_pairs(struct topology *t, struct place *p)
{
    const int n = 1 + dice_below(&p->plan, 24);
    for (int i = 0; i < n; i++) {
        const int from = dice_below(&p->plan, p->size);
        add(t, from, dice_below(&p->plan, p->size));
    }
}

void topology_plan(struct topology *t, struct place *p)
{
    static void (*const topologies[])(struct topology *, struct place *) = {ring, line,      torus,
                                                                            star, all_pairs, any_pairs};
    static const int lengths[] = {0, 3, 16, 64, 300, 20000}; /* below */
    struct dice *d = &p->plan;
    t->n = 0;
    topologies[dice_below(d, 6)](t, p);
    const int least = dice_below(d, 100), length = lengths[least < 3 ? 5 : 1 + dice_below(d, 4)];
    const bool equal = dice_chance(d, 50);
    const int n = dice_below(d, length), tag = dice_below(d, 100);
    for (int i = 0; i < t->n; i++) {
        struct message *m = &t->items[i];
        m->n = equal ? n : dice_below(d, length);
        m->tag = m->n < 4 || dice_chance(d, 15) ? LOG_UNIQUE + i : equal ? tag : dice_below(d, 4);
    }
}
