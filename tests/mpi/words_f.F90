! SPDX-License-Identifier: BSD-3-Clause
! What words.c does, in Fortran, for words.sh.
program words
    use mpi
    use refrain
    implicit none
    integer :: rank, size, i, in, total, ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    call refrain_topology_cart(2, [size, 1], [.true., .false.], ['x', 'y'])
    call refrain_topology_coords([rank, 0])
    call refrain_note('input', 'sphere.in   ')
    do i = 1, 10
        call refrain_region_begin('step  ')
        call MPI_Barrier(MPI_COMM_WORLD, ierror)
        call refrain_region_begin('solve')
        in = 1
        call MPI_Allreduce(in, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call MPI_Barrier(MPI_COMM_WORLD, ierror)
        call refrain_region_end('')
        call refrain_region_end('step')
    end do
    call MPI_Pcontrol(3)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Pcontrol(1)
    call MPI_Finalize(ierror)
    print '(a)', 'done'
end program
