! SPDX-License-Identifier: BSD-3-Clause
! ranks: 3
! Groups, communicators, what they are called, and info that they carry; on three processes.
#include "fortran_binding.inc"
program fortran_communicators
    use binding
    implicit none
    HANDLE(MPI_Group) :: world_group
    ! Of the one communicator without rank 0, which comes behind all others.
#ifdef HAVE_MPI_4
    integer, parameter :: last_number = 10
#else
    integer, parameter :: last_number = 9
#endif

    call start()
    call groups()
    call duplicates()
    call parts()
    call between()
    call names()
    call free_group(world_group, 0)
    call finish()

contains
    ! group<number>
    subroutine free_group(group, number)
        HANDLE(MPI_Group), intent(inout) :: group
        integer, intent(in) :: number
        call MPI_Group_free(group IERROR)
        call ok('MPI_Group_free(group=group%)', [number])
        call must(group == MPI_GROUP_NULL, 'Group_free')
    end subroutine

    ! comm<number>
    subroutine free(comm, number)
        HANDLE(MPI_Comm), intent(inout) :: comm
        integer, intent(in) :: number
        call MPI_Comm_free(comm IERROR)
        call ok('MPI_Comm_free(comm=comm%)', [number])
        call must(comm == MPI_COMM_NULL, 'Comm_free')
    end subroutine

    subroutine groups()
        HANDLE(MPI_Group) :: first, rest, all, common, none, some
        integer :: members, place, places(3), result
        call MPI_Comm_group(MPI_COMM_WORLD, world_group IERROR)
        call ok('MPI_Comm_group(comm=MPI_COMM_WORLD, group=group0)')
        call MPI_Group_size(world_group, members IERROR)
        call ok('MPI_Group_size(group=group0, size=3)')
        call MPI_Group_rank(world_group, place IERROR)
        call ok('MPI_Group_rank(group=group0, rank=%)', [rank])
        call must(members == n .and. place == rank, 'Group_rank')
        call MPI_Group_incl(world_group, 2, [2, 0], first IERROR)
        call ok('MPI_Group_incl(group=group0, n=2, ranks=[2, 0], newgroup=group1)')
        call MPI_Group_excl(world_group, 1, [0], rest IERROR)
        call ok('MPI_Group_excl(group=group0, n=1, ranks=[0], newgroup=group2)')
        call MPI_Group_union(first, rest, all IERROR)
        call ok('MPI_Group_union(group1=group1, group2=group2, newgroup=group3)')
        call MPI_Group_intersection(first, rest, common IERROR)
        call ok('MPI_Group_intersection(group1=group1, group2=group2, newgroup=group4)')
        call MPI_Group_difference(world_group, rest, none IERROR)
        call ok('MPI_Group_difference(group1=group0, group2=group2, newgroup=group5)')
        call MPI_Group_compare(world_group, all, result IERROR)
        call ok('MPI_Group_compare(group1=group0, group2=group3, result=MPI_SIMILAR)')
        call must(result == MPI_SIMILAR, 'Group_compare')
        call MPI_Group_translate_ranks(first, 2, [0, 1], common, places IERROR)
        call ok('MPI_Group_translate_ranks(group1=group1, n=2, ranks1=[0, 1], group2=group4, ranks2=[0, ' // &
            'MPI_UNDEFINED])')
        call must(places(1) == 0 .and. places(2) == MPI_UNDEFINED, 'Group_translate_ranks')
        call MPI_Group_range_incl(world_group, 1, reshape([2, 0, -2], [3, 1]), some IERROR)
        call ok('MPI_Group_range_incl(group=group0, n=1, ranges=[2, 0, -2], newgroup=group6)')
        call free_group(some, 6)
        call MPI_Group_range_excl(world_group, 1, reshape([0, 1, 1], [3, 1]), some IERROR)
        call ok('MPI_Group_range_excl(group=group0, n=1, ranges=[0, 1, 1], newgroup=group7)')
        call free_group(some, 7)
        call free_group(none, 5)
        call free_group(common, 4)
        call free_group(all, 3)
        call free_group(rest, 2)
        call free_group(first, 1)
    end subroutine

    subroutine duplicates()
        HANDLE(MPI_Comm) :: copy
        HANDLE(MPI_Info) :: info
        HANDLE(MPI_Request) :: request
        integer :: result
        call MPI_Comm_dup(MPI_COMM_WORLD, copy IERROR)
        call ok('MPI_Comm_dup(comm=MPI_COMM_WORLD, newcomm=comm0)')
        call MPI_Comm_compare(MPI_COMM_WORLD, copy, result IERROR)
        call ok('MPI_Comm_compare(comm1=MPI_COMM_WORLD, comm2=comm0, result=MPI_CONGRUENT)')
        call must(result == MPI_CONGRUENT, 'Comm_compare')
        call free(copy, 0)
        call MPI_Info_create(info IERROR)
        call ok('MPI_Info_create(info=info0)')
        call MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, copy IERROR)
        call ok('MPI_Comm_dup_with_info(comm=MPI_COMM_WORLD, info=info0, newcomm=comm1)')
        call MPI_Comm_set_info(copy, info IERROR)
        call ok('MPI_Comm_set_info(comm=comm1, info=info0)')
        call MPI_Info_free(info IERROR)
        call ok('MPI_Info_free(info=info0)')
        call MPI_Comm_get_info(copy, info IERROR)
        call ok('MPI_Comm_get_info(comm=comm1, info_used=info1)')
        call MPI_Info_free(info IERROR)
        call ok('MPI_Info_free(info=info1)')
        call free(copy, 1)
        call MPI_Comm_idup(MPI_COMM_WORLD, copy, request IERROR)
        call ok('MPI_Comm_idup(comm=MPI_COMM_WORLD, newcomm=comm2, request=req0)')
        call complete(request, 0)
        call free(copy, 2)
        call MPI_Comm_dup(MPI_COMM_WORLD, copy IERROR)
        call ok('MPI_Comm_dup(comm=MPI_COMM_WORLD, newcomm=comm0)')
        call MPI_Comm_disconnect(copy IERROR)
        call ok('MPI_Comm_disconnect(comm=comm0)')
        call must(copy == MPI_COMM_NULL, 'Comm_disconnect')
    end subroutine

    subroutine parts()
        HANDLE(MPI_Group) :: all
        HANDLE(MPI_Comm) :: made
        integer :: members
        call MPI_Comm_create(MPI_COMM_WORLD, world_group, made IERROR)
        call ok('MPI_Comm_create(comm=MPI_COMM_WORLD, group=group0, newcomm=comm3)')
        call MPI_Comm_size(made, members IERROR)
        call ok('MPI_Comm_size(comm=comm3, size=3)')
        call free(made, 3)
        call MPI_Group_incl(world_group, 3, [2, 1, 0], all IERROR)
        call ok('MPI_Group_incl(group=group0, n=3, ranks=[2, 1, 0], newgroup=group8)')
        call MPI_Comm_create_group(MPI_COMM_WORLD, all, 17, made IERROR)
        call ok('MPI_Comm_create_group(comm=MPI_COMM_WORLD, group=group8, tag=17, newcomm=comm4)')
        call MPI_Comm_rank(made, members IERROR)
        call ok('MPI_Comm_rank(comm=comm4, rank=%)', [n - 1 - rank])
        call must(members == n - 1 - rank, 'Comm_create_group')
        call free(made, 4)
        call free_group(all, 8)
        call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, made IERROR)
        call ok('MPI_Comm_split_type(comm=MPI_COMM_WORLD, split_type=MPI_COMM_TYPE_SHARED, key=%, ' // &
            'info=MPI_INFO_NULL, newcomm=comm5)', [rank])
        call free(made, 5)
        call MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, made IERROR)
        call ok('MPI_Comm_split(comm=MPI_COMM_WORLD, color=MPI_UNDEFINED, key=0, newcomm=MPI_COMM_NULL)')
        call must(made == MPI_COMM_NULL, 'Comm_split')
    end subroutine

    ! Rank 0 on one side, the others on the other.
    subroutine between()
        HANDLE(MPI_Comm) :: side, inter, merged
        HANDLE(MPI_Group) :: remote
        integer :: members, number
        logical :: flag
        number = merge(6, last_number, rank == 0)
        call MPI_Comm_split(MPI_COMM_WORLD, min(rank, 1), rank, side IERROR)
        call ok('MPI_Comm_split(comm=MPI_COMM_WORLD, color=%, key=%, newcomm=comm%)', [min(rank, 1), rank, number])
        call MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, merge(1, 0, rank == 0), 3, inter IERROR)
        call ok('MPI_Intercomm_create(local_comm=comm%, local_leader=0, peer_comm=MPI_COMM_WORLD, remote_leader=%, ' // &
            'tag=3, newintercomm=comm7)', [number, merge(1, 0, rank == 0)])
        call MPI_Comm_test_inter(inter, flag IERROR)
        call ok('MPI_Comm_test_inter(comm=comm7, flag=1)')
        call must(flag, 'Comm_test_inter')
        call MPI_Comm_remote_size(inter, members IERROR)
        call ok('MPI_Comm_remote_size(comm=comm7, size=%)', [merge(2, 1, rank == 0)])
        call must(members == merge(2, 1, rank == 0), 'Comm_remote_size')
        call MPI_Comm_remote_group(inter, remote IERROR)
        call ok('MPI_Comm_remote_group(comm=comm7, group=group9)')
        call free_group(remote, 9)
        call MPI_Intercomm_merge(inter, rank == 0, merged IERROR)
        call ok('MPI_Intercomm_merge(intercomm=comm7, high=%, newintracomm=comm8)', [merge(1, 0, rank == 0)])
        call MPI_Comm_rank(merged, members IERROR)
        call ok('MPI_Comm_rank(comm=comm8, rank=%)', [left])
        call must(members == left, 'Intercomm_merge')
        call free(merged, 8)
        call free(inter, 7)
        call free(side, number)
    end subroutine

    subroutine names()
        HANDLE(MPI_Comm) :: copy
        HANDLE(MPI_Request) :: request
        character(len=MPI_MAX_OBJECT_NAME) :: name
        integer :: length, topology
        call MPI_Comm_dup(MPI_COMM_WORLD, copy IERROR)
        call ok('MPI_Comm_dup(comm=MPI_COMM_WORLD, newcomm=comm0)')
        call MPI_Comm_set_name(copy, 'a copy   ' IERROR)
        call ok('MPI_Comm_set_name(comm=comm0, comm_name="a copy")')
        call MPI_Comm_get_name(copy, name, length IERROR)
        call ok('MPI_Comm_get_name(comm=comm0, comm_name="a copy", resultlen=6)')
        call must(name == 'a copy' .and. length == 6, 'Comm_get_name')
        call MPI_Topo_test(copy, topology IERROR)
        call ok('MPI_Topo_test(comm=comm0, status=MPI_UNDEFINED)')
        call must(topology == MPI_UNDEFINED, 'Topo_test')
        call free(copy, 0)
#ifdef HAVE_MPI_4
        call MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, copy, request IERROR)
        call ok('MPI_Comm_idup_with_info(comm=MPI_COMM_WORLD, info=MPI_INFO_NULL, newcomm=comm9, request=req1)')
        call complete(request, 1)
        call free(copy, 9)
#endif
    end subroutine
end program
