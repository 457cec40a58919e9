/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus.h"

struct torus torus_of(const struct torus_map *m, uint32_t n)
{
    struct torus t = {.rows = n / m->columns, .columns = m->columns};
    t.rr = torus_wrap(m->rr, t.rows);
    t.rc = torus_wrap(m->rc, t.rows);
    t.cr = torus_wrap(m->cr, t.columns);
    t.cc = torus_wrap(m->cc, t.columns);
    return t;
}

bool torus_map_equal(const struct torus_map *a, const struct torus_map *b)
{
    return a->columns == b->columns && a->rr == b->rr && a->rc == b->rc && a->cr == b->cr && a->cc == b->cc;
}
