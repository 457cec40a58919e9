! SPDX-License-Identifier: BSD-3-Clause
! ranks: 2
! Attributes of communicators, datatypes and windows, with callbacks of the program; and the older ones of INTEGERs.
#include "fortran_binding.inc"
module fortran_callbacks
    use binding
    implicit none
    integer :: copied = 0, deleted = 0

contains
    subroutine copy_comm(old, keyval, extra, in, out, flag, ierror)
        HANDLE(MPI_Comm) :: old
        integer :: keyval, ierror
        integer(kind=MPI_ADDRESS_KIND) :: extra, in, out
        logical :: flag
        copied = copied + 1
        out = in + extra
        flag = .true.
        ierror = MPI_SUCCESS
    end subroutine

    subroutine delete_comm(old, keyval, value, extra, ierror)
        HANDLE(MPI_Comm) :: old
        integer :: keyval, ierror
        integer(kind=MPI_ADDRESS_KIND) :: value, extra
        deleted = deleted + 1
        ierror = MPI_SUCCESS
    end subroutine

    subroutine copy_type(old, keyval, extra, in, out, flag, ierror)
        HANDLE(MPI_Datatype) :: old
        integer :: keyval, ierror
        integer(kind=MPI_ADDRESS_KIND) :: extra, in, out
        logical :: flag
        copied = copied + 1
        out = in + extra
        flag = .true.
        ierror = MPI_SUCCESS
    end subroutine

    subroutine delete_type(old, keyval, value, extra, ierror)
        HANDLE(MPI_Datatype) :: old
        integer :: keyval, ierror
        integer(kind=MPI_ADDRESS_KIND) :: value, extra
        deleted = deleted + 1
        ierror = MPI_SUCCESS
    end subroutine

    subroutine copy_win(old, keyval, extra, in, out, flag, ierror)
        HANDLE(MPI_Win) :: old
        integer :: keyval, ierror
        integer(kind=MPI_ADDRESS_KIND) :: extra, in, out
        logical :: flag
        flag = .false.
        ierror = MPI_SUCCESS
    end subroutine

    subroutine delete_win(old, keyval, value, extra, ierror)
        HANDLE(MPI_Win) :: old
        integer :: keyval, ierror
        integer(kind=MPI_ADDRESS_KIND) :: value, extra
        deleted = deleted + 1
        ierror = MPI_SUCCESS
    end subroutine

#ifdef HAVE_MPI_1
    subroutine copy_old(old, keyval, extra, in, out, flag, ierror)
        integer :: old, keyval, extra, in, out, ierror
        logical :: flag
        copied = copied + 1
        out = in + extra
        flag = .true.
        ierror = MPI_SUCCESS
    end subroutine

    subroutine delete_old(old, keyval, value, extra, ierror)
        integer :: old, keyval, value, extra, ierror
        deleted = deleted + 1
        ierror = MPI_SUCCESS
    end subroutine
#endif
end module

program fortran_attributes
    use binding
    use fortran_callbacks
    implicit none
    integer :: keyval, made
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    logical :: flag

    call start()
    extra = 7
    call communicators()
    call datatypes()
    call windows()
    call predefined()
#ifdef HAVE_MPI_1
    call removed()
#endif
    call finish()

contains
    subroutine communicators()
        HANDLE(MPI_Comm) :: copy
        call MPI_Comm_create_keyval(copy_comm, delete_comm, keyval, extra IERROR)
        call ok('MPI_Comm_create_keyval(comm_copy_attr_fn=ptr, comm_delete_attr_fn=ptr, comm_keyval=%, extra_state=ptr)', &
            [keyval])
        value = 12345
        call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, value IERROR)
        call ok('MPI_Comm_set_attr(comm=MPI_COMM_WORLD, comm_keyval=%, attribute_val=ptr)', [keyval])
        call MPI_Comm_dup(MPI_COMM_WORLD, copy IERROR)
        call ok('MPI_Comm_dup(comm=MPI_COMM_WORLD, newcomm=comm0)')
        value = 0
        call MPI_Comm_get_attr(copy, keyval, value, flag IERROR)
        call ok('MPI_Comm_get_attr(comm=comm0, comm_keyval=%, attribute_val=ptr, flag=1)', [keyval])
        call must(flag .and. value == 12352 .and. copied == 1, 'Comm_get_attr')
        call MPI_Comm_delete_attr(copy, keyval IERROR)
        call ok('MPI_Comm_delete_attr(comm=comm0, comm_keyval=%)', [keyval])
        call must(deleted == 1, 'Comm_delete_attr')
        call MPI_Comm_get_attr(copy, keyval, value, flag IERROR)
        call ok('MPI_Comm_get_attr(comm=comm0, comm_keyval=%, attribute_val=NULL, flag=0)', [keyval])
        call must(.not. flag, 'Comm_get_attr of nothing')
        call MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval IERROR)
        call ok('MPI_Comm_delete_attr(comm=MPI_COMM_WORLD, comm_keyval=%)', [keyval])
        call MPI_Comm_free(copy IERROR)
        call ok('MPI_Comm_free(comm=comm0)')
        made = keyval
        call MPI_Comm_free_keyval(keyval IERROR)
        call ok('MPI_Comm_free_keyval(comm_keyval=%->MPI_KEYVAL_INVALID)', [made])
        call must(keyval == MPI_KEYVAL_INVALID, 'Comm_free_keyval')
    end subroutine

    subroutine datatypes()
        HANDLE(MPI_Datatype) :: type, copy
        call MPI_Type_contiguous(2_ck, MPI_INTEGER, type IERROR)
        call ok('MPI_Type_contiguous@(count=2, oldtype=MPI_INTEGER, newtype=type0)')
        call MPI_Type_create_keyval(copy_type, delete_type, keyval, extra IERROR)
        call ok('MPI_Type_create_keyval(type_copy_attr_fn=ptr, type_delete_attr_fn=ptr, type_keyval=%, extra_state=ptr)', &
            [keyval])
        value = 1
        call MPI_Type_set_attr(type, keyval, value IERROR)
        call ok('MPI_Type_set_attr(datatype=type0, type_keyval=%, attribute_val=ptr)', [keyval])
        call MPI_Type_dup(type, copy IERROR)
        call ok('MPI_Type_dup(oldtype=type0, newtype=type1)')
        call MPI_Type_get_attr(copy, keyval, value, flag IERROR)
        call ok('MPI_Type_get_attr(datatype=type1, type_keyval=%, attribute_val=ptr, flag=1)', [keyval])
        call must(flag .and. value == 8, 'Type_get_attr')
        call MPI_Type_delete_attr(copy, keyval IERROR)
        call ok('MPI_Type_delete_attr(datatype=type1, type_keyval=%)', [keyval])
        call MPI_Type_free(copy IERROR)
        call ok('MPI_Type_free(datatype=type1)')
        call MPI_Type_free(type IERROR)
        call ok('MPI_Type_free(datatype=type0)')
        call must(deleted == 4, 'deleted attributes of datatypes')
        made = keyval
        call MPI_Type_free_keyval(keyval IERROR)
        call ok('MPI_Type_free_keyval(type_keyval=%->MPI_KEYVAL_INVALID)', [made])
        call must(keyval == MPI_KEYVAL_INVALID, 'Type_free_keyval')
    end subroutine

    subroutine windows()
        HANDLE(MPI_Win) :: window
        integer :: memory(4)
        call MPI_Win_create(memory, 16_ak, 4_dk, MPI_INFO_NULL, MPI_COMM_WORLD, window IERROR)
        call ok('MPI_Win_create@(base=ptr, size=16, disp_unit=4, info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, win=win0)')
        call MPI_Win_create_keyval(copy_win, delete_win, keyval, extra IERROR)
        call ok('MPI_Win_create_keyval(win_copy_attr_fn=ptr, win_delete_attr_fn=ptr, win_keyval=%, extra_state=ptr)', &
            [keyval])
        value = 3
        call MPI_Win_set_attr(window, keyval, value IERROR)
        call ok('MPI_Win_set_attr(win=win0, win_keyval=%, attribute_val=ptr)', [keyval])
        value = 0
        call MPI_Win_get_attr(window, keyval, value, flag IERROR)
        call ok('MPI_Win_get_attr(win=win0, win_keyval=%, attribute_val=ptr, flag=1)', [keyval])
        call must(flag .and. value == 3, 'Win_get_attr')
        call MPI_Win_get_attr(window, MPI_WIN_SIZE, value, flag IERROR)
        call ok('MPI_Win_get_attr(win=win0, win_keyval=MPI_WIN_SIZE, attribute_val=ptr, flag=1)')
        call must(flag .and. value == 16, 'Win_get_attr of the size')
        call MPI_Win_delete_attr(window, keyval IERROR)
        call ok('MPI_Win_delete_attr(win=win0, win_keyval=%)', [keyval])
        call must(deleted == 5, 'Win_delete_attr')
        made = keyval
        call MPI_Win_free_keyval(keyval IERROR)
        call ok('MPI_Win_free_keyval(win_keyval=%->MPI_KEYVAL_INVALID)', [made])
        call MPI_Win_free(window IERROR)
        call ok('MPI_Win_free(win=win0)')
    end subroutine

    ! What the library has. Of MPICH, callbacks are the older ones of C, or null.
    subroutine predefined()
#ifdef MPI_mpich
        character(len=*), parameter :: dup_comm = 'MPI_DUP_FN', delete_comm = 'NULL', copy_type = 'NULL', delete_type = 'NULL'
#else
        character(len=*), parameter :: dup_comm = 'MPI_COMM_DUP_FN', delete_comm = 'MPI_COMM_NULL_DELETE_FN', &
            copy_type = 'MPI_TYPE_NULL_COPY_FN', delete_type = 'MPI_TYPE_NULL_DELETE_FN'
#endif
        call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra IERROR)
        call ok('MPI_Comm_create_keyval(comm_copy_attr_fn=' // dup_comm // ', comm_delete_attr_fn=' // delete_comm // &
            ', comm_keyval=%, extra_state=ptr)', [keyval])
        made = keyval
        call MPI_Comm_free_keyval(keyval IERROR)
        call ok('MPI_Comm_free_keyval(comm_keyval=%->MPI_KEYVAL_INVALID)', [made])
        call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, keyval, extra IERROR)
        call ok('MPI_Type_create_keyval(type_copy_attr_fn=' // copy_type // ', type_delete_attr_fn=' // delete_type // &
            ', type_keyval=%, extra_state=ptr)', [keyval])
        made = keyval
        call MPI_Type_free_keyval(keyval IERROR)
        call ok('MPI_Type_free_keyval(type_keyval=%->MPI_KEYVAL_INVALID)', [made])
        call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag IERROR)
        call ok('MPI_Comm_get_attr(comm=MPI_COMM_WORLD, comm_keyval=MPI_TAG_UB, attribute_val=ptr, flag=1)')
        call must(flag .and. value >= 32767, 'MPI_TAG_UB')
    end subroutine

#ifdef HAVE_MPI_1
    ! Values of INTEGERs.
    subroutine removed()
        integer :: copy, old_value
        copied = 0
        call MPI_Keyval_create(copy_old, delete_old, keyval, 7, ierror)
        call ok('MPI_Keyval_create(copy_fn=ptr, delete_fn=ptr, keyval=%, extra_state=ptr)', [keyval])
        call MPI_Attr_put(MPI_COMM_WORLD, keyval, -1, ierror)
        call ok('MPI_Attr_put(comm=MPI_COMM_WORLD, keyval=%, attribute_val=ptr)', [keyval])
        call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
        call ok('MPI_Comm_dup(comm=MPI_COMM_WORLD, newcomm=comm0)')
        call MPI_Attr_get(copy, keyval, old_value, flag, ierror)
        call ok('MPI_Attr_get(comm=comm0, keyval=%, attribute_val=ptr, flag=1)', [keyval])
        call must(flag .and. old_value == 6 .and. copied == 1, 'Attr_get')
        call MPI_Attr_delete(copy, keyval, ierror)
        call ok('MPI_Attr_delete(comm=comm0, keyval=%)', [keyval])
        call MPI_Attr_delete(MPI_COMM_WORLD, keyval, ierror)
        call ok('MPI_Attr_delete(comm=MPI_COMM_WORLD, keyval=%)', [keyval])
        call must(deleted == 7, 'Attr_delete')
        made = keyval
        call MPI_Keyval_free(keyval, ierror)
        call ok('MPI_Keyval_free(keyval=%->MPI_KEYVAL_INVALID)', [made])
        call MPI_Comm_free(copy, ierror)
        call ok('MPI_Comm_free(comm=comm0)')
    end subroutine
#endif
end program
