/* SPDX-License-Identifier: BSD-3-Clause */
#include "layout.h"

#include <stdlib.h>
#include <string.h>

int basic_bytes(enum basic basic)
{
    static const int bytes[N_BASICS] = {sizeof(int), 1, sizeof(double)};
    return bytes[basic];
}

MPI_Datatype basic_type(enum basic basic)
{
    return basic == BASIC_INT ? MPI_INT : basic == BASIC_BYTE ? MPI_BYTE : MPI_DOUBLE;
}

enum { PIECE = 3, STRIDE = 5 }; /* pieces of a vector, in elements */

/* Makes a datatype of `n` elements, which spans at most `STRIDE * n` elements. */
static MPI_Datatype derive(struct place *p, MPI_Datatype basic, int basic_size, int n)
{
    MPI_Datatype type;
    const int half = n / 2, lengths[2] = {half, n - half}, displacements[2] = {0, half + 2};
    const MPI_Aint bytes[2] = {0, (MPI_Aint)(half + 1) * basic_size};
    const MPI_Datatype types[2] = {basic, basic};
    switch (dice_below(&p->own, 5)) {
    case 0:
        CALL(p->log, MPI_Type_contiguous, n, basic, &type);
        break;
    case 1:
        CALL(p->log, MPI_Type_vector, n, 1, STRIDE, basic, &type);
        break;
    case 2:
        CALL(p->log, MPI_Type_indexed, 2, lengths, displacements, basic, &type);
        break;
    case 3:
        CALL(p->log, MPI_Type_create_struct, 2, lengths, bytes, types, &type);
        break;
    default:
        CALL(p->log, MPI_Type_create_hvector, n, 1, (MPI_Aint)PIECE * basic_size, basic, &type);
        break;
    }
    CALL(p->log, MPI_Type_commit, &type);
    return type;
}

struct layout layout_make(struct place *p, enum basic basic, int n, bool exact)
{
    const MPI_Datatype type = basic_type(basic);
    const int size = basic_bytes(basic);
    struct layout l = {.type = type, .count = n, .element = size};
    /* The signature must be contiguous, so bytes are not scattered. */
    const int of = basic != BASIC_BYTE && n >= 2 && n <= 64 ? 2 + dice_below(&p->own, 6) : 0;
    if (of > 0 && (!exact || n % of == 0) && dice_chance(&p->own, 30)) {
        l.type = derive(p, type, size, of);
        l.count = (n + of - 1) / of;
        l.made = true;
    }
    l.space = calloc((size_t)(n + 8) * (STRIDE + 1), (size_t)size);
    if (!l.space)
        abort();
    return l;
}

void layout_free(struct place *p, struct layout *l, bool memory)
{
    if (l->made)
        CALL(p->log, MPI_Type_free, &l->type);
    if (memory)
        free(l->space);
}

void layout_sign(struct layout *l, long long bytes, long call)
{
    const int number = (int)call;
    if (bytes >= (long long)sizeof number)
        memcpy(l->space, &number, sizeof number);
}

long layout_signature(const struct layout *l)
{
    int number;
    memcpy(&number, l->space, sizeof number);
    return number;
}
