! SPDX-License-Identifier: BSD-3-Clause
! ranks: 2
! Procedures of the program that MPI calls: operators, error handlers, generalized requests, data representations.
#include "fortran_binding.inc"
module callbacks
    use binding
    use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
    implicit none
    integer :: handled = 0, freed = 0

contains
#ifdef BINDING_F08
    subroutine add(in, inout, count, datatype)
        type(c_ptr), value :: in, inout
        integer :: count
        type(MPI_Datatype) :: datatype
        integer, pointer :: a(:), b(:)
        call c_f_pointer(in, a, [count])
        call c_f_pointer(inout, b, [count])
        b = a + b
    end subroutine
#else
    subroutine add(in, inout, count, datatype)
        integer :: count, in(count), inout(count), datatype
        inout = in + inout
    end subroutine
#endif

    subroutine comm_error(handle, code)
        HANDLE(MPI_Comm) :: handle
        integer :: code
        handled = handled + 1
    end subroutine

    subroutine win_error(handle, code)
        HANDLE(MPI_Win) :: handle
        integer :: code
        handled = handled + 1
    end subroutine

    subroutine file_error(handle, code)
        HANDLE(MPI_File) :: handle
        integer :: code
        handled = handled + 1
    end subroutine

#ifdef HAVE_MPI_4
    subroutine session_error(handle, code)
        HANDLE(MPI_Session) :: handle
        integer :: code
        handled = handled + 1
    end subroutine
#endif

    subroutine query(extra, status, ierror)
        integer(kind=MPI_ADDRESS_KIND) :: extra
        STATUS(status)
        integer :: ierror
        SOURCE(status) = int(extra)
        TAG(status) = 2
        call MPI_Status_set_elements(status, MPI_INTEGER, 3, ierror)
        call ok('MPI_Status_set_elements(status=' // sent // ', datatype=MPI_INTEGER, count=3)')
        call MPI_Status_set_cancelled(status, .false., ierror)
        call ok('MPI_Status_set_cancelled(status=' // sent // ', flag=0)')
    end subroutine

    subroutine release(extra, ierror)
        integer(kind=MPI_ADDRESS_KIND) :: extra
        integer :: ierror
        freed = freed + 1
        ierror = MPI_SUCCESS
    end subroutine

    subroutine cancel(extra, complete, ierror)
        integer(kind=MPI_ADDRESS_KIND) :: extra
        logical :: complete
        integer :: ierror
        ierror = MPI_SUCCESS
    end subroutine

    subroutine extent_of(datatype, extent, extra, ierror)
        HANDLE(MPI_Datatype) :: datatype
        integer(kind=MPI_ADDRESS_KIND) :: extent, extra
        integer :: ierror
        extent = 4
        ierror = MPI_SUCCESS
    end subroutine
end module

program fortran_callbacks
    use binding
    use callbacks
    implicit none

    call start()
    call operators()
    call communicators()
    call windows()
    call files()
    call generalized()
    call representation()
#ifdef HAVE_MPI_1
    call removed()
#endif
#ifdef HAVE_MPI_4
    call sessions()
#endif
    call finish()

contains
    subroutine operators()
        HANDLE(MPI_Op) :: op
        logical :: flag
        integer :: sum
        call MPI_Op_create(add, .true., op IERROR)
        call ok('MPI_Op_create(user_fn=ptr, commute=1, op=op0)')
        call MPI_Op_commutative(op, flag IERROR)
        call ok('MPI_Op_commutative(op=op0, commute=1)')
        call must(flag, 'Op_commutative')
        call MPI_Allreduce(rank, sum, 1_ck, MPI_INTEGER, op, MPI_COMM_WORLD IERROR)
        call ok('MPI_Allreduce@(sendbuf=ptr, recvbuf=ptr, count=1, datatype=MPI_INTEGER, op=op0, ' // &
            'comm=MPI_COMM_WORLD)')
        call must(sum == n*(n - 1)/2, 'Allreduce with an operator of the program')
        call MPI_Op_free(op IERROR)
        call ok('MPI_Op_free(op=op0)')
        call must(op == MPI_OP_NULL, 'Op_free')
    end subroutine

    subroutine communicators()
        HANDLE(MPI_Errhandler) :: handler, again
        call MPI_Comm_create_errhandler(comm_error, handler IERROR)
        call ok('MPI_Comm_create_errhandler(comm_errhandler_fn=ptr, errhandler=errhandler0)')
        call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler IERROR)
        call ok('MPI_Comm_set_errhandler(comm=MPI_COMM_WORLD, errhandler=errhandler0)')
        call MPI_Comm_get_errhandler(MPI_COMM_WORLD, again IERROR)
        call ok('MPI_Comm_get_errhandler(comm=MPI_COMM_WORLD, errhandler=errhandler0)')
        call MPI_Errhandler_free(again IERROR)
        call ok('MPI_Errhandler_free(errhandler=errhandler0)')
        call MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER IERROR)
        call ok('MPI_Comm_call_errhandler(comm=MPI_COMM_WORLD, errorcode=MPI_ERR_OTHER)')
        call must(handled == 1, 'Comm_call_errhandler')
        call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL IERROR)
        call ok('MPI_Comm_set_errhandler(comm=MPI_COMM_WORLD, errhandler=MPI_ERRORS_ARE_FATAL)')
        call MPI_Errhandler_free(handler IERROR)
        call ok('MPI_Errhandler_free(errhandler=errhandler0)')
    end subroutine

    subroutine windows()
        HANDLE(MPI_Errhandler) :: handler, again
        HANDLE(MPI_Win) :: window
        integer :: memory(4)
        call MPI_Win_create(memory, 16_ak, 4_dk, MPI_INFO_NULL, MPI_COMM_WORLD, window IERROR)
        call ok('MPI_Win_create@(base=ptr, size=16, disp_unit=4, info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, win=win0)')
        call MPI_Win_create_errhandler(win_error, handler IERROR)
        call ok('MPI_Win_create_errhandler(win_errhandler_fn=ptr, errhandler=errhandler1)')
        call MPI_Win_set_errhandler(window, handler IERROR)
        call ok('MPI_Win_set_errhandler(win=win0, errhandler=errhandler1)')
        call MPI_Win_get_errhandler(window, again IERROR)
        call ok('MPI_Win_get_errhandler(win=win0, errhandler=errhandler1)')
        call MPI_Errhandler_free(again IERROR)
        call ok('MPI_Errhandler_free(errhandler=errhandler1)')
        call MPI_Win_call_errhandler(window, MPI_ERR_OTHER IERROR)
        call ok('MPI_Win_call_errhandler(win=win0, errorcode=MPI_ERR_OTHER)')
        call must(handled == 2, 'Win_call_errhandler')
        call MPI_Win_free(window IERROR)
        call ok('MPI_Win_free(win=win0)')
        call MPI_Errhandler_free(handler IERROR)
        call ok('MPI_Errhandler_free(errhandler=errhandler1)')
    end subroutine

    subroutine files()
        HANDLE(MPI_Errhandler) :: handler, again
        HANDLE(MPI_File) :: file
        call MPI_File_open(MPI_COMM_SELF, '/dev/null', MPI_MODE_WRONLY, MPI_INFO_NULL, file IERROR)
        call ok('MPI_File_open(comm=MPI_COMM_SELF, filename="/dev/null", amode=MPI_MODE_WRONLY, ' // &
            'info=MPI_INFO_NULL, fh=file0)')
        call MPI_File_create_errhandler(file_error, handler IERROR)
        call ok('MPI_File_create_errhandler(file_errhandler_fn=ptr, errhandler=errhandler2)')
        call MPI_File_set_errhandler(file, handler IERROR)
        call ok('MPI_File_set_errhandler(file=file0, errhandler=errhandler2)')
        call MPI_File_get_errhandler(file, again IERROR)
        call ok('MPI_File_get_errhandler(file=file0, errhandler=errhandler2)')
        call MPI_Errhandler_free(again IERROR)
        call ok('MPI_Errhandler_free(errhandler=errhandler2)')
        call MPI_File_call_errhandler(file, MPI_ERR_OTHER IERROR)
        call ok('MPI_File_call_errhandler(fh=file0, errorcode=MPI_ERR_OTHER)')
        call must(handled == 3, 'File_call_errhandler')
        call MPI_File_close(file IERROR)
        call ok('MPI_File_close(fh=file0)')
        call MPI_Errhandler_free(handler IERROR)
        call ok('MPI_Errhandler_free(errhandler=errhandler2)')
    end subroutine

#ifdef HAVE_MPI_4
    subroutine sessions()
        HANDLE(MPI_Errhandler) :: handler, again
        HANDLE(MPI_Session) :: session
#ifdef HAVE_MPI_1
        integer, parameter :: number = 4 ! of the handler
#else
        integer, parameter :: number = 3
#endif
        call MPI_Session_create_errhandler(session_error, handler IERROR)
        call ok('MPI_Session_create_errhandler(session_errhandler_fn=ptr, errhandler=errhandler%)', [number])
        call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session IERROR)
        call ok('MPI_Session_init(info=MPI_INFO_NULL, errhandler=MPI_ERRORS_RETURN, session=session0)')
        call MPI_Session_set_errhandler(session, handler IERROR)
        call ok('MPI_Session_set_errhandler(session=session0, errhandler=errhandler%)', [number])
        call MPI_Session_get_errhandler(session, again IERROR)
        call ok('MPI_Session_get_errhandler(session=session0, errhandler=errhandler%)', [number])
        call MPI_Errhandler_free(again IERROR)
        call ok('MPI_Errhandler_free(errhandler=errhandler%)', [number])
        call MPI_Session_call_errhandler(session, MPI_ERR_OTHER IERROR)
        call ok('MPI_Session_call_errhandler(session=session0, errorcode=MPI_ERR_OTHER)')
        call must(handled == 4, 'Session_call_errhandler')
        call MPI_Session_finalize(session IERROR)
        call ok('MPI_Session_finalize(session=session0)')
        call MPI_Errhandler_free(handler IERROR)
        call ok('MPI_Errhandler_free(errhandler=errhandler%)', [number])
    end subroutine
#endif

    subroutine generalized()
        HANDLE(MPI_Request) :: request
        STATUS(status)
        integer(kind=MPI_ADDRESS_KIND) :: extra
        extra = 1
        call MPI_Grequest_start(query, release, cancel, extra, request IERROR)
        call ok('MPI_Grequest_start(query_fn=ptr, free_fn=ptr, cancel_fn=ptr, extra_state=ptr, request=req0)')
        call MPI_Grequest_complete(request IERROR)
        call ok('MPI_Grequest_complete(request=req0)')
        call MPI_Wait(request, status IERROR)
        call ok('MPI_Wait(request=req0, status={source=1, tag=2, error=MPI_SUCCESS, bytes=12})')
        call must(SOURCE(status) == 1 .and. freed == 1, 'Grequest_complete')
    end subroutine

    ! Open MPI 4.1 refuses it, with one error or another.
    subroutine representation()
        integer(kind=MPI_ADDRESS_KIND) :: extra
        integer :: code
#if defined BINDING_MPI && defined MPI_mpich /* whose module does not declare it */
        external :: MPI_CONVERSION_FN_NULL
#endif
        extra = 1
        call MPI_Register_datarep('refrain  ', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_of, extra, code)
        call expect('MPI_Register_datarep(datarep="refrain", read_conversion_fn=NULL, write_conversion_fn=NULL, ' // &
            'dtype_file_extent_fn=ptr, extra_state=ptr) = ' // error_name(code))
    end subroutine

    function error_name(code)
        integer, intent(in) :: code
        character(len=:), allocatable :: error_name
        select case (code)
        case (MPI_SUCCESS)
            error_name = 'MPI_SUCCESS'
        case (MPI_ERR_CONVERSION)
            error_name = 'MPI_ERR_CONVERSION'
        case default
            error_name = 'MPI_ERR_OTHER'
        end select
    end function

#ifdef HAVE_MPI_1
    subroutine removed()
        integer :: handler, again
        call MPI_Errhandler_create(comm_error, handler, ierror)
        call ok('MPI_Errhandler_create(handler_fn=ptr, errhandler=errhandler3)')
        call MPI_Errhandler_set(MPI_COMM_WORLD, handler, ierror)
        call ok('MPI_Errhandler_set(comm=MPI_COMM_WORLD, errhandler=errhandler3)')
        call MPI_Errhandler_get(MPI_COMM_WORLD, again, ierror)
        call ok('MPI_Errhandler_get(comm=MPI_COMM_WORLD, errhandler=errhandler3)')
        call must(again == handler, 'Errhandler_get')
    end subroutine
#endif
end program
