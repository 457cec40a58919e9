! SPDX-License-Identifier: BSD-3-Clause
! ranks: 3
! Collective operations on three processes, blocking, nonblocking and persistent: fortran_collectives.inc in each form.
#include "fortran_binding.inc"
program fortran_collectives
    use binding
    implicit none
    integer :: out(3), values(3)
    integer, parameter :: ranks(3) = [0, 1, 2]
    integer(kind=ck), parameter :: ones(3) = 1
    integer(kind=dk), parameter :: places(3) = [0, 1, 2], bytes(3) = [0, 4, 8]
    integer(kind=ak), parameter :: at(2) = [0, 4]
    HANDLE(MPI_Datatype) :: types(3)
    HANDLE(MPI_Comm) :: ring
    character(len=:), allocatable :: form
    integer :: requests = 0 ! numbers of requests given out

    call start()
    types = MPI_INTEGER
    ! A distributed graph: MPICH 4.0's mpi_f08 asks for the neighbours as if there were nothing else.
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, [left, right], MPI_UNWEIGHTED, 2, [left, right], &
        MPI_UNWEIGHTED, MPI_INFO_NULL, .false., ring IERROR)
    call ok('MPI_Dist_graph_create_adjacent(comm_old=MPI_COMM_WORLD, indegree=2, sources=[%, %], ' // &
        'sourceweights=MPI_UNWEIGHTED, outdegree=2, destinations=[%, %], destweights=MPI_UNWEIGHTED, ' // &
        'info=MPI_INFO_NULL, reorder=0, comm_dist_graph=comm0)', [left, right, left, right])
    form = 'blocking'
    call blocking()
    form = 'nonblocking'
    call nonblocking()
#ifdef HAVE_MPI_4
    form = 'persistent'
    call persistent()
#endif
    call MPI_Reduce_local(out, values, 3_ck, MPI_INTEGER, MPI_PROD IERROR)
    call ok('MPI_Reduce_local@(inbuf=ptr, inoutbuf=ptr, count=3, datatype=MPI_INTEGER, op=MPI_PROD)')
    call finish()

contains
    subroutine blocking()
        HANDLE(MPI_Request) :: request
        request = MPI_REQUEST_NULL
#define OPERATION(name) MPI_/**/name
#define AND_REQUEST
#include "fortran_collectives.inc"
    end subroutine
#undef OPERATION
#undef AND_REQUEST

    subroutine nonblocking()
        HANDLE(MPI_Request) :: request
#define OPERATION(name) MPI_I/**/name
#define AND_REQUEST , request
#include "fortran_collectives.inc"
    end subroutine
#undef OPERATION
#undef AND_REQUEST

#ifdef HAVE_MPI_4
    subroutine persistent()
        HANDLE(MPI_Request) :: request
#define OPERATION(name) MPI_/**/name/**/_init
#define AND_REQUEST , MPI_INFO_NULL, request
#include "fortran_collectives.inc"
    end subroutine
#endif

    ! What was expected of an operation in this form, and its completion. The name ends with @ if there is one with large
    ! counts.
    subroutine done(name, arguments, request)
        character(len=*), intent(in) :: name, arguments
        HANDLE(MPI_Request), intent(inout) :: request
        integer :: at
        at = index(name // '@', '@')
        select case (form)
        case ('blocking')
            call ok('MPI_' // name // '(' // arguments // ')')
        case ('nonblocking')
            call ok('MPI_I' // achar(iachar(name(1:1)) + 32) // name(2:) // '(' // arguments // ', request=req%)', [requests])
            call complete(request, requests)
            requests = requests + 1
        case ('persistent')
            call ok('MPI_' // name(:at - 1) // '_init' // name(at:) // '(' // arguments // &
                ', info=MPI_INFO_NULL, request=req%)', [requests])
            call run(request, requests)
            requests = requests + 1
        end select
    end subroutine
end program
