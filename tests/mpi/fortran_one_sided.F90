! SPDX-License-Identifier: BSD-3-Clause
! ranks: 3
! Windows of every kind, and what is done with them; on three processes.
#include "fortran_binding.inc"
program fortran_one_sided
    use binding
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    implicit none
    integer :: values(4), from(4)

    call start()
    call fences()
    call locks()
    call requests()
    call general()
    call attached()
    call allocated()
    call finish()

contains
    ! win<number>
    subroutine free(window, number)
        HANDLE(MPI_Win), intent(inout) :: window
        integer, intent(in) :: number
        call MPI_Win_free(window IERROR)
        call ok('MPI_Win_free(win=win%)', [number])
        call must(window == MPI_WIN_NULL, 'Win_free')
    end subroutine

    subroutine fences()
        HANDLE(MPI_Win) :: window
        HANDLE(MPI_Group) :: group
        HANDLE(MPI_Info) :: info
        character(len=MPI_MAX_OBJECT_NAME) :: name
        integer :: length
        values = -1
        call MPI_Win_create(values, 16_ak, 4_dk, MPI_INFO_NULL, MPI_COMM_WORLD, window IERROR)
        call ok('MPI_Win_create@(base=ptr, size=16, disp_unit=4, info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, win=win0)')
        call MPI_Win_get_group(window, group IERROR)
        call ok('MPI_Win_get_group(win=win0, group=group0)')
        call MPI_Group_free(group IERROR)
        call ok('MPI_Group_free(group=group0)')
        call MPI_Win_set_name(window, 'four numbers  ' IERROR)
        call ok('MPI_Win_set_name(win=win0, win_name="four numbers")')
        name = ''
        call MPI_Win_get_name(window, name, length IERROR) ! the mpi_f08 of Open MPI 4.1 gives the first letter alone
        call ok('MPI_Win_get_name(win=win0, win_name="' // trim(name) // '", resultlen=12)')
        call must(index('four numbers', trim(name)) == 1 .and. name /= '' .and. length == 12, 'Win_get_name')
        call MPI_Win_get_info(window, info IERROR)
        call ok('MPI_Win_get_info(win=win0, info_used=info0)')
        call MPI_Win_set_info(window, info IERROR)
        call ok('MPI_Win_set_info(win=win0, info=info0)')
        call MPI_Info_free(info IERROR)
        call ok('MPI_Info_free(info=info0)')
        call MPI_Win_fence(MPI_MODE_NOPRECEDE, window IERROR)
        call ok('MPI_Win_fence(assert=MPI_MODE_NOPRECEDE, win=win0)')
        call MPI_Put(rank, 1_ck, MPI_INTEGER, right, 2_ak, 1_ck, MPI_INTEGER, window IERROR)
        call ok('MPI_Put@(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INTEGER, target_rank=%, ' // &
            'target_disp=2, target_count=1, target_datatype=MPI_INTEGER, win=win0)', [right])
        call MPI_Win_fence(0, window IERROR)
        call ok('MPI_Win_fence(assert=0, win=win0)')
        call must(all(values == [-1, -1, left, -1]), 'Put')
        call MPI_Get(from, 4_ck, MPI_INTEGER, right, 0_ak, 4_ck, MPI_INTEGER, window IERROR)
        call ok('MPI_Get@(origin_addr=ptr, origin_count=4, origin_datatype=MPI_INTEGER, target_rank=%, ' // &
            'target_disp=0, target_count=4, target_datatype=MPI_INTEGER, win=win0)', [right])
        call MPI_Win_fence(ior(MPI_MODE_NOSTORE, MPI_MODE_NOPUT), window IERROR)
        call ok('MPI_Win_fence(assert=MPI_MODE_NOPUT|MPI_MODE_NOSTORE, win=win0)')
        call must(all(from == [-1, -1, rank, -1]), 'Get')
        call MPI_Accumulate(rank, 1_ck, MPI_INTEGER, 0, 0_ak, 1_ck, MPI_INTEGER, MPI_SUM, window IERROR)
        call ok('MPI_Accumulate@(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INTEGER, target_rank=0, ' // &
            'target_disp=0, target_count=1, target_datatype=MPI_INTEGER, op=MPI_SUM, win=win0)')
        call MPI_Win_fence(MPI_MODE_NOSUCCEED, window IERROR)
        call ok('MPI_Win_fence(assert=MPI_MODE_NOSUCCEED, win=win0)')
        call must(rank /= 0 .or. values(1) == 2, 'Accumulate')
        call free(window, 0)
    end subroutine

    subroutine locks()
        HANDLE(MPI_Win) :: window
        integer :: before, compared
        values = 10
        call MPI_Win_create(values, 16_ak, 4_dk, MPI_INFO_NULL, MPI_COMM_WORLD, window IERROR)
        call ok('MPI_Win_create@(base=ptr, size=16, disp_unit=4, info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, win=win1)')
        call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, window IERROR)
        call ok('MPI_Win_lock(lock_type=MPI_LOCK_EXCLUSIVE, rank=%, assert=0, win=win1)', [right])
        call MPI_Fetch_and_op(rank, before, MPI_INTEGER, right, 0_ak, MPI_SUM, window IERROR)
        call ok('MPI_Fetch_and_op(origin_addr=ptr, result_addr=ptr, datatype=MPI_INTEGER, target_rank=%, ' // &
            'target_disp=0, op=MPI_SUM, win=win1)', [right])
        call MPI_Win_flush(right, window IERROR)
        call ok('MPI_Win_flush(rank=%, win=win1)', [right])
        call must(before == 10, 'Fetch_and_op')
        compared = 10
        call MPI_Compare_and_swap(rank, compared, before, MPI_INTEGER, right, 1_ak, window IERROR)
        call ok('MPI_Compare_and_swap(origin_addr=ptr, compare_addr=ptr, result_addr=ptr, ' // &
            'datatype=MPI_INTEGER, target_rank=%, target_disp=1, win=win1)', [right])
        call MPI_Win_flush_local(right, window IERROR)
        call ok('MPI_Win_flush_local(rank=%, win=win1)', [right])
        call MPI_Get_accumulate(rank, 1_ck, MPI_INTEGER, from, 1_ck, MPI_INTEGER, right, 2_ak, 1_ck, MPI_INTEGER, &
            MPI_REPLACE, window IERROR)
        call ok('MPI_Get_accumulate@(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INTEGER, ' // &
            'result_addr=ptr, result_count=1, result_datatype=MPI_INTEGER, target_rank=%, target_disp=2, ' // &
            'target_count=1, target_datatype=MPI_INTEGER, op=MPI_REPLACE, win=win1)', [right])
        call MPI_Win_unlock(right, window IERROR)
        call ok('MPI_Win_unlock(rank=%, win=win1)', [right])
        call must(before == 10 .and. from(1) == 10, 'Get_accumulate')
        call MPI_Win_lock_all(MPI_MODE_NOCHECK, window IERROR)
        call ok('MPI_Win_lock_all(assert=MPI_MODE_NOCHECK, win=win1)')
        call barrier()
        call MPI_Win_flush_all(window IERROR)
        call ok('MPI_Win_flush_all(win=win1)')
        call MPI_Win_flush_local_all(window IERROR)
        call ok('MPI_Win_flush_local_all(win=win1)')
        call MPI_Win_sync(window IERROR)
        call ok('MPI_Win_sync(win=win1)')
        call must(all(values == [10 + left, left, left, 10]), 'Win_sync')
        call MPI_Win_unlock_all(window IERROR)
        call ok('MPI_Win_unlock_all(win=win1)')
        call free(window, 1)
    end subroutine

    subroutine requests()
        HANDLE(MPI_Win) :: window
        HANDLE(MPI_Request) :: request
        values = 5
        call MPI_Win_create(values, 16_ak, 4_dk, MPI_INFO_NULL, MPI_COMM_WORLD, window IERROR)
        call ok('MPI_Win_create@(base=ptr, size=16, disp_unit=4, info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, win=win2)')
        call MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window IERROR)
        call ok('MPI_Win_lock(lock_type=MPI_LOCK_SHARED, rank=%, assert=0, win=win2)', [right])
        call MPI_Rput(rank, 1_ck, MPI_INTEGER, right, 0_ak, 1_ck, MPI_INTEGER, window, request IERROR)
        call ok('MPI_Rput@(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INTEGER, target_rank=%, ' // &
            'target_disp=0, target_count=1, target_datatype=MPI_INTEGER, win=win2, request=req0)', [right])
        call complete(request, 0)
        call MPI_Rget(from, 1_ck, MPI_INTEGER, right, 1_ak, 1_ck, MPI_INTEGER, window, request IERROR)
        call ok('MPI_Rget@(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INTEGER, target_rank=%, ' // &
            'target_disp=1, target_count=1, target_datatype=MPI_INTEGER, win=win2, request=req1)', [right])
        call complete(request, 1)
        call must(from(1) == 5, 'Rget')
        call MPI_Raccumulate(rank, 1_ck, MPI_INTEGER, right, 2_ak, 1_ck, MPI_INTEGER, MPI_PROD, window, request IERROR)
        call ok('MPI_Raccumulate@(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INTEGER, ' // &
            'target_rank=%, target_disp=2, target_count=1, target_datatype=MPI_INTEGER, op=MPI_PROD, ' // &
            'win=win2, request=req2)', [right])
        call complete(request, 2)
        call MPI_Rget_accumulate(rank, 1_ck, MPI_INTEGER, from, 1_ck, MPI_INTEGER, right, 3_ak, 1_ck, MPI_INTEGER, &
            MPI_NO_OP, window, request IERROR)
        call ok('MPI_Rget_accumulate@(origin_addr=ptr, origin_count=1, origin_datatype=MPI_INTEGER, ' // &
            'result_addr=ptr, result_count=1, result_datatype=MPI_INTEGER, target_rank=%, target_disp=3, ' // &
            'target_count=1, target_datatype=MPI_INTEGER, op=MPI_NO_OP, win=win2, request=req3)', [right])
        call complete(request, 3)
        call must(from(1) == 5, 'Rget_accumulate')
        call MPI_Win_unlock(right, window IERROR)
        call ok('MPI_Win_unlock(rank=%, win=win2)', [right])
        call barrier()
        call free(window, 2)
    end subroutine

    ! Post, start, complete, wait: the group is the whole world.
    subroutine general()
        HANDLE(MPI_Win) :: window
        HANDLE(MPI_Group) :: group
        logical :: flag
        call MPI_Comm_group(MPI_COMM_WORLD, group IERROR)
        call ok('MPI_Comm_group(comm=MPI_COMM_WORLD, group=group1)')
        call MPI_Win_create(values, 16_ak, 4_dk, MPI_INFO_NULL, MPI_COMM_WORLD, window IERROR)
        call ok('MPI_Win_create@(base=ptr, size=16, disp_unit=4, info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, win=win3)')
        call MPI_Win_post(group, 0, window IERROR)
        call ok('MPI_Win_post(group=group1, assert=0, win=win3)')
        call MPI_Win_start(group, 0, window IERROR)
        call ok('MPI_Win_start(group=group1, assert=0, win=win3)')
        call MPI_Win_complete(window IERROR)
        call ok('MPI_Win_complete(win=win3)')
        call MPI_Win_wait(window IERROR)
        call ok('MPI_Win_wait(win=win3)')
        call MPI_Win_post(group, MPI_MODE_NOSTORE, window IERROR)
        call ok('MPI_Win_post(group=group1, assert=MPI_MODE_NOSTORE, win=win3)')
        call MPI_Win_start(group, 0, window IERROR)
        call ok('MPI_Win_start(group=group1, assert=0, win=win3)')
        call barrier()
        call MPI_Win_test(window, flag IERROR)
        call ok('MPI_Win_test(win=win3, flag=0)')
        call must(.not. flag, 'Win_test')
        call barrier()
        call MPI_Win_complete(window IERROR)
        call ok('MPI_Win_complete(win=win3)')
        call MPI_Win_wait(window IERROR)
        call ok('MPI_Win_wait(win=win3)')
        call free(window, 3)
        call MPI_Group_free(group IERROR)
        call ok('MPI_Group_free(group=group1)')
    end subroutine

    ! The library's memory, whose address comes as an INTEGER, or as TYPE(C_PTR) where a module declares that.
    subroutine allocated()
        HANDLE(MPI_Win) :: window
        integer(kind=ak) :: bytes
        integer(kind=dk) :: unit
        integer, pointer :: memory(:)
        type(c_ptr) :: base
#ifdef BINDING_F08
        integer, parameter :: first = 5
#else
        integer, parameter :: first = 7
#endif
#ifndef BINDING_F08
        integer(kind=ak) :: address
        call MPI_Win_allocate(16_ak, 4_dk, MPI_INFO_NULL, MPI_COMM_WORLD, address, window IERROR)
        call ok('MPI_Win_allocate@(size=16, disp_unit=4, info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, ' // &
            'baseptr=ptr, win=win5)')
        call must(address /= 0, 'Win_allocate')
        call free(window, 5)
        call MPI_Win_allocate_shared(16_ak, 4_dk, MPI_INFO_NULL, MPI_COMM_WORLD, address, window IERROR)
        call ok('MPI_Win_allocate_shared@(size=16, disp_unit=4, info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, ' // &
            'baseptr=ptr, win=win6)')
        call MPI_Win_shared_query(window, 0, bytes, unit, address IERROR)
        call ok('MPI_Win_shared_query@(win=win6, rank=0, size=16, disp_unit=4, baseptr=ptr)')
        call must(address /= 0 .and. bytes == 16 .and. unit == 4, 'Win_shared_query')
        call free(window, 6)
#endif
#ifndef BINDING_MPIF_H
        call MPI_Win_allocate(16_ak, 4_dk, MPI_INFO_NULL, MPI_COMM_WORLD, base, window IERROR)
        call ok('MPI_Win_allocate@(size=16, disp_unit=4, info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, baseptr=ptr, win=win%)', &
            [first])
        call c_f_pointer(base, memory, [4])
        memory = rank
        call must(all(memory == rank), 'Win_allocate of a pointer')
        call free(window, first)
        call MPI_Win_allocate_shared(16_ak, 4_dk, MPI_INFO_NULL, MPI_COMM_WORLD, base, window IERROR)
        call ok('MPI_Win_allocate_shared@(size=16, disp_unit=4, info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, ' // &
            'baseptr=ptr, win=win%)', [first + 1])
        call MPI_Win_shared_query(window, 0, bytes, unit, base IERROR)
        call ok('MPI_Win_shared_query@(win=win%, rank=0, size=16, disp_unit=4, baseptr=ptr)', [first + 1])
        call c_f_pointer(base, memory, [4])
        call must(bytes == 16 .and. unit == 4, 'Win_shared_query of a pointer')
        call free(window, first + 1)
#endif
    end subroutine

    subroutine attached()
        HANDLE(MPI_Win) :: window
        call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, window IERROR)
        call ok('MPI_Win_create_dynamic(info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, win=win4)')
        call MPI_Win_attach(window, values, 16_ak IERROR)
        call ok('MPI_Win_attach(win=win4, base=ptr, size=16)')
        call MPI_Win_detach(window, values IERROR)
        call ok('MPI_Win_detach(win=win4, base=ptr)')
        call free(window, 4)
    end subroutine
end program
