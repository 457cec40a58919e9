! SPDX-License-Identifier: BSD-3-Clause
#include "fortran_binding.inc"
! The binding under test, and what all programs do through it.
module binding
    use expect_f
    use, intrinsic :: iso_c_binding, only: c_int, c_intptr_t
#ifdef BINDING_MPI
    use mpi
#endif
#ifdef BINDING_F08
    use mpi_f08
#endif
    implicit none
#ifdef BINDING_MPIF_H
    include 'mpif.h'
#endif

    ! Kinds of counts, and of displacements where they are INTEGERs unless counts are large.
#ifdef BINDING_F08_LARGE
    integer, parameter :: ck = MPI_COUNT_KIND, dk = MPI_ADDRESS_KIND
#else
    integer, parameter :: ck = kind(0), dk = kind(0)
#endif
    integer, parameter :: ak = MPI_ADDRESS_KIND, fk = MPI_OFFSET_KIND

    ! Statuses that tell the error alone, and of a null or inactive request.
    character(len=*), parameter :: sent = '{error=MPI_SUCCESS}', &
        empty = '{source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, error=MPI_SUCCESS, bytes=0}'

    integer :: rank, n, left, right, ierror

    interface ! of C, where it is not traced
#ifdef MPI_openmpi
        integer(c_intptr_t) function type_f2c(datatype) bind(C, name='PMPI_Type_f2c')
            import :: c_int, c_intptr_t
            integer(c_int), value :: datatype
        end function
#endif
        integer(c_int) function get_elements(status, datatype, count) bind(C, name='PMPI_Get_elements')
            import :: c_int, c_intptr_t
            integer(c_int) :: status(*), count
            integer(c_intptr_t), value :: datatype
        end function
        integer(c_int) function error_class(code, class) bind(C, name='PMPI_Error_class')
            import :: c_int
            integer(c_int), value :: code
            integer(c_int) :: class
        end function
        integer(c_int) function test_cancelled(status, flag) bind(C, name='PMPI_Test_cancelled')
            import :: c_int
            integer(c_int) :: status(*), flag
        end function
    end interface

contains
    subroutine start()
        call MPI_Init(ierror)
        call ok('MPI_Init(argc=NULL, argv=NULL)')
        call started()
    end subroutine

    subroutine started()
#ifdef BINDING_F08_LARGE
        call expect_large()
#endif
        call MPI_Comm_rank(MPI_COMM_WORLD, rank IERROR)
        call ok('MPI_Comm_rank(comm=MPI_COMM_WORLD, rank=%)', [rank])
        call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)
        call ok('MPI_Comm_size(comm=MPI_COMM_WORLD, size=%)', [n])
        left = modulo(rank - 1, n)
        right = modulo(rank + 1, n)
    end subroutine

    subroutine finish()
        call ok('MPI_Finalize()')
        call expect_end(rank)
        call MPI_Finalize(ierror)
    end subroutine

    ! What MPI promises; a tracer could spoil it.
    subroutine must(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (.not. holds) print *, 'rank ', rank, ': wrong ', what
    end subroutine

    ! Completes req<number>, whose status tells the error alone.
    subroutine complete(request, number)
        HANDLE(MPI_Request), intent(inout) :: request
        integer, intent(in) :: number
        call MPI_Wait(request, MPI_STATUS_IGNORE IERROR)
        call ok('MPI_Wait(request=req%, status=ignored' // sent // ')', [number])
    end subroutine

    ! The same for a persistent one, from its start to its end.
    subroutine run(request, number)
        HANDLE(MPI_Request), intent(inout) :: request
        integer, intent(in) :: number
        call MPI_Start(request IERROR)
        call ok('MPI_Start(request=req%)', [number])
        call complete(request, number)
        call MPI_Request_free(request IERROR)
        call ok('MPI_Request_free(request=req%)', [number])
        call must(request == MPI_REQUEST_NULL, 'Request_free')
    end subroutine

    ! A status as the program got it, where its fields are not defined. In both libraries it is one of C, word for word.
    function status_text(status)
        STATUS(status)
        character(len=:), allocatable :: status_text, source, tag
        integer(c_int) :: in_c(MPI_STATUS_SIZE), bytes, cancelled, error
        in_c = transfer(status, in_c)
        error = get_elements(in_c, byte_in_c(), bytes)
        error = test_cancelled(in_c, cancelled)
        source = text(SOURCE(status))
        if (SOURCE(status) == MPI_ANY_SOURCE) source = 'MPI_ANY_SOURCE'
        if (SOURCE(status) == MPI_PROC_NULL) source = 'MPI_PROC_NULL'
        tag = text(TAG(status))
        if (TAG(status) == MPI_ANY_TAG) tag = 'MPI_ANY_TAG'
        status_text = '{source=' // source // ', tag=' // tag // ', error=MPI_SUCCESS, bytes=' // text(bytes)
        if (cancelled /= 0) status_text = status_text // ', cancelled=1'
        status_text = status_text // '}'
    end function

    ! MPI_BYTE of C: a pointer in Open MPI, the same integer in MPICH.
    integer(c_intptr_t) function byte_in_c()
        HANDLE(MPI_Datatype) :: byte
        byte = MPI_BYTE
#ifdef MPI_openmpi
        byte_in_c = type_f2c(INTEGER_OF(byte))
#else
        byte_in_c = INTEGER_OF(byte)
#endif
    end function

    subroutine barrier()
        call MPI_Barrier(MPI_COMM_WORLD IERROR)
        call ok('MPI_Barrier(comm=MPI_COMM_WORLD)')
    end subroutine
end module
