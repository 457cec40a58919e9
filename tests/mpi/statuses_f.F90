! SPDX-License-Identifier: BSD-3-Clause
! As statuses.c, through the Fortran bindings: what calls leave of statuses that the program has filled with a pattern.
!
!     statuses_f PATTERN FILE DIRT        on two processes; the byte that fills them, a file to be written
!                                         and read, and the number that is left on the stack before each call
#include "fortran_binding.inc"
! The program's own procedures of a generalized request.
module generalized_request
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
    integer :: pattern
    ! The status when the program is asked to set it.
    STATUS(queried)

contains
    ! As many of them as a status has.
    function bytes(of)
        integer, intent(in) :: of
        character(len=4 * MPI_STATUS_SIZE) :: bytes
        bytes = repeat(char(of), len(bytes))
    end function

    ! Open MPI takes an error in the status for that of the request.
    subroutine query(extra, status, ierror)
        integer(kind=MPI_ADDRESS_KIND) :: extra
        STATUS(status)
        integer :: ierror
        queried = status
        status = transfer(bytes(255 - pattern), status)
        call MPI_Status_set_elements(status, MPI_INTEGER, 3, ierror)
        call MPI_Status_set_cancelled(status, .false., ierror)
        SOURCE(status) = 1
        TAG(status) = 2
        FAULT(status) = MPI_SUCCESS
        ierror = MPI_SUCCESS
    end subroutine

    subroutine release(extra, ierror)
        integer(kind=MPI_ADDRESS_KIND) :: extra
        integer :: ierror
        ierror = MPI_SUCCESS
    end subroutine

    subroutine cancel(extra, complete, ierror)
        integer(kind=MPI_ADDRESS_KIND) :: extra
        logical :: complete
        integer :: ierror
        ierror = MPI_SUCCESS
    end subroutine
end module

program statuses_f
    use generalized_request
    implicit none
#ifdef BINDING_F08
#define ELEMENT(i) statuses(i)
#else
#define ELEMENT(i) statuses(:, i)
#endif
#ifdef BINDING_F08_LARGE
    integer, parameter :: ck = MPI_COUNT_KIND
    ! What the names of procedures with such counts end in.
    character(len=*), parameter :: large = '_c'
#else
    integer, parameter :: ck = kind(0)
    character(len=*), parameter :: large = ''
#endif
    integer, parameter :: n = 3, last = 1000
    integer :: dirt, rank, ierror, value(4), which, number, indices(n)
    integer(kind=ck) :: elements = 0
    integer(kind=MPI_COUNT_KIND) :: elements_x = 0
    logical :: flag
    STATUSES(statuses, 3)
    STATUS(status)
    HANDLE(MPI_Request) :: requests(n)
    HANDLE(MPI_Message) :: message
    HANDLE(MPI_File) :: file
    character(len=1024) :: argument

    call get_command_argument(1, argument)
    read (argument, *) pattern
    call get_command_argument(3, argument)
    read (argument, *) dirt
    call get_command_argument(2, argument)
    value = 0
    flag = .false.
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    if (rank == 0) then
        call probes()
        call messages()
        call one_completion()
        call generalized()
        call several_completions()
        call accesses()
        call conversions()
        call settings()
        call send(last)
    else
        call serve()
    end if
    call MPI_Finalize(ierror)

contains
    subroutine fill()
        integer :: i
        status = transfer(bytes(pattern), status)
        do i = 1, n
            ELEMENT(i) = status
        end do
    end subroutine

    ! Open MPI's bindings hand on statuses of their own, as far as a call sets them: the rest is what was on the stack.
    subroutine dirty()
        integer, volatile :: room(4096)
        room = dirt
    end subroutine

    ! A line: the status, all of `statuses`, and the numbers of elements.
    subroutine show(what)
        character(len=*), intent(in) :: what
        integer :: i
        write (*, '(a, l2)', advance='no') what, flag
        call show_status(status)
        do i = 1, n
            call show_status(ELEMENT(i))
        end do
        write (*, '(2(" ", i0))') elements, elements_x
        flush (6)
        flag = .false.
    end subroutine

    subroutine show_status(shown)
        STATUS(shown)
        write (*, '(" ", *(z8.8))', advance='no') transfer(shown, [0])
    end subroutine

    ! Process 1 sends what process 0 tells it to.
    subroutine send(tag)
        integer, intent(in) :: tag
        call MPI_Send(value, 0_ck, MPI_INTEGER, 1, tag, MPI_COMM_WORLD IERROR)
    end subroutine

    subroutine serve()
        integer :: tag
        do
            call MPI_Recv(value, 0_ck, MPI_INTEGER, 0, MPI_ANY_TAG, MPI_COMM_WORLD, status IERROR)
            tag = TAG(status)
            if (tag == last) return
            call MPI_Send(value, 1_ck, MPI_INTEGER, 0, tag, MPI_COMM_WORLD IERROR)
        end do
    end subroutine

    subroutine receive(m)
        integer, intent(in) :: m
        integer :: i
        do i = 1, m
            call MPI_Irecv(value(i), 1_ck, MPI_INTEGER, 1, i, MPI_COMM_WORLD, requests(i) IERROR)
        end do
    end subroutine

    ! Until a request is complete, which it stays.
    subroutine await(i)
        integer, intent(in) :: i
        flag = .false.
        do while (.not. flag)
            call MPI_Request_get_status(requests(i), flag, status IERROR)
        end do
    end subroutine

    subroutine probes()
        call fill(); call dirty(); call MPI_Iprobe(1, 1, MPI_COMM_WORLD, flag, status IERROR); call show('MPI_Iprobe')
        call fill(); call dirty(); call MPI_Improbe(1, 1, MPI_COMM_WORLD, flag, message, status IERROR); call show('MPI_Improbe')
        call send(2)
        call fill(); call dirty(); call MPI_Probe(1, 2, MPI_COMM_WORLD, status IERROR); call show('MPI_Probe')
        call MPI_Get_count(status, MPI_INTEGER, elements IERROR); call show('MPI_Get_count' // large)
        call fill(); call dirty(); call MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, flag, status IERROR); call show('MPI_Iprobe')
        call fill(); call dirty(); call MPI_Mprobe(1, 2, MPI_COMM_WORLD, message, status IERROR); call show('MPI_Mprobe')
        call fill(); call dirty(); call MPI_Mrecv(value, 1_ck, MPI_INTEGER, message, status IERROR)
        call show('MPI_Mrecv' // large)
        call send(3)
        call MPI_Probe(1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE IERROR)
        call fill(); call dirty(); call MPI_Improbe(1, 3, MPI_COMM_WORLD, flag, message, status IERROR); call show('MPI_Improbe')
        call MPI_Mrecv(value, 1_ck, MPI_INTEGER, message, MPI_STATUS_IGNORE IERROR)
    end subroutine

    subroutine messages()
        call send(1)
        call fill(); call dirty()
        call MPI_Recv(value, 1_ck, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, status IERROR)
        call show('MPI_Recv' // large)
        call MPI_Get_elements(status, MPI_INTEGER, elements IERROR); call show('MPI_Get_elements' // large)
        call MPI_Get_elements_x(status, MPI_INTEGER, elements_x IERROR); call show('MPI_Get_elements_x')
        call MPI_Test_cancelled(status, flag IERROR); call show('MPI_Test_cancelled')
        call fill()
        call dirty()
        call MPI_Sendrecv(value(1), 1_ck, MPI_INTEGER, 0, 1, value(2), 1_ck, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, status IERROR)
        call show('MPI_Sendrecv' // large)
        call fill(); call dirty()
        call MPI_Sendrecv_replace(value, 1_ck, MPI_INTEGER, 0, 1, 0, 1, MPI_COMM_WORLD, status IERROR)
        call show('MPI_Sendrecv_replace' // large)
    end subroutine

    subroutine one_completion()
        call receive(1)
        call fill(); call dirty(); call MPI_Test(requests(1), flag, status IERROR); call show('MPI_Test')
        call fill(); call dirty(); call MPI_Request_get_status(requests(1), flag, status IERROR); call show('MPI_Request_get_status')
        call fill(); call dirty(); call MPI_Testany(1, requests, which, flag, status IERROR); call show('MPI_Testany')
        call send(1)
        call fill(); call dirty(); call MPI_Wait(requests(1), status IERROR); call show('MPI_Wait')
        call fill(); call dirty(); call MPI_Wait(requests(1), status IERROR); call show('MPI_Wait')
        call fill(); call dirty(); call MPI_Test(requests(1), flag, status IERROR); call show('MPI_Test')
        call fill(); call dirty(); call MPI_Waitany(1, requests, which, status IERROR); call show('MPI_Waitany')
        call fill(); call dirty(); call MPI_Testany(1, requests, which, flag, status IERROR); call show('MPI_Testany')
        call receive(2)
        call send(2)
        call fill(); call dirty(); call MPI_Waitany(2, requests, which, status IERROR); call show('MPI_Waitany')
        call send(1)
        call await(1)
        call fill(); call dirty(); call MPI_Request_get_status(requests(1), flag, status IERROR); call show('MPI_Request_get_status')
        call fill(); call dirty(); call MPI_Testany(2, requests, which, flag, status IERROR); call show('MPI_Testany')
    end subroutine

    subroutine show_queried()
        call fill()
        status = queried
        call show('MPI_Grequest_query_function')
    end subroutine

    subroutine generalized()
        integer(kind=MPI_ADDRESS_KIND) :: extra
        extra = 0
        call MPI_Grequest_start(query, release, cancel, extra, requests(1) IERROR)
        call fill(); call dirty(); call MPI_Test(requests(1), flag, status IERROR); call show('MPI_Test')
        call MPI_Grequest_complete(requests(1) IERROR)
        call fill(); call dirty(); call MPI_Wait(requests(1), status IERROR); call show('MPI_Wait')
        call show_queried()
    end subroutine

    subroutine several_completions()
        integer :: i
        call receive(n)
        call fill(); call dirty(); call MPI_Testall(n, requests, flag, statuses IERROR); call show('MPI_Testall')
        call fill(); call dirty(); call MPI_Testsome(n, requests, number, indices, statuses IERROR); call show('MPI_Testsome')
        call send(2)
        call fill(); call dirty(); call MPI_Waitsome(n, requests, number, indices, statuses IERROR); call show('MPI_Waitsome')
        call send(1)
        call send(3)
        call fill(); call dirty(); call MPI_Waitall(n, requests, statuses IERROR); call show('MPI_Waitall')
        call fill(); call dirty(); call MPI_Waitsome(n, requests, number, indices, statuses IERROR); call show('MPI_Waitsome')
        call receive(n)
        do i = 1, n
            call send(i)
            call await(i)
        end do
        call fill(); call dirty(); call MPI_Testall(n, requests, flag, statuses IERROR); call show('MPI_Testall')
    end subroutine

    ! MPICH 4.0 has these with INTEGER counts alone.
    subroutine accesses()
        integer(kind=MPI_OFFSET_KIND) :: start
        start = 0
        call MPI_File_open(MPI_COMM_SELF, trim(argument), MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file IERROR)
        call fill(); call dirty(); call MPI_File_write(file, value, 4, MPI_INTEGER, status IERROR); call show('MPI_File_write')
        call fill(); call dirty(); call MPI_File_write_all(file, value, 4, MPI_INTEGER, status IERROR); call show('MPI_File_write_all')
        call fill(); call dirty(); call MPI_File_write_shared(file, value, 4, MPI_INTEGER, status IERROR); call show('MPI_File_write_shared')
        call fill(); call dirty(); call MPI_File_write_ordered(file, value, 4, MPI_INTEGER, status IERROR); call show('MPI_File_write_ordered')
        call fill(); call dirty(); call MPI_File_write_at(file, start, value, 4, MPI_INTEGER, status IERROR); call show('MPI_File_write_at')
        call fill(); call dirty(); call MPI_File_write_at_all(file, start, value, 4, MPI_INTEGER, status IERROR); call show('MPI_File_write_at_all')
        call MPI_File_write_all_begin(file, value, 4, MPI_INTEGER IERROR)
        call fill(); call dirty(); call MPI_File_write_all_end(file, value, status IERROR); call show('MPI_File_write_all_end')
        call MPI_File_write_ordered_begin(file, value, 4, MPI_INTEGER IERROR)
        call fill(); call dirty(); call MPI_File_write_ordered_end(file, value, status IERROR); call show('MPI_File_write_ordered_end')
        call MPI_File_write_at_all_begin(file, start, value, 4, MPI_INTEGER IERROR)
        call fill(); call dirty(); call MPI_File_write_at_all_end(file, value, status IERROR); call show('MPI_File_write_at_all_end')
        call MPI_File_seek(file, start, MPI_SEEK_SET IERROR)
        call MPI_File_seek_shared(file, start, MPI_SEEK_SET IERROR)
        call fill(); call dirty(); call MPI_File_read(file, value, 1, MPI_INTEGER, status IERROR); call show('MPI_File_read')
        call fill(); call dirty(); call MPI_File_read_all(file, value, 1, MPI_INTEGER, status IERROR); call show('MPI_File_read_all')
        call fill(); call dirty(); call MPI_File_read_shared(file, value, 1, MPI_INTEGER, status IERROR); call show('MPI_File_read_shared')
        call fill(); call dirty(); call MPI_File_read_ordered(file, value, 1, MPI_INTEGER, status IERROR); call show('MPI_File_read_ordered')
        call fill(); call dirty(); call MPI_File_read_at(file, start, value, 1, MPI_INTEGER, status IERROR); call show('MPI_File_read_at')
        call fill(); call dirty(); call MPI_File_read_at_all(file, start, value, 1, MPI_INTEGER, status IERROR); call show('MPI_File_read_at_all')
        call MPI_File_read_all_begin(file, value, 1, MPI_INTEGER IERROR)
        call fill(); call dirty(); call MPI_File_read_all_end(file, value, status IERROR); call show('MPI_File_read_all_end')
        call MPI_File_read_ordered_begin(file, value, 1, MPI_INTEGER IERROR)
        call fill(); call dirty(); call MPI_File_read_ordered_end(file, value, status IERROR); call show('MPI_File_read_ordered_end')
        call MPI_File_read_at_all_begin(file, start, value, 1, MPI_INTEGER IERROR)
        call fill(); call dirty(); call MPI_File_read_at_all_end(file, value, status IERROR); call show('MPI_File_read_at_all_end')
        call MPI_File_close(file IERROR)
    end subroutine

    ! Between the forms of mpif.h and mpi_f08. What is of the form of mpif.h is shown as statuses(1).
    subroutine conversions()
#if defined BINDING_F08 && defined HAVE_MPI_4
        integer :: old(MPI_STATUS_SIZE)
        call fill()
        old = transfer(bytes(255 - pattern), old)
        call MPI_Status_f2f08(old, status)
        call show('MPI_Status_f2f08')
        call fill()
        status = transfer(old, status)
        old = transfer(bytes(pattern), old)
        call MPI_Status_f082f(status, old)
        statuses(1) = transfer(old, status)
        call show('MPI_Status_f082f')
#endif
    end subroutine

    subroutine settings()
        call fill(); call dirty(); call MPI_Status_set_cancelled(status, .false. IERROR)
        call show('MPI_Status_set_cancelled')
        call fill(); call dirty(); call MPI_Status_set_cancelled(status, .true. IERROR)
        call show('MPI_Status_set_cancelled')
        call MPI_Test_cancelled(status, flag IERROR); call show('MPI_Test_cancelled')
        call fill(); call dirty(); call MPI_Status_set_elements(status, MPI_INTEGER, 3 IERROR)
        call show('MPI_Status_set_elements')
        call MPI_Get_elements(status, MPI_INTEGER, elements IERROR); call show('MPI_Get_elements' // large)
        elements_x = 2_MPI_COUNT_KIND**32
        call fill(); call dirty(); call MPI_Status_set_elements_x(status, MPI_INTEGER, elements_x IERROR)
        call show('MPI_Status_set_elements_x')
        call MPI_Get_elements_x(status, MPI_INTEGER, elements_x IERROR); call show('MPI_Get_elements_x')
    end subroutine
end program
