! SPDX-License-Identifier: BSD-3-Clause
! ranks: 2
! Files: every way to read and write, on two processes, which share a file beside the one of expected lines.
#include "fortran_binding.inc"
program fortran_files
    use binding
    implicit none
    HANDLE(MPI_File) :: file
    character(len=4096) :: name
    integer :: values(4), i

    call start()
    call get_command_argument(1, name)
    name = trim(name) // '.file'
    call opened()
    call at_offsets()
    call at_pointer()
    call shared()
    call ordered()
    call split()
    call nonblocking()
    call views()
    call closed()
    call finish()

contains
    ! A transfer of four INTEGERs, whose status tells the bytes alone.
    function moved(of)
        character(len=*), intent(in) :: of
        character(len=:), allocatable :: moved
        moved = 'MPI_File_' // of // 'buf=ptr, count=4, datatype=MPI_INTEGER, ' // &
            'status={source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, error=MPI_SUCCESS, bytes=16})'
    end function

    ! Rank r's numbers: r, r, r, r. Reading finds them again.
    subroutine fill()
        values = rank
    end subroutine

    subroutine check(what)
        character(len=*), intent(in) :: what
        call must(all(values == rank), what)
        values = -1
    end subroutine

    subroutine opened()
        HANDLE(MPI_Group) :: group
        HANDLE(MPI_Info) :: info
        integer :: mode
        integer(kind=fk) :: bytes
        logical :: flag
        call MPI_File_open(MPI_COMM_WORLD, name, ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file IERROR)
        call ok('MPI_File_open(comm=MPI_COMM_WORLD, filename="' // trim(name) // &
            '", amode=MPI_MODE_CREATE|MPI_MODE_RDWR, info=MPI_INFO_NULL, fh=file0)')
        call MPI_File_get_amode(file, mode IERROR)
        call ok('MPI_File_get_amode(fh=file0, amode=MPI_MODE_CREATE|MPI_MODE_RDWR)')
        call must(mode == ior(MPI_MODE_CREATE, MPI_MODE_RDWR), 'File_get_amode')
        call MPI_File_get_group(file, group IERROR)
        call ok('MPI_File_get_group(fh=file0, group=group0)')
        call MPI_Group_free(group IERROR)
        call ok('MPI_Group_free(group=group0)')
        call MPI_File_get_info(file, info IERROR)
        call ok('MPI_File_get_info(fh=file0, info_used=info0)')
        call MPI_File_set_info(file, info IERROR)
        call ok('MPI_File_set_info(fh=file0, info=info0)')
        call MPI_Info_free(info IERROR)
        call ok('MPI_Info_free(info=info0)')
        call MPI_File_set_size(file, 1024_fk IERROR)
        call ok('MPI_File_set_size(fh=file0, size=1024)')
        call MPI_File_preallocate(file, 2048_fk IERROR)
        call ok('MPI_File_preallocate(fh=file0, size=2048)')
        call MPI_File_get_size(file, bytes IERROR)
        call ok('MPI_File_get_size(fh=file0, size=2048)')
        call must(bytes == 2048, 'File_get_size')
        call atomicity(1)
        call MPI_File_get_atomicity(file, flag IERROR)
        call ok('MPI_File_get_atomicity(fh=file0, flag=%)', [merge(1, 0, flag)])
        call atomicity(0)
    end subroutine

    ! Open MPI refuses now and then, untraced, too.
    subroutine atomicity(flag)
        integer, intent(in) :: flag
        integer :: error
        call MPI_File_set_atomicity(file, flag == 1, error)
        if (error == MPI_SUCCESS) call ok('MPI_File_set_atomicity(fh=file0, flag=%)', [flag])
        if (error /= MPI_SUCCESS) call expect('MPI_File_set_atomicity(fh=file0, flag=' // text(flag) // ') = MPI_ERR_OTHER')
    end subroutine

    subroutine at_offsets()
        STATUS(status)
        call fill()
        call MPI_File_write_at(file, 16_fk*rank, values, 4, MPI_INTEGER, status IERROR)
        call ok(moved('write_at(fh=file0, offset=%, '), [16*rank])
        call MPI_File_read_at(file, 16_fk*rank, values, 4, MPI_INTEGER, status IERROR)
        call ok(moved('read_at(fh=file0, offset=%, '), [16*rank])
        call check('File_read_at')
        call fill()
        call MPI_File_write_at_all(file, 16_fk*rank, values, 4, MPI_INTEGER, status IERROR)
        call ok(moved('write_at_all(fh=file0, offset=%, '), [16*rank])
        call MPI_File_read_at_all(file, 16_fk*rank, values, 4, MPI_INTEGER, status IERROR)
        call ok(moved('read_at_all(fh=file0, offset=%, '), [16*rank])
        call check('File_read_at_all')
    end subroutine

    ! The individual pointer to where the rank's numbers are.
    subroutine rewind_file()
        call MPI_File_seek(file, 16_fk*rank, MPI_SEEK_SET IERROR)
        call ok('MPI_File_seek(fh=file0, offset=%, whence=MPI_SEEK_SET)', [16*rank])
    end subroutine

    subroutine at_pointer()
        STATUS(status)
        integer(kind=fk) :: at
        call rewind_file()
        call fill()
        call MPI_File_write(file, values, 4, MPI_INTEGER, status IERROR)
        call ok(moved('write(fh=file0, '))
        call MPI_File_get_position(file, at IERROR)
        call ok('MPI_File_get_position(fh=file0, offset=%)', [16*rank + 16])
        call must(at == 16*rank + 16, 'File_get_position')
        call MPI_File_get_byte_offset(file, at, at IERROR)
        call ok('MPI_File_get_byte_offset(fh=file0, offset=%, disp=%)', [16*rank + 16, 16*rank + 16])
        call rewind_file()
        call MPI_File_read(file, values, 4, MPI_INTEGER, MPI_STATUS_IGNORE IERROR)
        call ok('MPI_File_read(fh=file0, buf=ptr, count=4, datatype=MPI_INTEGER, ' // &
            'status=ignored{source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, error=MPI_SUCCESS, bytes=16})')
        call check('File_read')
        call rewind_file()
        call fill()
        call MPI_File_write_all(file, values, 4, MPI_INTEGER, status IERROR)
        call ok(moved('write_all(fh=file0, '))
        call rewind_file()
        call MPI_File_read_all(file, values, 4, MPI_INTEGER, status IERROR)
        call ok(moved('read_all(fh=file0, '))
        call check('File_read_all')
    end subroutine

    ! The pointer of all back to the start.
    subroutine rewind_shared()
        call MPI_File_seek_shared(file, 0_fk, MPI_SEEK_SET IERROR)
        call ok('MPI_File_seek_shared(fh=file0, offset=0, whence=MPI_SEEK_SET)')
    end subroutine

    ! All ranks write the same, since their order is open.
    subroutine shared()
        STATUS(status)
        HANDLE(MPI_Request) :: request
        integer(kind=fk) :: at
        call rewind_shared()
        values = 7
        call MPI_File_write_shared(file, values, 4, MPI_INTEGER, status IERROR)
        call ok(moved('write_shared(fh=file0, '))
        call barrier()
        call MPI_File_get_position_shared(file, at IERROR)
        call ok('MPI_File_get_position_shared(fh=file0, offset=%)', [16*n])
        call must(at == 16*n, 'File_get_position_shared')
        call barrier()
        call rewind_shared()
        values = -1
        call MPI_File_read_shared(file, values, 4, MPI_INTEGER, status IERROR)
        call ok(moved('read_shared(fh=file0, '))
        call must(all(values == 7), 'File_read_shared')
        call barrier()
        call rewind_shared()
        call MPI_File_iwrite_shared(file, values, 4, MPI_INTEGER, request IERROR)
        call transferred('iwrite_shared(fh=file0, ', request, 0)
        call barrier()
        call rewind_shared()
        values = -1
        call MPI_File_iread_shared(file, values, 4, MPI_INTEGER, request IERROR)
        call transferred('iread_shared(fh=file0, ', request, 1)
        call must(all(values == 7), 'File_iread_shared')
        call barrier()
    end subroutine

    ! By the shared pointer, one rank behind the other.
    subroutine ordered()
        STATUS(status)
        call rewind_shared()
        call fill()
        call MPI_File_write_ordered(file, values, 4, MPI_INTEGER, status IERROR)
        call ok(moved('write_ordered(fh=file0, '))
        call rewind_shared()
        call MPI_File_read_ordered(file, values, 4, MPI_INTEGER, status IERROR)
        call ok(moved('read_ordered(fh=file0, '))
        call check('File_read_ordered')
    end subroutine

    ! The two halves of a split collective operation.
    subroutine begun(of)
        character(len=*), intent(in) :: of
        call ok('MPI_File_' // of // 'buf=ptr, count=4, datatype=MPI_INTEGER)', [16*rank])
    end subroutine

    subroutine ended(of)
        character(len=*), intent(in) :: of
        call ok('MPI_File_' // of // '_end(fh=file0, buf=ptr, ' // &
            'status={source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, error=MPI_SUCCESS, bytes=16})')
    end subroutine

    subroutine split()
        STATUS(status)
        call rewind_file()
        call fill()
        call MPI_File_write_all_begin(file, values, 4, MPI_INTEGER IERROR)
        call begun('write_all_begin(fh=file0, ')
        call MPI_File_write_all_end(file, values, status IERROR)
        call ended('write_all')
        call rewind_file()
        call MPI_File_read_all_begin(file, values, 4, MPI_INTEGER IERROR)
        call begun('read_all_begin(fh=file0, ')
        call MPI_File_read_all_end(file, values, status IERROR)
        call ended('read_all')
        call check('File_read_all_end')
        call fill()
        call MPI_File_write_at_all_begin(file, 16_fk*rank, values, 4, MPI_INTEGER IERROR)
        call begun('write_at_all_begin(fh=file0, offset=%, ')
        call MPI_File_write_at_all_end(file, values, status IERROR)
        call ended('write_at_all')
        call MPI_File_read_at_all_begin(file, 16_fk*rank, values, 4, MPI_INTEGER IERROR)
        call begun('read_at_all_begin(fh=file0, offset=%, ')
        call MPI_File_read_at_all_end(file, values, status IERROR)
        call ended('read_at_all')
        call check('File_read_at_all_end')
        call rewind_shared()
        call fill()
        call MPI_File_write_ordered_begin(file, values, 4, MPI_INTEGER IERROR)
        call begun('write_ordered_begin(fh=file0, ')
        call MPI_File_write_ordered_end(file, values, status IERROR)
        call ended('write_ordered')
        call rewind_shared()
        call MPI_File_read_ordered_begin(file, values, 4, MPI_INTEGER IERROR)
        call begun('read_ordered_begin(fh=file0, ')
        call MPI_File_read_ordered_end(file, values, status IERROR)
        call ended('read_ordered')
        call check('File_read_ordered_end')
    end subroutine

    ! req<number>, from the call that was just made to its completion.
    subroutine transferred(of, request, number)
        character(len=*), intent(in) :: of
        HANDLE(MPI_Request), intent(inout) :: request
        integer, intent(in) :: number
        STATUS(status)
        call ok('MPI_File_' // of // 'buf=ptr, count=4, datatype=MPI_INTEGER, request=req' // text(number) // ')', [16*rank])
        call MPI_Wait(request, status IERROR)
        call ok('MPI_Wait(request=req%, ' // &
            'status={source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, error=MPI_SUCCESS, bytes=16})', [number])
    end subroutine

    subroutine nonblocking()
        HANDLE(MPI_Request) :: request
        call fill()
        call MPI_File_iwrite_at(file, 16_fk*rank, values, 4, MPI_INTEGER, request IERROR)
        call transferred('iwrite_at(fh=file0, offset=%, ', request, 2)
        call MPI_File_iread_at(file, 16_fk*rank, values, 4, MPI_INTEGER, request IERROR)
        call transferred('iread_at(fh=file0, offset=%, ', request, 3)
        call check('File_iread_at')
        call fill()
        call MPI_File_iwrite_at_all(file, 16_fk*rank, values, 4, MPI_INTEGER, request IERROR)
        call transferred('iwrite_at_all(fh=file0, offset=%, ', request, 4)
        call MPI_File_iread_at_all(file, 16_fk*rank, values, 4, MPI_INTEGER, request IERROR)
        call transferred('iread_at_all(fh=file0, offset=%, ', request, 5)
        call check('File_iread_at_all')
        call rewind_file()
        call fill()
        call MPI_File_iwrite(file, values, 4, MPI_INTEGER, request IERROR)
        call transferred('iwrite(fh=file0, ', request, 6)
        call rewind_file()
        call MPI_File_iread(file, values, 4, MPI_INTEGER, request IERROR)
        call transferred('iread(fh=file0, ', request, 7)
        call check('File_iread')
        call rewind_file()
        call fill()
        call MPI_File_iwrite_all(file, values, 4, MPI_INTEGER, request IERROR)
        call transferred('iwrite_all(fh=file0, ', request, 8)
        call rewind_file()
        call MPI_File_iread_all(file, values, 4, MPI_INTEGER, request IERROR)
        call transferred('iread_all(fh=file0, ', request, 9)
        call check('File_iread_all')
    end subroutine

    subroutine views()
        HANDLE(MPI_Datatype) :: element, tiles
        integer(kind=fk) :: at
        integer(kind=ak) :: extent
        character(len=MPI_MAX_DATAREP_STRING) :: representation
        call MPI_File_set_view(file, 8_fk, MPI_INTEGER, MPI_INTEGER, 'native  ', MPI_INFO_NULL IERROR)
        call ok('MPI_File_set_view(fh=file0, disp=8, etype=MPI_INTEGER, filetype=MPI_INTEGER, ' // &
            'datarep="native", info=MPI_INFO_NULL)')
        call MPI_File_get_view(file, at, element, tiles, representation IERROR)
        call ok('MPI_File_get_view(fh=file0, disp=8, etype=MPI_INTEGER, filetype=MPI_INTEGER, datarep="native")')
        call must(at == 8 .and. representation == 'native', 'File_get_view')
        call MPI_File_get_type_extent(file, MPI_INTEGER, extent IERROR)
        call ok('MPI_File_get_type_extent(fh=file0, datatype=MPI_INTEGER, extent=4)')
        call must(extent == 4, 'File_get_type_extent')
        call MPI_File_sync(file IERROR)
        call ok('MPI_File_sync(fh=file0)')
    end subroutine

    subroutine closed()
        call MPI_File_close(file IERROR)
        call ok('MPI_File_close(fh=file0)')
        call must(file == MPI_FILE_NULL, 'File_close')
        if (rank == 0) then
            call MPI_File_delete(name, MPI_INFO_NULL IERROR)
            call ok('MPI_File_delete(filename="' // trim(name) // '", info=MPI_INFO_NULL)')
        end if
    end subroutine
end program
