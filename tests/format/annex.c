/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections 16 and 18: the part after the blocks, and the clocks of the ranks. */
#include "steps.h"

#include <xxhash.h>

/* Checks that the index fits what follows the blocks, and the sums of the pieces. */
void read_annex(struct trace *t, struct input *in, bool apart)
{
    struct input *index = section(t, ANNX);
    uint64_t rank = 0;
    t->n_pieces = get_count(index, 8);
    t->pieces = zeroed(t->n_pieces, sizeof *t->pieces);
    for (struct piece *p = t->pieces; p < t->pieces + t->n_pieces; p++) {
        p->rank = rank += get_uint(index);
        p->kind = get_uint(index);
        p->lane = get_uint(index);
        uint64_t length = get_uint(index);
        uint32_t wanted = (uint32_t)get_fixed(index, 4);
        refuse_if(index,
                  p > t->pieces &&
                      (rank < p[-1].rank ||
                       (rank == p[-1].rank &&
                        (p->kind < p[-1].kind || (p->kind == p[-1].kind && p->lane <= p[-1].lane)))),
                  "pieces do not ascend");
        if (apart)
            continue;
        const uint8_t *piece = get(in, length);
        refuse_if(in, (uint32_t)XXH64(piece, length, 0) != wanted, "a piece's sum is wrong");
        p->content = (struct input){"a piece of the annex", piece, piece, in->at};
    }
    section_end(index);
}

struct piece *find_piece(const struct trace *t, uint64_t rank, uint64_t kind, uint64_t lane)
{
    for (struct piece *p = t->pieces; p < t->pieces + t->n_pieces; p++)
        if (p->rank == rank && p->kind == kind && p->lane == lane && p->content.start)
            return p;
    return NULL;
}

static bool increases(uint64_t from, uint64_t to)
{
    return to != from && to - from <= INT64_MAX;
}

void read_clocks(struct trace *t)
{
    struct input *in = section(t, CLCK);
    uint64_t rank = 0, local = 0, ahead = 0;
    if (!in)
        return;
    size_t n = get_count(in, 5);
    t->clocks = zeroed(n, sizeof *t->clocks);
    for (size_t i = 0; i < n; i++) {
        uint64_t more = get_uint(in);
        refuse_if(in, i > 0 && more == 0, "the clocks' ranks do not ascend");
        rank += more;
        refuse_if(in, more > UINT32_MAX || rank < t->first_rank || rank - t->first_rank >= t->n_ranks,
                  "a clock of a rank that is not the file's");
        size_t n_points = get_count(in, 3);
        refuse_if(in, n_points == 0, "a clock without a point");
        struct clock *c = &t->clocks[t->n_clocks++];
        *c = (struct clock){rank, zeroed(n_points, sizeof *c->points), n_points};
        for (size_t k = 0; k < n_points; k++) {
            uint64_t local_before = local, before = local + ahead;
            local += (uint64_t)get_int(in);
            ahead += (uint64_t)get_int(in);
            get_uint(in);
            c->points[k].local = local;
            c->points[k].ahead = ahead;
            refuse_if(in, k > 0 && (!increases(local_before, local) || !increases(before, local + ahead)),
                      "a clock goes back");
        }
    }
    section_end(in);
}

uint64_t global_time(const struct trace *t, uint64_t rank, uint64_t local)
{
    const struct clock *c = t->clocks;
    while (c < t->clocks + t->n_clocks && c->rank != rank)
        c++;
    if (c == t->clocks + t->n_clocks)
        return local;
    size_t i = 0;
    while (i + 2 < c->n_points && c->points[i + 1].local <= local)
        i++;
    uint64_t ahead = c->points[i].ahead;
    if (c->n_points > 1) {
        __int128 more = (int64_t)(c->points[i + 1].ahead - ahead),
                 length = c->points[i + 1].local - c->points[i].local,
                 product = more * ((__int128)local - c->points[i].local);
        ahead += (uint64_t)(product / length - (product % length < 0));
    }
    return local + ahead;
}
