! SPDX-License-Identifier: BSD-3-Clause
! For words.sh: what is compiled so that integers and logicals have eight bytes says the same; and dlerror has nothing to say
! when there is no tracer. Procedures of MPI take four bytes, whose module is not for such programs.
program words_long
    use, intrinsic :: iso_c_binding
    use refrain
    implicit none
    interface
        function dlerror() bind(c, name='dlerror')
            import :: c_ptr
            type(c_ptr) :: dlerror
        end function
    end interface
    integer(c_int) :: ierror
    call refrain_note('input', 'sphere.in')
    if (c_associated(dlerror())) stop 1
    call MPI_Init(ierror)
    call refrain_topology_cart(3, [4, 5, 6], [.true., .false., .true.])
    call refrain_topology_coords([1, 2, 3])
    call refrain_topology_cart(1, [7], [.false.], ['x'])
    call refrain_topology_coords([6])
    call MPI_Finalize(ierror)
end program
