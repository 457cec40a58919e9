! SPDX-License-Identifier: BSD-3-Clause
! ranks: 2 3
! Fortran's memory: arrays of the main program and of modules, common blocks, allocatables, and what MPI allocates.
#include "fortran_binding.inc"
module memory_of_module
    implicit none
    integer :: in_module(100)
end module

program fortran_memory
    use binding
    use memory_of_module
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    implicit none
    integer :: i, in_common(50)
    integer, allocatable :: one(:), two(:, :)
    common /block/ in_common

    call start()
    call MPI_Bcast(in_module(3), 1_ck, MPI_INTEGER, 0, MPI_COMM_WORLD IERROR)
    call used('&memory_of_module::in_module+8')
    call MPI_Bcast(in_common(2), 1_ck, MPI_INTEGER, 0, MPI_COMM_WORLD IERROR)
    call used('&block_+4')
    do i = 1, 3
        allocate (one(30), two(10, 20000))
        call MPI_Bcast(one, 1_ck, MPI_INTEGER, 0, MPI_COMM_WORLD IERROR)
        call used('heap0')
        call MPI_Bcast(two(3, 2), 1_ck, MPI_INTEGER, 0, MPI_COMM_WORLD IERROR)
        call used('heap1+48')
        deallocate (one, two)
    end do
    call allocated_by_mpi()
    call finish()

contains
    subroutine used(symbol)
        character(len=*), intent(in) :: symbol
        call ok('MPI_Bcast@(buffer=' // symbol // ', count=1, datatype=MPI_INTEGER, root=0, comm=MPI_COMM_WORLD)')
    end subroutine

    subroutine allocated_by_mpi()
        type(c_ptr) :: base
        integer, pointer :: memory(:)
        HANDLE(MPI_Win) :: win
        call MPI_Alloc_mem(400_ak, MPI_INFO_NULL, base IERROR)
        call ok('MPI_Alloc_mem(size=400, info=MPI_INFO_NULL, baseptr=mpimem0)')
        call c_f_pointer(base, memory, [100])
        call MPI_Bcast(memory(11), 1_ck, MPI_INTEGER, 0, MPI_COMM_WORLD IERROR)
        call used('mpimem0+40')
        call MPI_Free_mem(memory IERROR)
        call ok('MPI_Free_mem(base=mpimem0)')
        call MPI_Win_allocate(400_ak, 4_dk, MPI_INFO_NULL, MPI_COMM_WORLD, base, win IERROR)
        call ok('MPI_Win_allocate@(size=400, disp_unit=4, info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, baseptr=winmem0, win=win0)')
        call c_f_pointer(base, memory, [100])
        call MPI_Bcast(memory(2), 1_ck, MPI_INTEGER, 0, MPI_COMM_WORLD IERROR)
        call used('winmem0+4')
        call MPI_Win_free(win IERROR)
        call ok('MPI_Win_free(win=win0)')
    end subroutine
end program
