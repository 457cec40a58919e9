/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Statuses in the form of mpi_f08. MPICH has these procedures in its Fortran library, with which
 * this program is linked; Open MPI 4.1 lacks them. */
#include "expect.h"

#if MPI_VERSION >= 4

static void convert(void)
{
    int x = 0;
    MPI_Status status, again;
    MPI_F08_status modern;
    const char *arrived = status_is(rank, 3, sizeof x);
    MPI_Sendrecv_replace(&x, 1, MPI_INT, rank, 3, rank, 3, MPI_COMM_WORLD, &status);
    OK("MPI_Sendrecv_replace(buf=ptr, count=1, datatype=MPI_INT, dest=%d, sendtag=3, source=%d, "
       "recvtag=3, " WORLD ", status=%s)",
       rank, rank, arrived);
    MPI_Status_c2f08(&status, &modern);
    OK("MPI_Status_c2f08(c_status=%s, f08_status=%s)", arrived, arrived);
    MPI_Status_f082c(&modern, &again);
    OK("MPI_Status_f082c(f08_status=%s, c_status=%s)", arrived, arrived);
}

#else

static void convert(void)
{
}

#endif

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    convert();
    return expect_end();
}
