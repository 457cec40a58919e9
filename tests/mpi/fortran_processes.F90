! SPDX-License-Identifier: BSD-3-Clause
! ranks: 2
! Processes that find each other, and that are started by others; on two processes.
!
! MPICH over UCX can do nothing of it: there the calls fail, and show what they were given.
#include "fortran_binding.inc"
program fortran_processes
    use binding
    implicit none
    HANDLE(MPI_Comm) :: parent
    integer :: code
    character(len=4096) :: program

    call start()
    call MPI_Comm_get_parent(parent IERROR)
    if (parent /= MPI_COMM_NULL) then
        call MPI_Comm_disconnect(parent IERROR)
        call MPI_Finalize(ierror)
        stop
    end if
    call ok('MPI_Comm_get_parent(parent=MPI_COMM_NULL)')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN IERROR)
    call ok('MPI_Comm_set_errhandler(comm=MPI_COMM_WORLD, errhandler=MPI_ERRORS_RETURN)')
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN IERROR)
    call ok('MPI_Comm_set_errhandler(comm=MPI_COMM_SELF, errhandler=MPI_ERRORS_RETURN)')
    call ports()
    call spawned()
    call finish()

contains
    ! The result of the last call, which has left its error in `code`; `out` is what it gave.
    subroutine outcome(before, out, after)
        character(len=*), intent(in) :: before, out, after
        if (code == MPI_SUCCESS) then
            call ok(before // out // after)
        else if (out == '') then
            call expect(before // after // ' = ' // error_text())
        else
            call expect(before // '?' // after // ' = ' // error_text())
        end if
    end subroutine

    function error_text()
        character(len=:), allocatable :: error_text
        integer :: class, error
        error = error_class(code, class)
        error_text = text(class)
        if (class == MPI_ERR_OTHER) error_text = 'MPI_ERR_OTHER'
    end function

    subroutine disconnect(comm, number)
        HANDLE(MPI_Comm), intent(inout) :: comm
        integer, intent(in) :: number
        if (code /= MPI_SUCCESS) return
        call MPI_Comm_disconnect(comm IERROR)
        call ok('MPI_Comm_disconnect(comm=comm%)', [number])
    end subroutine

    subroutine ports()
        HANDLE(MPI_Comm) :: other
        character(len=MPI_MAX_PORT_NAME) :: port, found
        port = ''
        found = ''
        if (rank == 0) then
            call MPI_Open_port(MPI_INFO_NULL, port, code)
            call outcome('MPI_Open_port(info=MPI_INFO_NULL, port_name=', '"' // trim(port) // '"', ')')
            if (code /= MPI_SUCCESS) port = 'none'
            call MPI_Publish_name('refrain  ', MPI_INFO_NULL, port, code)
            call ok('MPI_Publish_name(service_name="refrain", info=MPI_INFO_NULL, port_name="' // trim(port) // '")')
        end if
        call barrier()
        call MPI_Lookup_name('refrain', MPI_INFO_NULL, found, code)
        call ok('MPI_Lookup_name(service_name="refrain", info=MPI_INFO_NULL, port_name="' // trim(found) // '")')
        call must(rank /= 0 .or. found == port, 'Lookup_name')
        call barrier()
        if (rank == 0) then
            call MPI_Unpublish_name('refrain', MPI_INFO_NULL, port, code)
            call ok('MPI_Unpublish_name(service_name="refrain", info=MPI_INFO_NULL, port_name="' // trim(port) // '")')
            call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, other, code)
            call outcome('MPI_Comm_accept(port_name="' // trim(port) // &
                '", info=MPI_INFO_NULL, root=0, comm=MPI_COMM_SELF, newcomm=', 'comm0', ')')
            call disconnect(other, 0)
            call MPI_Close_port(port, code)
            call must(code == MPI_SUCCESS .or. is_mpich(), 'Close_port')
            call outcome('MPI_Close_port(port_name="' // trim(port) // '"', '', ')')
        else ! the same communicator
            call MPI_Comm_connect(found, MPI_INFO_NULL, 0, MPI_COMM_SELF, other, code)
            call outcome('MPI_Comm_connect(port_name="' // trim(found) // &
                '", info=MPI_INFO_NULL, root=0, comm=MPI_COMM_SELF, newcomm=', 'comm0', ')')
            call disconnect(other, 0)
        end if
    end subroutine

    ! This program again, which is not traced then: the launcher starts it without the tracer.
    subroutine spawned()
        HANDLE(MPI_Comm) :: children
        HANDLE(MPI_Info) :: infos(2)
        character(len=4096) :: programs(2)
        character(len=10) :: arguments(3), lists(2, 2)
        integer :: codes(2)
        infos = MPI_INFO_NULL
        call get_command_argument(0, program)
        arguments = ['one       ', 'and two   ', '          ']
        codes = -1
        call MPI_Comm_spawn(program, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, codes, code)
        call one('["one", "and two"]', '[MPI_SUCCESS]')
        call disconnect(children, 1)
        call MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, MPI_ERRCODES_IGNORE, code)
        call one('MPI_ARGV_NULL', 'MPI_ERRCODES_IGNORE')
        call disconnect(children, 1)
        programs = program
        lists(1, :) = ['one       ', '          ']
        lists(2, :) = ['two       ', '          ']
        call MPI_Comm_spawn_multiple(2, programs, lists, [1, 1], infos, 0, MPI_COMM_WORLD, children, codes, code)
        call two('["one", "two"]', '[MPI_SUCCESS, MPI_SUCCESS]')
        call disconnect(children, 2)
        call MPI_Comm_spawn_multiple(2, programs, MPI_ARGVS_NULL, [1, 1], infos, 0, MPI_COMM_WORLD, children, &
            MPI_ERRCODES_IGNORE, code)
        call two('MPI_ARGVS_NULL', 'MPI_ERRCODES_IGNORE')
        call disconnect(children, 2)
    end subroutine

    ! What the root alone says is unused elsewhere.
    subroutine one(arguments, codes)
        character(len=*), intent(in) :: arguments, codes
        if (rank == 0) then
            call family('MPI_Comm_spawn(command="' // trim(program) // '", argv=' // arguments // ', maxprocs=1, ' // &
                'info=MPI_INFO_NULL, ', 1, codes)
        else
            call family('MPI_Comm_spawn(command=unused, argv=unused, maxprocs=1, info=MPI_INFO_NULL, ', 1, codes)
        end if
    end subroutine

    subroutine two(arguments, codes)
        character(len=*), intent(in) :: arguments, codes
        if (rank == 0) then
            call family('MPI_Comm_spawn_multiple(count=2, array_of_commands=["' // trim(program) // '", "' // &
                trim(program) // '"], array_of_argv=' // arguments // ', array_of_maxprocs=[1, 1], ' // &
                'array_of_info=[MPI_INFO_NULL, MPI_INFO_NULL], ', 2, codes)
        else
            call family('MPI_Comm_spawn_multiple(count=2, array_of_commands=unused, array_of_argv=unused, ' // &
                'array_of_maxprocs=unused, array_of_info=unused, ', 2, codes)
        end if
    end subroutine

    ! Numbers serve again: a communicator's is that of the procedure and the members.
    subroutine family(before, number, codes)
        character(len=*), intent(in) :: before, codes
        integer, intent(in) :: number
        if (code == MPI_SUCCESS) then
            call ok(before // 'root=0, comm=MPI_COMM_WORLD, intercomm=comm%, array_of_errcodes=' // codes // ')', [number])
        else
            call expect(before // 'root=0, comm=MPI_COMM_WORLD, intercomm=?, array_of_errcodes=?) = ' // error_text())
        end if
    end subroutine
end program
