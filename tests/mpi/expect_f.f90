! SPDX-License-Identifier: BSD-3-Clause
! What expect.h is for C: the lines that a program expects of its own trace, in the file PREFIX.RANK.
!
! In a line % stands for the next of the given values, and @ for the _c of a procedure with large counts, if the
! program's counts are large (expect_large).
module expect_f
    use, intrinsic :: iso_c_binding, only: c_char, c_int
    use, intrinsic :: iso_fortran_env, only: int64
    implicit none
    private
    public :: ok, expect, expect_end, expect_large, text, list, is_mpich

    type line_t
        character(len=:), allocatable :: text
    end type
    type(line_t) :: lines(2000)
    integer :: n_lines = 0
    logical :: large = .false.

    interface text
        procedure text_of_integer, text_of_long
    end interface

    interface ! of C, where it is not traced: MPICH's Fortran PMPI_ procedures call MPI_ of C
        integer(c_int) function get_library_version(version, length) bind(C, name='PMPI_Get_library_version')
            import :: c_char, c_int
            character(kind=c_char), intent(out) :: version(*)
            integer(c_int), intent(out) :: length
        end function
    end interface

contains
    logical function is_mpich()
        character(kind=c_char) :: version(8192)
        integer(c_int) :: length
        is_mpich = .false.
        if (get_library_version(version, length) == 0) is_mpich = all(version(1:5) == ['M', 'P', 'I', 'C', 'H'])
    end function

    ! From now on @ is _c.
    subroutine expect_large()
        large = .true.
    end subroutine

    ! A line, without rank and index.
    subroutine expect(line, values)
        character(len=*), intent(in) :: line
        integer, intent(in), optional :: values(:)
        n_lines = n_lines + 1
        lines(n_lines)%text = filled_in(line, values)
    end subroutine

    subroutine ok(line, values)
        character(len=*), intent(in) :: line
        integer, intent(in), optional :: values(:)
        call expect(line // ' = MPI_SUCCESS', values)
    end subroutine

    function filled_in(line, values)
        character(len=*), intent(in) :: line
        integer, intent(in), optional :: values(:)
        character(len=:), allocatable :: filled_in
        integer :: i, used
        used = 0
        filled_in = ''
        do i = 1, len(line)
            select case (line(i:i))
            case ('%')
                used = used + 1
                filled_in = filled_in // text(values(used))
            case ('@')
                if (large) filled_in = filled_in // '_c'
            case default
                filled_in = filled_in // line(i:i)
            end select
        end do
    end function

    ! Writes the file.
    subroutine expect_end(rank)
        integer, intent(in) :: rank
        character(len=4096) :: prefix
        integer :: unit, i
        call get_command_argument(1, prefix)
        open (newunit=unit, file=trim(prefix) // '.' // text(rank), status='replace', action='write', recl=10000)
        do i = 1, n_lines
            write (unit, '(a)') text(rank) // '  ' // text(i - 1) // '  ' // lines(i)%text
        end do
        close (unit)
    end subroutine

    ! 12
    function text_of_integer(value) result(text)
        integer, intent(in) :: value
        character(len=:), allocatable :: text
        text = text_of_long(int(value, int64))
    end function

    function text_of_long(value) result(text)
        integer(int64), intent(in) :: value
        character(len=:), allocatable :: text
        character(len=20) :: digits
        write (digits, '(i0)') value
        text = trim(digits)
    end function

    ! [1, 2]
    function list(values)
        integer, intent(in) :: values(:)
        character(len=:), allocatable :: list
        integer :: i
        list = '['
        do i = 1, size(values)
            if (i > 1) list = list // ', '
            list = list // text(values(i))
        end do
        list = list // ']'
    end function
end module
