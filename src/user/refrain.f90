! SPDX-License-Identifier: BSD-3-Clause
! Procedures by which a program describes itself to Refrain, the MPI tracer. Compile this file with the
! program. Nothing has to be linked, except -ldl where dlsym is in a separate library. Without the tracer
! these calls do nothing. See refrain-regions(7). The file is Fortran 2018, which compilers accept by
! default.
!
!     use refrain
!     call refrain_region_begin('sweep')          ! a part of the program; regions are nested, in each thread
!     call refrain_region_end('sweep')            ! the innermost one of that name; '': the innermost
!     call refrain_topology_cart(2, dims, periodic, names)    ! the processes form a grid; names: optional
!     call refrain_topology_coords(coords)                    ! this process's place in it
!     call refrain_note('input', 'sphere.in')     ! something worth knowing about the run
!
! Trailing blanks of a string do not count.
module refrain
    use, intrinsic :: iso_c_binding
    implicit none
    private
    public :: refrain_region_begin, refrain_region_end, refrain_topology_cart, refrain_topology_coords
    public :: refrain_note

    ! struct refrain_interface of refrain.h
    type, bind(c) :: interface_t
        integer(c_int) :: version
        type(c_funptr) :: region_begin, region_end, topology_cart, topology_coords, note
        type(c_funptr) :: region_begin_f, region_end_f, note_f
    end type

    abstract interface
        subroutine named(name)
            character(len=*), intent(in) :: name
        end subroutine
        subroutine pair(key, value)
            character(len=*), intent(in) :: key, value
        end subroutine
        subroutine cart(ndims, dims, periodic, names) bind(c)
            import :: c_int, c_ptr
            integer(c_int), value :: ndims
            integer(c_int), intent(in) :: dims(*), periodic(*)
            type(c_ptr), value :: names
        end subroutine
        subroutine coordinates(coords) bind(c)
            type(*), intent(in) :: coords(*) ! integer(c_int)
        end subroutine
        function finder() bind(c)
            import :: c_ptr
            type(c_ptr) :: finder
        end function
    end interface

    interface
        function dlsym(handle, name) bind(c, name='dlsym')
            import :: c_ptr, c_funptr, c_char
            type(c_ptr), value :: handle
            character(kind=c_char), intent(in) :: name(*)
            type(c_funptr) :: dlsym
        end function
        function dlerror() bind(c, name='dlerror')
            import :: c_ptr
            type(c_ptr) :: dlerror
        end function
    end interface

    ! The first call finds the tracer; then the program calls the tracer directly, which so sees the caller.
    procedure(named), pointer, protected :: refrain_region_begin => first_begin
    procedure(named), pointer, protected :: refrain_region_end => first_end
    procedure(pair), pointer, protected :: refrain_note => first_note
    procedure(cart), pointer :: tracer_cart => null()
    procedure(coordinates), pointer :: tracer_coords => null()
    logical :: searched = .false.
    integer :: dimensions = 0 ! of the last topology declared here

contains

    subroutine find()
        type(c_funptr) :: address
        type(c_ptr) :: error
        procedure(finder), pointer :: tracer
        type(interface_t), pointer :: found

        address = dlsym(c_null_ptr, 'refrain_interface' // c_null_char)
        if (c_associated(address)) then
            call c_f_procpointer(address, tracer)
            call c_f_pointer(tracer(), found)
            call c_f_procpointer(found%topology_cart, tracer_cart)
            call c_f_procpointer(found%topology_coords, tracer_coords)
            call c_f_procpointer(found%region_begin_f, refrain_region_begin)
            call c_f_procpointer(found%region_end_f, refrain_region_end)
            call c_f_procpointer(found%note_f, refrain_note)
        else
            refrain_region_begin => ignore
            refrain_region_end => ignore
            refrain_note => ignore_pair
            error = dlerror() ! that it is not there is no error of the program
        end if
        searched = .true.
    end subroutine

    subroutine first_begin(name)
        character(len=*), intent(in) :: name
        call find()
        call refrain_region_begin(name)
    end subroutine

    subroutine first_end(name)
        character(len=*), intent(in) :: name
        call find()
        call refrain_region_end(name)
    end subroutine

    subroutine first_note(key, value)
        character(len=*), intent(in) :: key, value
        call find()
        call refrain_note(key, value)
    end subroutine

    subroutine ignore(name)
        character(len=*), intent(in) :: name
        if (len(name) < 0) return
    end subroutine

    subroutine ignore_pair(key, value)
        character(len=*), intent(in) :: key, value
        if (len(key) + len(value) < 0) return
    end subroutine

    subroutine refrain_topology_cart(ndims, dims, periodic, names)
        integer, intent(in) :: ndims, dims(*)
        logical, intent(in) :: periodic(*)
        character(len=*), intent(in), optional :: names(*)
        character(kind=c_char), allocatable, target :: text(:, :)
        type(c_ptr), allocatable, target :: strings(:)
        integer(c_int), allocatable :: sizes(:), wraps(:)
        integer :: i, k, n

        if (.not. searched) call find()
        if (.not. associated(tracer_cart)) return
        n = max(ndims, 0)
        dimensions = n
        allocate (sizes(n), wraps(n), strings(n))
        sizes = int(dims(1:n), c_int)
        wraps = merge(1_c_int, 0_c_int, periodic(1:n))
        if (.not. present(names)) then
            call tracer_cart(int(ndims, c_int), sizes, wraps, c_null_ptr)
            return
        end if
        allocate (text(len(names) + 1, n))
        text = c_null_char
        do i = 1, n
            do k = 1, len_trim(names(i))
                text(k, i) = names(i)(k:k)
            end do
            strings(i) = c_loc(text(1, i))
        end do
        if (n == 0) then
            call tracer_cart(int(ndims, c_int), sizes, wraps, c_null_ptr)
        else
            call tracer_cart(int(ndims, c_int), sizes, wraps, c_loc(strings(1)))
        end if
    end subroutine

    subroutine refrain_topology_coords(coords)
        integer, intent(in) :: coords(*)
        if (.not. searched) call find()
        if (.not. associated(tracer_coords)) return
        if (kind(coords) == c_int) then
            call tracer_coords(coords)
        else if (dimensions > 0) then ! compiled with longer integers
            call tracer_coords(int(coords(1:dimensions), c_int))
        end if
    end subroutine

end module
