/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 3 4 */
/* Communicators of the successive lives of their parent. A parent that is freed and created again
 * has its old number, but a communicator made of it with other members is another communicator
 * with another number. */
#include "expect.h"

enum { PARENT, FIRST_PAIR = 0, ROUNDS = 2 }; /* the pair of ranks 0 and i is comm FIRST_PAIR + i */

static void pair_up(int i)
{
    MPI_Comm parent, pair;
    const int member = rank == 0 || rank == i;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    OK("MPI_Comm_dup(" WORLD ", newcomm=comm%d)", PARENT);
    MPI_Comm_split(parent, member ? 0 : MPI_UNDEFINED, 0, &pair);
    if (member) {
        OK("MPI_Comm_split(comm=comm%d, color=0, key=0, newcomm=comm%d)", PARENT, FIRST_PAIR + i);
        MPI_Barrier(pair);
        OK("MPI_Barrier(comm=comm%d)", FIRST_PAIR + i);
        MPI_Comm_free(&pair);
        OK("MPI_Comm_free(comm=comm%d)", FIRST_PAIR + i);
    } else {
        OK("MPI_Comm_split(comm=comm%d, color=MPI_UNDEFINED, key=0, newcomm=MPI_COMM_NULL)", PARENT);
    }
    MPI_Comm_free(&parent);
    OK("MPI_Comm_free(comm=comm%d)", PARENT);
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 1; i < size; i++)
            pair_up(i);
    return expect_end();
}
