! SPDX-License-Identifier: BSD-3-Clause
! ranks: 1 2
! A program that initialises MPI in C: its first call of Fortran passes constants whose addresses MPICH finds out in that very call.
#include "fortran_binding.inc"
program fortran_late
    use binding
    use, intrinsic :: iso_c_binding, only: c_null_ptr, c_ptr
    implicit none

    interface
        integer(c_int) function init_in_c(argc, argv) bind(C, name='MPI_Init')
            import :: c_int, c_ptr
            type(c_ptr), value :: argc, argv
        end function
    end interface
    integer :: in(1), out(1), sum(1)

    call must(init_in_c(c_null_ptr, c_null_ptr) == MPI_SUCCESS, 'Init')
    call ok('MPI_Init(argc=NULL, argv=NULL)')
#ifdef BINDING_F08_LARGE
    call expect_large()
#endif
    out = 7
    call MPI_Sendrecv(out, 1_ck, MPI_INTEGER, 0, 3, in, 1_ck, MPI_INTEGER, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE IERROR)
    call ok('MPI_Sendrecv@(sendbuf=ptr, sendcount=1, sendtype=MPI_INTEGER, dest=0, sendtag=3, recvbuf=ptr, recvcount=1, ' // &
        'recvtype=MPI_INTEGER, source=0, recvtag=3, comm=MPI_COMM_SELF, ' // &
        'status=ignored{source=0, tag=3, error=MPI_SUCCESS, bytes=4})')
    call must(in(1) == 7, 'Sendrecv')
    sum = 1
    call MPI_Allreduce(MPI_IN_PLACE, sum, 1_ck, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD IERROR)
    call ok('MPI_Allreduce@(sendbuf=MPI_IN_PLACE, recvbuf=ptr, count=1, datatype=MPI_INTEGER, op=MPI_SUM, comm=MPI_COMM_WORLD)')
    call started()
    call must(sum(1) == n, 'Allreduce')
    call finish()
end program
