! SPDX-License-Identifier: BSD-3-Clause
! ranks: 1 2
! Calls that a Fortran program makes in its callbacks: an operator, an attribute's functions, an error handler. Each has a line,
! before that of the call around it. On MPICH the procedures of Fortran call C's, which are the library's own calls and have no line.
#include "fortran_binding.inc"
module callbacks
    use binding
    use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
    implicit none
contains
    subroutine size_of(datatype)
        HANDLE(MPI_Datatype) :: datatype
        integer(kind=ck) :: bytes
        call MPI_Type_size(datatype, bytes IERROR)
        call ok('MPI_Type_size@(datatype=MPI_INTEGER, size=4)')
    end subroutine

#ifdef BINDING_F08
    subroutine add(in, inout, count, datatype)
        type(c_ptr), value :: in, inout
        integer :: count
        type(MPI_Datatype) :: datatype
        integer, pointer :: a(:), b(:)
        call size_of(datatype)
        call c_f_pointer(in, a, [count])
        call c_f_pointer(inout, b, [count])
        b = a + b
    end subroutine
#else
    subroutine add(in, inout, count, datatype)
        integer :: count, in(count), inout(count), datatype
        call size_of(datatype)
        inout = in + inout
    end subroutine
#endif

    subroutine copy(comm, key, state, in, out, flag, ierror)
        HANDLE(MPI_Comm) :: comm
        integer :: key, ierror, members
        integer(kind=MPI_ADDRESS_KIND) :: state, in, out
        logical :: flag
        call MPI_Comm_size(comm, members, ierror)
        call ok('MPI_Comm_size(comm=MPI_COMM_WORLD, size=%)', [members])
        out = in + state
        flag = .true.
        ierror = MPI_SUCCESS
    end subroutine

    subroutine forget(comm, key, value, state, ierror)
        HANDLE(MPI_Comm) :: comm
        integer :: key, ierror
        integer(kind=MPI_ADDRESS_KIND) :: value, state
        logical :: flag
        call MPI_Initialized(flag, ierror)
        call ok('MPI_Initialized(flag=1)')
        ierror = MPI_SUCCESS
    end subroutine

    subroutine look(comm, code)
        HANDLE(MPI_Comm) :: comm
        integer :: code, class, error
        call MPI_Error_class(code, class, error)
        call ok('MPI_Error_class(errorcode=' // error_text(code) // ', errorclass=MPI_ERR_RANK)')
    end subroutine

    ! Open MPI's codes are classes.
    function error_text(code)
        integer, intent(in) :: code
        character(len=:), allocatable :: error_text
        error_text = text(code)
        if (code == MPI_ERR_RANK) error_text = 'MPI_ERR_RANK'
    end function
end module

program fortran_inner
    use binding
    use callbacks
    implicit none

    call start()
    call operator_of_the_program()
    call attribute()
    call error_handler()
    call finish()

contains
    subroutine operator_of_the_program()
        HANDLE(MPI_Op) :: op
        integer :: in(2), inout(2)
        call MPI_Op_create(add, .true., op IERROR)
        call ok('MPI_Op_create(user_fn=ptr, commute=1, op=op0)')
        in = 1
        inout = 2
        call MPI_Reduce_local(in, inout, 2_ck, MPI_INTEGER, op IERROR)
        call ok('MPI_Reduce_local@(inbuf=ptr, inoutbuf=ptr, count=2, datatype=MPI_INTEGER, op=op0)')
        call must(all(inout == 3), 'Reduce_local')
        call MPI_Op_free(op IERROR)
        call ok('MPI_Op_free(op=op0)')
    end subroutine

    subroutine attribute()
        HANDLE(MPI_Comm) :: dup
        integer :: key, number
        integer(kind=MPI_ADDRESS_KIND) :: state, value
        state = 1
        value = 41
        call MPI_Comm_create_keyval(copy, forget, key, state IERROR)
        number = key
        call ok('MPI_Comm_create_keyval(comm_copy_attr_fn=ptr, comm_delete_attr_fn=ptr, comm_keyval=%, extra_state=ptr)', &
            [number])
        call MPI_Comm_set_attr(MPI_COMM_WORLD, key, value IERROR)
        call ok('MPI_Comm_set_attr(comm=MPI_COMM_WORLD, comm_keyval=%, attribute_val=ptr)', [number])
        call MPI_Comm_dup(MPI_COMM_WORLD, dup IERROR)
        call ok('MPI_Comm_dup(comm=MPI_COMM_WORLD, newcomm=comm0)')
        call MPI_Comm_free(dup IERROR)
        call ok('MPI_Comm_free(comm=comm0)')
        call MPI_Comm_delete_attr(MPI_COMM_WORLD, key IERROR)
        call ok('MPI_Comm_delete_attr(comm=MPI_COMM_WORLD, comm_keyval=%)', [number])
        call MPI_Comm_free_keyval(key IERROR)
        call ok('MPI_Comm_free_keyval(comm_keyval=%->MPI_KEYVAL_INVALID)', [number])
    end subroutine

    subroutine error_handler()
        HANDLE(MPI_Errhandler) :: handler
        integer :: error, nothing(1)
        call MPI_Comm_create_errhandler(look, handler IERROR)
        call ok('MPI_Comm_create_errhandler(comm_errhandler_fn=ptr, errhandler=errhandler0)')
        call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler IERROR)
        call ok('MPI_Comm_set_errhandler(comm=MPI_COMM_WORLD, errhandler=errhandler0)')
        call MPI_Send(nothing, 0_ck, MPI_INTEGER, n, 0, MPI_COMM_WORLD, error)
        call expect('MPI_Send@(buf=ptr, count=0, datatype=MPI_INTEGER, dest=' // text(n) // &
            ', tag=0, comm=MPI_COMM_WORLD) = MPI_ERR_RANK')
        call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL IERROR)
        call ok('MPI_Comm_set_errhandler(comm=MPI_COMM_WORLD, errhandler=MPI_ERRORS_ARE_FATAL)')
        call MPI_Errhandler_free(handler IERROR)
        call ok('MPI_Errhandler_free(errhandler=errhandler0)')
    end subroutine
end program
