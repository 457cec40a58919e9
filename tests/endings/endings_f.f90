! SPDX-License-Identifier: BSD-3-Clause
! The same from Fortran (endings.c), whose run-time library has signal handlers of its own.
!
!     endings_f ENDING COUNTS
program endings_f
    use mpi
    implicit none
    integer, parameter :: rounds = 200
    integer :: rank, ranks, made, i, ierror, message, code
    integer, dimension(MPI_STATUS_SIZE) :: status
    character(len=16) :: ending

    interface
        subroutine raise_c(number) bind(c, name='raise')
            use iso_c_binding, only: c_int
            integer(c_int), value :: number
        end subroutine raise_c
    end interface

    call get_command_argument(1, ending)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    do i = 1, rounds
        call MPI_Barrier(MPI_COMM_WORLD, ierror)
    end do
    call pause_for(0.3) ! long enough for a checkpoint to be due
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    made = 4 + rounds
    if (ending == 'f-finalize') then
        call tell(made + 1)
        call MPI_Finalize(ierror)
    else if (rank /= 1) then
        call tell(made + 1)
        call MPI_Recv(message, 1, MPI_INTEGER, 1, 99, MPI_COMM_WORLD, status, ierror)
    else
        call pause_for(0.2) ! until the others wait
        if (ending == 'f-abort') then
            code = 3
            call tell(made + 1)
            call MPI_Abort(MPI_COMM_WORLD, code, ierror)
        else if (ending == 'f-error') then
            call tell(made + 1)
            call MPI_Send(message, 1, MPI_INTEGER, ranks + 70, 0, MPI_COMM_WORLD, ierror)
        else if (ending == 'f-segv') then
            call tell(made)
            call raise_c(11)
        else
            call tell(made)
            stop 7
        end if
    end if

contains

    subroutine tell(n)
        integer, intent(in) :: n
        character(len=4096) :: name
        integer :: unit
        call get_command_argument(2, name)
        write (name, '(a,".",i0)') trim(name), rank
        open (newunit=unit, file=name, action='write')
        write (unit, '(i0)') n
        close (unit)
    end subroutine tell

    subroutine pause_for(seconds)
        real, intent(in) :: seconds
        integer(8) :: start, now, rate
        call system_clock(start, rate)
        now = start
        do while (now - start < int(seconds * real(rate), 8))
            call system_clock(now)
        end do
    end subroutine pause_for
end program endings_f
