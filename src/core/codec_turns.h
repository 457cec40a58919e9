/* Turned lists: those over ranks on a grid that go around at its edges.
 *
 * Where a program's steps move around a torus, what a rank does in one step its neighbour does in the next.
 * Ranks on a grid of 3 x 3, sizes of the messages in two steps:
 *
 *     step 1     5 5 4  5 5 4  4 4 2        base, as it is
 *     step 2     5 5 4  4 4 2  5 5 4        base, one row further: places 3 4 5  6 7 8  0 1 2
 *
 * The second list is a composition (codec_compose.h) whose V is the base and whose K, the places, is short
 * and the same for all lists of this step. Grids of all shapes are tried, one row as well. */
#ifndef REFRAIN_CODEC_TURNS_H
#define REFRAIN_CODEC_TURNS_H

#include "codec_classes.h"

/* n ranks in rows of `length`; value i of the list is that of the base, so many rows and columns further. */
struct turn {
    uint32_t length, rows, columns;
    struct series *places; /* owned */
};

struct turned_list {
    uint32_t list, base; /* numbers in class_lists */
    uint32_t turn;       /* number of the turn */
};

struct turns {
    ARRAY(struct turn) turns;
    ARRAY(struct turned_list) lists;
    int64_t saved; /* bytes, against lists as they are */
};

void turns_free(struct turns *t);
/* Find those that pay. What is `done` is left out. */
enum refrain_status turns_find(const struct class_lists *c, struct turns *out);

#endif
