! SPDX-License-Identifier: BSD-3-Clause
! ranks: 2
! Inquiry, memory, info, errors, and sessions where the library has them; calls before MPI_Init.
#include "fortran_binding.inc"
program fortran_environment
    use binding
    use, intrinsic :: iso_c_binding, only: c_char, c_double, c_f_pointer, c_int, c_null_char, c_ptr, c_size_t
    implicit none
    interface
        integer(c_int) function strfromd(text, length, form, value) bind(C)
            import :: c_char, c_double, c_int, c_size_t
            character(kind=c_char), intent(out) :: text(*)
            integer(c_size_t), value :: length
            character(kind=c_char), intent(in) :: form(*)
            real(c_double), value :: value
        end function
    end interface

    call before_init()
    call threads()
    call library()
    call clocks()
    call memory()
    call infos()
    call errors()
#ifdef HAVE_MPI_4
    call sessions()
#endif
    call finish()

contains
    subroutine before_init()
        integer :: version, subversion
        logical :: flag
        call MPI_Initialized(flag IERROR)
        call ok('MPI_Initialized(flag=0)')
        call must(.not. flag, 'Initialized')
        call MPI_Finalized(flag IERROR)
        call ok('MPI_Finalized(flag=0)')
        call must(.not. flag, 'Finalized')
        call MPI_Get_version(version, subversion IERROR)
        call ok('MPI_Get_version(version=%, subversion=%)', [MPI_VERSION, MPI_SUBVERSION])
        call must(version == MPI_VERSION .and. subversion == MPI_SUBVERSION, 'Get_version')
    end subroutine

    subroutine threads()
        integer :: provided, again
        logical :: flag
        call MPI_Init_thread(MPI_THREAD_FUNNELED, provided IERROR)
        call ok('MPI_Init_thread(argc=NULL, argv=NULL, required=MPI_THREAD_FUNNELED, provided=' // level(provided) // ')')
        call started()
        call MPI_Query_thread(again IERROR)
        call ok('MPI_Query_thread(provided=' // level(again) // ')')
        call must(again == provided, 'Query_thread')
        call MPI_Is_thread_main(flag IERROR)
        call ok('MPI_Is_thread_main(flag=1)')
        call must(flag, 'Is_thread_main')
    end subroutine

    function level(provided)
        integer, intent(in) :: provided
        character(len=:), allocatable :: level
        level = 'MPI_THREAD_FUNNELED'
        if (provided == MPI_THREAD_SERIALIZED) level = 'MPI_THREAD_SERIALIZED'
        if (provided == MPI_THREAD_MULTIPLE) level = 'MPI_THREAD_MULTIPLE'
    end function

! MPICH's takes the ierror that the standard's procedure has not
#if defined MPI_mpich && defined BINDING_MPIF_H
#define CONTROL_IERROR , ierror
#else
#define CONTROL_IERROR
#endif
    subroutine library()
        character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: version
        character(len=MPI_MAX_PROCESSOR_NAME) :: name
        integer :: length
        logical :: flag
        call MPI_Get_library_version(version, length IERROR)
        call ok('MPI_Get_library_version(version="' // escaped(trim(version(:length))) // '", resultlen=' // text(length) // ')')
        call MPI_Get_processor_name(name, length IERROR)
        call ok('MPI_Get_processor_name(name="' // name(:length) // '", resultlen=' // text(length) // ')')
        call MPI_Initialized(flag IERROR)
        call ok('MPI_Initialized(flag=1)')
        ! What is between 0 and 1 is not in the trace.
        call MPI_Pcontrol(0 CONTROL_IERROR)
        call ok('MPI_Pcontrol(level=0)')
        call MPI_Barrier(MPI_COMM_WORLD IERROR)
        call MPI_Pcontrol(1 CONTROL_IERROR)
        call ok('MPI_Pcontrol(level=1)')
    end subroutine

    ! A string of C.
    function escaped(plain)
        character(len=*), intent(in) :: plain
        character(len=:), allocatable :: escaped
        integer :: i
        escaped = ''
        do i = 1, len(plain)
            select case (iachar(plain(i:i)))
            case (9)
                escaped = escaped // '\t'
            case (10)
                escaped = escaped // '\n'
            case default
                escaped = escaped // plain(i:i)
            end select
        end do
    end function

    ! The clock's value is not kept; a tick's length is.
    subroutine clocks()
        double precision :: tick
        character(len=30) :: digits
        integer :: length
        tick = MPI_Wtick()
        length = strfromd(digits, 30_c_size_t, '%.15g' // c_null_char, tick)
        call expect('MPI_Wtick() = ' // digits(:length))
        call must(tick > 0 .and. tick < 1, 'Wtick')
        call must(MPI_Wtime() >= 0, 'Wtime')
        call expect('MPI_Wtime()')
    end subroutine

    ! The address comes as an INTEGER, or as TYPE(C_PTR) where a module declares that.
    subroutine memory()
#ifdef BINDING_F08
        type(c_ptr) :: base
        integer, pointer :: block(:)
        call MPI_Alloc_mem(1000_ak, MPI_INFO_NULL, base IERROR)
        call ok('MPI_Alloc_mem(size=1000, info=MPI_INFO_NULL, baseptr=ptr)')
        call c_f_pointer(base, block, [250])
        block = 1
        call MPI_Free_mem(block)
        call ok('MPI_Free_mem(base=ptr)')
#else
        integer :: block(250)
        pointer(address, block) ! of Cray, as the standard's examples have it
        integer(kind=ak) :: place
        type(c_ptr) :: base
        integer, pointer :: memory_of_c(:)
        call MPI_Alloc_mem(1000_ak, MPI_INFO_NULL, place, ierror)
        call ok('MPI_Alloc_mem(size=1000, info=MPI_INFO_NULL, baseptr=ptr)')
        address = place
        block = 1
        call MPI_Free_mem(block, ierror)
        call ok('MPI_Free_mem(base=ptr)')
#ifdef BINDING_MPI
        call MPI_Alloc_mem(1000_ak, MPI_INFO_NULL, base, ierror)
        call ok('MPI_Alloc_mem(size=1000, info=MPI_INFO_NULL, baseptr=ptr)')
        call c_f_pointer(base, memory_of_c, [250])
        memory_of_c = 1
        call MPI_Free_mem(memory_of_c, ierror)
        call ok('MPI_Free_mem(base=ptr)')
#endif
#endif
    end subroutine

    subroutine infos()
        HANDLE(MPI_Info) :: info, copy
        character(len=20) :: value
        character(len=MPI_MAX_INFO_KEY) :: key
        integer :: length, keys
        logical :: flag
        call MPI_Info_create(info IERROR)
        call ok('MPI_Info_create(info=info0)')
        call MPI_Info_set(info, 'key  ', 'two words ' IERROR)
        call ok('MPI_Info_set(info=info0, key="key", value="two words")')
        value = 'x'
        call MPI_Info_get(info, 'key', 20, value, flag IERROR)
        call ok('MPI_Info_get(info=info0, key="key", valuelen=20, value="two words", flag=1)')
        call must(flag .and. value == 'two words', 'Info_get')
        call MPI_Info_get(info, 'none', 20, value, flag IERROR)
        call ok('MPI_Info_get(info=info0, key="none", valuelen=20, value=unused, flag=0)')
        call must(.not. flag, 'Info_get of nothing')
        call MPI_Info_get_valuelen(info, ' key', length, flag IERROR)
        call ok('MPI_Info_get_valuelen(info=info0, key=" key", valuelen=9, flag=1)')
        call must(flag .and. length == 9, 'Info_get_valuelen')
        call MPI_Info_get_nkeys(info, keys IERROR)
        call ok('MPI_Info_get_nkeys(info=info0, nkeys=1)')
        call MPI_Info_get_nthkey(info, 0, key, ierror)
        call ok('MPI_Info_get_nthkey(info=info0, n=0, key="key")')
        call must(keys == 1 .and. key == 'key', 'Info_get_nthkey')
        call MPI_Info_dup(info, copy IERROR)
        call ok('MPI_Info_dup(info=info0, newinfo=info1)')
        call MPI_Info_delete(copy, 'key ' IERROR)
        call ok('MPI_Info_delete(info=info1, key="key")')
        call MPI_Info_free(copy IERROR)
        call ok('MPI_Info_free(info=info1)')
#ifdef HAVE_MPI_4
        length = 20
        call MPI_Info_get_string(info, 'key', length, value, flag IERROR)
        call ok('MPI_Info_get_string(info=info0, key="key", buflen=20->9, value="two words", flag=1)')
        call must(flag .and. value == 'two words', 'Info_get_string')
#endif
        call MPI_Info_free(info IERROR)
        call ok('MPI_Info_free(info=info0)')
    end subroutine

    ! An error that returns: what the call should have filled in is not there.
    subroutine errors()
        integer :: class, code, again, length, received(1)
        character(len=MPI_MAX_ERROR_STRING) :: message
        call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN IERROR)
        call ok('MPI_Comm_set_errhandler(comm=MPI_COMM_WORLD, errhandler=MPI_ERRORS_RETURN)')
        call MPI_Recv(received, 1_ck, MPI_INTEGER, n, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
        call must(code /= MPI_SUCCESS, 'Recv from nobody')
        call MPI_Error_class(code, class, ierror)
        call must(class == MPI_ERR_RANK, 'Error_class')
        call expect('MPI_Recv@(buf=ptr, count=1, datatype=MPI_INTEGER, source=%, tag=1, comm=MPI_COMM_WORLD, status=?) = ' // &
            error(class, class), [n])
        call ok('MPI_Error_class(errorcode=' // error(code, class) // ', errorclass=MPI_ERR_RANK)')
        call MPI_Error_string(MPI_SUCCESS, message, length IERROR)
        call ok('MPI_Error_string(errorcode=MPI_SUCCESS, string="' // message(:length) // '", resultlen=%)', [length])
        call MPI_Add_error_class(class IERROR)
        call ok('MPI_Add_error_class(errorclass=%)', [class])
        call MPI_Add_error_code(class, code IERROR)
        call ok('MPI_Add_error_code(errorclass=%, errorcode=%)', [class, code])
        call MPI_Add_error_string(code, 'of this program   ' IERROR)
        call ok('MPI_Add_error_string(errorcode=%, string="of this program")', [code])
        call MPI_Error_class(code, again IERROR)
        call ok('MPI_Error_class(errorcode=%, errorclass=%)', [code, class])
        call must(again == class, 'Error_class of a new code')
        call MPI_Error_string(code, message, length IERROR)
        call ok('MPI_Error_string(errorcode=%, string="of this program", resultlen=15)', [code])
        call must(message == 'of this program', 'Error_string')
    end subroutine

    ! MPICH's codes are more than their class.
    function error(code, class)
        integer, intent(in) :: code, class
        character(len=:), allocatable :: error
        error = text(code)
        if (code == class) error = 'MPI_ERR_RANK'
    end function

#ifdef HAVE_MPI_4
    ! The world as a process set.
    subroutine sessions()
        HANDLE(MPI_Session) :: session
        HANDLE(MPI_Info) :: info
        HANDLE(MPI_Group) :: all, mine, other
        HANDLE(MPI_Comm) :: comm, inter
        character(len=30) :: name
        integer :: sets, length
#ifdef BINDING_F08
        integer, parameter :: first = 0
#else
        integer, parameter :: first = 1 ! in MPICH 4.0
#endif
        call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session IERROR)
        call ok('MPI_Session_init(info=MPI_INFO_NULL, errhandler=MPI_ERRORS_RETURN, session=session0)')
        call MPI_Session_get_info(session, info IERROR)
        call ok('MPI_Session_get_info(session=session0, info_used=info2)')
        call MPI_Info_free(info IERROR)
        call ok('MPI_Info_free(info=info2)')
        call MPI_Session_get_num_psets(session, MPI_INFO_NULL, sets IERROR)
        call ok('MPI_Session_get_num_psets(session=session0, info=MPI_INFO_NULL, npset_names=2)')
        length = 30
        call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, first, length, name IERROR)
        call ok('MPI_Session_get_nth_pset(session=session0, info=MPI_INFO_NULL, n=%, pset_len=30, ' // &
            'pset_name="mpi://WORLD")', [first])
        call must(name == 'mpi://WORLD', 'Session_get_nth_pset')
        call MPI_Session_get_pset_info(session, 'mpi://WORLD  ', info IERROR)
        call ok('MPI_Session_get_pset_info(session=session0, pset_name="mpi://WORLD", info=info3)')
        call MPI_Info_free(info IERROR)
        call ok('MPI_Info_free(info=info3)')
        call MPI_Group_from_session_pset(session, 'mpi://WORLD', all IERROR)
        call ok('MPI_Group_from_session_pset(session=session0, pset_name="mpi://WORLD", newgroup=group0)')
        call MPI_Comm_create_from_group(all, 'refrain  ', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm IERROR)
        call ok('MPI_Comm_create_from_group(group=group0, stringtag="refrain", info=MPI_INFO_NULL, ' // &
            'errhandler=MPI_ERRORS_RETURN, newcomm=comm0)')
        call MPI_Comm_free(comm IERROR)
        call ok('MPI_Comm_free(comm=comm0)')
        call MPI_Group_incl(all, 1, [rank], mine IERROR)
        call ok('MPI_Group_incl(group=group0, n=1, ranks=[%], newgroup=group1)', [rank])
        call MPI_Group_incl(all, 1, [right], other IERROR)
        call ok('MPI_Group_incl(group=group0, n=1, ranks=[%], newgroup=group2)', [right])
        call MPI_Intercomm_create_from_groups(mine, 0, other, 0, 'between', MPI_INFO_NULL, MPI_ERRORS_RETURN, inter IERROR)
        call ok('MPI_Intercomm_create_from_groups(local_group=group1, local_leader=0, remote_group=group2, ' // &
            'remote_leader=0, stringtag="between", info=MPI_INFO_NULL, errhandler=MPI_ERRORS_RETURN, ' // &
            'newintercomm=comm1)')
        call MPI_Comm_free(inter IERROR)
        call ok('MPI_Comm_free(comm=comm1)')
        call MPI_Group_free(other IERROR)
        call ok('MPI_Group_free(group=group2)')
        call MPI_Group_free(mine IERROR)
        call ok('MPI_Group_free(group=group1)')
        call MPI_Group_free(all IERROR)
        call ok('MPI_Group_free(group=group0)')
        call MPI_Session_finalize(session IERROR)
        call ok('MPI_Session_finalize(session=session0)')
#ifndef BINDING_F08 /* where MPICH 4.0 crashes */
        call MPI_Info_create_env(info IERROR)
        call ok('MPI_Info_create_env(argc=0, argv=NULL, info=info4)')
        call MPI_Info_free(info IERROR)
        call ok('MPI_Info_free(info=info4)')
#endif
    end subroutine
#endif
end program
