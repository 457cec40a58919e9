! What expect.h is for C: the lines that a program expects of its own trace, in the file PREFIX.RANK.
module expect_f
    use, intrinsic :: iso_c_binding, only: c_char, c_int
    implicit none
    private
    public :: ok, expect, expect_end, text, list, is_mpich

    character(len=400) :: lines(1000)
    integer :: n_lines = 0

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

    ! A line, without rank and index.
    subroutine expect(line)
        character(len=*), intent(in) :: line
        n_lines = n_lines + 1
        lines(n_lines) = line
    end subroutine

    subroutine ok(line)
        character(len=*), intent(in) :: line
        call expect(line // ' = MPI_SUCCESS')
    end subroutine

    ! Writes the file.
    subroutine expect_end(rank)
        integer, intent(in) :: rank
        character(len=4096) :: prefix
        integer :: unit, i
        call get_command_argument(1, prefix)
        open (newunit=unit, file=trim(prefix) // '.' // text(rank), status='replace', action='write')
        do i = 1, n_lines
            write (unit, '(a)') text(rank) // '  ' // text(i - 1) // '  ' // trim(lines(i))
        end do
        close (unit)
    end subroutine

    ! 12
    function text(value)
        integer, intent(in) :: value
        character(len=:), allocatable :: text
        character(len=12) :: digits
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
