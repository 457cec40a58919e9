// SPDX-License-Identifier: BSD-3-Clause
// For bindings.sh: the C++ bindings, which MPI 3.0 removed and both libraries still have. They call the C functions,
// and have functions of their own between the library and the program: for operations, error handlers and
// attributes.
#include <mpi.h>

#include <cstdio>

namespace
{
void most(const void *in, void *inout, int n, const MPI::Datatype &)
{
    const int *a = static_cast<const int *>(in);
    int *b = static_cast<int *>(inout);
    for (int i = 0; i < n; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
}

int deleted;

int forget(MPI::Comm &, int, void *, void *)
{
    deleted++;
    return MPI_SUCCESS;
}
} // namespace

int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    const int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size(), next = (rank + 1) % size,
              before = (rank + size - 1) % size;
    int sent = 10 + rank, received = -1, largest = -1;
    MPI::Status status;
    MPI::Request request = MPI::COMM_WORLD.Isend(&sent, 1, MPI::INT, next, 7);
    MPI::COMM_WORLD.Recv(&received, 1, MPI::INT, before, MPI::ANY_TAG, status);
    request.Wait();
    MPI::Op op;
    op.Init(most, true);
    MPI::COMM_WORLD.Allreduce(&sent, &largest, 1, MPI::INT, op);
    op.Free();

    MPI::Intracomm copy = MPI::COMM_WORLD.Dup();
    const int key = MPI::Comm::Create_keyval(MPI::Comm::NULL_COPY_FN, forget, NULL);
    copy.Set_attr(key, &sent);
    copy.Set_errhandler(MPI::ERRORS_RETURN);
    copy.Send(&sent, 1, MPI::INT, size + 5, 0);
    copy.Free();
    std::printf("%d: %d from %d, tag %d; largest %d, deleted %d\n", rank, received, status.Get_source(),
                status.Get_tag(), largest, deleted);
    std::fflush(stdout);
    MPI::COMM_WORLD.Barrier();
    MPI::Finalize();
    return 0;
}
