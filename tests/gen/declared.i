# 1 "mpi.h"
#define MPI_ANY_TAG (-1)
#define MPI_PROC_NULL REMOVED(MPI_PROC_NULL)
#define REMOVED(name) _Static_assert(0, #name)
#define MPI_Wait_for(...) REMOVED(MPI_Wait_for)
enum {
    MPI_COMM_SELF = 2,
};
extern struct comm MPI_COMM_WORLD;
int MPI_Put_list(int length,
                 int array_of_ranks[], MPI_Comm comm, MPI_Request *request) __attribute__((deprecated));
typedef int (MPI_Team_function)(int);
