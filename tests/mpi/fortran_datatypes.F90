! SPDX-License-Identifier: BSD-3-Clause
! ranks: 2
! Datatypes: constructors, what can be asked of them, packing, and addresses.
#include "fortran_binding.inc"
program fortran_datatypes
    use binding
    implicit none

    call start()
    call constructors()
    call derived()
    call arrays()
    call asked()
    call contents()
    call numeric()
    call packing()
    call addresses()
    call elements()
#ifdef HAVE_MPI_1
    call removed()
#endif
    call finish()

contains
    ! type<number>
    subroutine free(made, number)
        HANDLE(MPI_Datatype), intent(inout) :: made
        integer, intent(in) :: number
        call MPI_Type_free(made IERROR)
        call ok('MPI_Type_free(datatype=type%)', [number])
        call must(made == MPI_DATATYPE_NULL, 'Type_free')
    end subroutine

    subroutine constructors()
        HANDLE(MPI_Datatype) :: made
        call MPI_Type_contiguous(4_ck, MPI_INTEGER, made IERROR)
        call ok('MPI_Type_contiguous@(count=4, oldtype=MPI_INTEGER, newtype=type0)')
        call free(made, 0)
        call MPI_Type_vector(3_ck, 2_ck, 4_ck, MPI_REAL, made IERROR)
        call ok('MPI_Type_vector@(count=3, blocklength=2, stride=4, oldtype=MPI_REAL, newtype=type1)')
        call free(made, 1)
        call MPI_Type_create_hvector(3_ck, 2_ck, 64_ak, MPI_DOUBLE_PRECISION, made IERROR)
        call ok('MPI_Type_create_hvector@(count=3, blocklength=2, stride=64, oldtype=MPI_DOUBLE_PRECISION, ' // &
            'newtype=type2)')
        call free(made, 2)
        call MPI_Type_indexed(2_ck, [1_ck, 2_ck], [0_dk, 4_dk], MPI_COMPLEX, made IERROR)
        call ok('MPI_Type_indexed@(count=2, array_of_blocklengths=[1, 2], array_of_displacements=[0, 4], ' // &
            'oldtype=MPI_COMPLEX, newtype=type3)')
        call free(made, 3)
        call MPI_Type_create_hindexed(2_ck, [1_ck, 2_ck], [0_ak, -16_ak], MPI_LOGICAL, made IERROR)
        call ok('MPI_Type_create_hindexed@(count=2, array_of_blocklengths=[1, 2], array_of_displacements=[0, ' // &
            '-16], oldtype=MPI_LOGICAL, newtype=type4)')
        call free(made, 4)
        call MPI_Type_create_indexed_block(2_ck, 3_ck, [0_dk, 8_dk], MPI_CHARACTER, made IERROR)
        call ok('MPI_Type_create_indexed_block@(count=2, blocklength=3, array_of_displacements=[0, 8], ' // &
            'oldtype=MPI_CHARACTER, newtype=type5)')
        call free(made, 5)
        call MPI_Type_create_hindexed_block(2_ck, 3_ck, [0_ak, 64_ak], MPI_DOUBLE_COMPLEX, made IERROR)
        call ok('MPI_Type_create_hindexed_block@(count=2, blocklength=3, array_of_displacements=[0, 64], ' // &
            'oldtype=MPI_DOUBLE_COMPLEX, newtype=type6)')
        call free(made, 6)
    end subroutine

    subroutine derived()
        HANDLE(MPI_Datatype) :: types(2), made, copy, wide
        types(1) = MPI_INTEGER
        types(2) = MPI_DOUBLE_PRECISION
        call MPI_Type_create_struct(2_ck, [1_ck, 2_ck], [0_ak, 16_ak], types, made IERROR)
        call ok('MPI_Type_create_struct@(count=2, array_of_blocklengths=[1, 2], array_of_displacements=[0, ' // &
            '16], array_of_types=[MPI_INTEGER, MPI_DOUBLE_PRECISION], newtype=type7)')
        call MPI_Type_commit(made IERROR)
        call ok('MPI_Type_commit(datatype=type7)')
        call MPI_Type_dup(made, copy IERROR)
        call ok('MPI_Type_dup(oldtype=type7, newtype=type8)')
        call MPI_Type_create_resized(copy, -8_ak, 64_ak, wide IERROR)
        call ok('MPI_Type_create_resized(oldtype=type8, lb=-8, extent=64, newtype=type9)')
        call free(copy, 8)
        call free(wide, 9)
        call free(made, 7)
    end subroutine

    subroutine arrays()
        HANDLE(MPI_Datatype) :: made
        call MPI_Type_create_subarray(2, [4_ck, 6_ck], [2_ck, 3_ck], [1_ck, 0_ck], MPI_ORDER_FORTRAN, MPI_INTEGER, &
            made IERROR)
        call ok('MPI_Type_create_subarray@(ndims=2, array_of_sizes=[4, 6], array_of_subsizes=[2, 3], ' // &
            'array_of_starts=[1, 0], order=MPI_ORDER_FORTRAN, oldtype=MPI_INTEGER, newtype=type10)')
        call free(made, 10)
        call MPI_Type_create_darray(4, 1, 2, [8_ck, 8_ck], [MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC], &
            [MPI_DISTRIBUTE_DFLT_DARG, 2], [2, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, made IERROR)
        call ok('MPI_Type_create_darray@(size=4, rank=1, ndims=2, array_of_gsizes=[8, 8], ' // &
            'array_of_distribs=[MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC], ' // &
            'array_of_dargs=[MPI_DISTRIBUTE_DFLT_DARG, 2], array_of_psizes=[2, 2], order=MPI_ORDER_FORTRAN, ' // &
            'oldtype=MPI_INTEGER, newtype=type11)')
        call free(made, 11)
    end subroutine

    subroutine asked()
        HANDLE(MPI_Datatype) :: made
        character(len=MPI_MAX_OBJECT_NAME) :: name
        integer :: length
        integer(kind=ck) :: bytes
        integer(kind=ak) :: lb, extent
        integer(kind=MPI_COUNT_KIND) :: bytes_x, lb_x, extent_x
        call MPI_Type_vector(2_ck, 1_ck, 3_ck, MPI_INTEGER, made IERROR)
        call ok('MPI_Type_vector@(count=2, blocklength=1, stride=3, oldtype=MPI_INTEGER, newtype=type12)')
        call MPI_Type_size(made, bytes IERROR)
        call ok('MPI_Type_size@(datatype=type12, size=8)')
        call MPI_Type_size_x(made, bytes_x IERROR)
        call ok('MPI_Type_size_x(datatype=type12, size=8)')
        call must(bytes == 8 .and. bytes_x == 8, 'Type_size')
        call MPI_Type_get_extent(made, lb, extent IERROR)
        call ok('MPI_Type_get_extent(datatype=type12, lb=0, extent=16)')
        call must(lb == 0 .and. extent == 16, 'Type_get_extent')
        call MPI_Type_get_extent_x(made, lb_x, extent_x IERROR)
        call ok('MPI_Type_get_extent_x(datatype=type12, lb=0, extent=16)')
        call must(lb_x == 0 .and. extent_x == 16, 'Type_get_extent_x')
        call MPI_Type_get_true_extent(made, lb, extent IERROR)
        call ok('MPI_Type_get_true_extent(datatype=type12, true_lb=0, true_extent=16)')
        call MPI_Type_get_true_extent_x(made, lb_x, extent_x IERROR)
        call ok('MPI_Type_get_true_extent_x(datatype=type12, true_lb=0, true_extent=16)')
        call must(extent == 16 .and. extent_x == 16, 'Type_get_true_extent')
        call MPI_Type_set_name(made, 'every third  ' IERROR)
        call ok('MPI_Type_set_name(datatype=type12, type_name="every third")')
        call MPI_Type_get_name(made, name, length IERROR)
        call ok('MPI_Type_get_name(datatype=type12, type_name="every third", resultlen=11)')
        call must(name == 'every third' .and. length == 11, 'Type_get_name')
        call MPI_Type_get_name(MPI_INTEGER, name, length IERROR)
        call ok('MPI_Type_get_name(datatype=MPI_INTEGER, type_name="MPI_INTEGER", resultlen=11)')
        call free(made, 12)
    end subroutine

    subroutine contents()
        HANDLE(MPI_Datatype) :: made, types(1)
        integer :: combiner
        integer :: integers(3)
        integer(kind=ak) :: places(2)
#ifdef BINDING_F08_LARGE
        integer(kind=ck) :: n_integers, n_places, n_counts, n_types, counts(5)
#else
        integer :: n_integers, n_places, n_types
#endif
        call MPI_Type_create_hindexed(2_ck, [1_ck, 2_ck], [0_ak, 16_ak], MPI_INTEGER, made IERROR)
        call ok('MPI_Type_create_hindexed@(count=2, array_of_blocklengths=[1, 2], array_of_displacements=[0, ' // &
            '16], oldtype=MPI_INTEGER, newtype=type13)')
#ifdef BINDING_F08_LARGE
        call MPI_Type_get_envelope(made, n_integers, n_places, n_counts, n_types, combiner)
        call ok('MPI_Type_get_envelope@(datatype=type13, num_integers=0, num_addresses=0, num_large_counts=5, ' // &
            'num_datatypes=1, combiner=MPI_COMBINER_HINDEXED)')
        call MPI_Type_get_contents(made, n_integers, n_places, n_counts, n_types, integers, places, counts, types)
        call ok('MPI_Type_get_contents@(datatype=type13, max_integers=0, max_addresses=0, max_large_counts=5, ' // &
            'max_datatypes=1, array_of_integers=[], array_of_addresses=[], array_of_large_counts=[2, 1, 2, 0, ' // &
            '16], array_of_datatypes=[MPI_INTEGER])')
        call must(all(counts == [2, 1, 2, 0, 16]), 'Type_get_contents')
#else
        call MPI_Type_get_envelope(made, n_integers, n_places, n_types, combiner IERROR)
        call ok('MPI_Type_get_envelope@(datatype=type13, num_integers=3, num_addresses=2, num_datatypes=1, ' // &
            'combiner=MPI_COMBINER_HINDEXED)')
        call MPI_Type_get_contents(made, n_integers, n_places, n_types, integers, places, types IERROR)
        call ok('MPI_Type_get_contents@(datatype=type13, max_integers=3, max_addresses=2, max_datatypes=1, ' // &
            'array_of_integers=[2, 1, 2], array_of_addresses=[0, 16], array_of_datatypes=[MPI_INTEGER])')
        call must(all(integers == [2, 1, 2]) .and. all(places == [0, 16]), 'Type_get_contents')
#endif
        call must(combiner == MPI_COMBINER_HINDEXED .and. types(1) == MPI_INTEGER, 'Type_get_envelope')
        call free(made, 13)
    end subroutine

    ! Types that belong to the library.
    subroutine numeric()
        HANDLE(MPI_Datatype) :: lent
        integer :: bytes
        call MPI_Type_create_f90_integer(9, lent IERROR)
        call ok('MPI_Type_create_f90_integer(r=9, newtype=type14)')
        call MPI_Type_create_f90_real(6, 30, lent IERROR)
        call ok('MPI_Type_create_f90_real(p=6, r=30, newtype=type15)')
        call MPI_Type_create_f90_complex(12, 100, lent IERROR)
        call ok('MPI_Type_create_f90_complex(p=12, r=100, newtype=type16)')
        call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, lent IERROR)
        call ok('MPI_Type_match_size(typeclass=MPI_TYPECLASS_REAL, size=8, datatype=MPI_REAL8)')
#ifndef BINDING_MPIF_H
        call MPI_Sizeof(bytes, bytes, ierror) ! not recorded
        call must(bytes == 4, 'Sizeof')
#endif
    end subroutine

    subroutine packing()
        integer :: values(4), again(4)
        integer(kind=ck) :: bytes, position
        integer(kind=ak) :: external_bytes, external_position
        character :: room(100)
        values = [1, 2, 3, 4]
        call MPI_Pack_size(4_ck, MPI_INTEGER, MPI_COMM_WORLD, bytes IERROR)
        call ok('MPI_Pack_size@(incount=4, datatype=MPI_INTEGER, comm=MPI_COMM_WORLD, size=16)')
        call must(bytes == 16, 'Pack_size')
        position = 8
        call MPI_Pack(values, 4_ck, MPI_INTEGER, room, 100_ck, position, MPI_COMM_WORLD IERROR)
        call ok('MPI_Pack@(inbuf=ptr, incount=4, datatype=MPI_INTEGER, outbuf=ptr, outsize=100, ' // &
            'position=8->24, comm=MPI_COMM_WORLD)')
        call must(position == 24, 'Pack')
        position = 8
        again = 0
        call MPI_Unpack(room, 100_ck, position, again, 4_ck, MPI_INTEGER, MPI_COMM_WORLD IERROR)
        call ok('MPI_Unpack@(inbuf=ptr, insize=100, position=8->24, outbuf=ptr, outcount=4, ' // &
            'datatype=MPI_INTEGER, comm=MPI_COMM_WORLD)')
        call must(all(again == values) .and. position == 24, 'Unpack')
        call MPI_Pack_external_size('external32', 4_ck, MPI_INTEGER, external_bytes IERROR)
        call ok('MPI_Pack_external_size@(datarep="external32", incount=4, datatype=MPI_INTEGER, size=16)')
        external_position = 0
        call MPI_Pack_external('external32', values, 4_ck, MPI_INTEGER, room, 100_ak, external_position IERROR)
        call ok('MPI_Pack_external@(datarep="external32", inbuf=ptr, incount=4, datatype=MPI_INTEGER, ' // &
            'outbuf=ptr, outsize=100, position=0->16)')
        external_position = 0
        again = 0
        call MPI_Unpack_external('external32  ', room, 100_ak, external_position, again, 4_ck, MPI_INTEGER IERROR)
        call ok('MPI_Unpack_external@(datarep="external32", inbuf=ptr, insize=100, position=0->16, ' // &
            'outbuf=ptr, outcount=4, datatype=MPI_INTEGER)')
        call must(all(again == values) .and. external_position == 16, 'Unpack_external')
    end subroutine

    subroutine addresses()
        integer, target, save :: values(4)
        integer(kind=ak) :: first, third
        HANDLE(MPI_Datatype) :: made
#if defined BINDING_MPIF_H && defined MPI_mpich /* whose mpif.h does not declare them */
        integer(kind=ak), external :: MPI_Aint_add, MPI_Aint_diff
#endif
        values = [1, 2, 3, 4]
        call MPI_Get_address(values(1), first IERROR)
        call ok('MPI_Get_address(location=ptr, address=ptr)')
        call MPI_Get_address(values(3), third IERROR)
        call ok('MPI_Get_address(location=ptr, address=ptr)')
        call must(third - first == 8, 'Get_address')
        call must(MPI_Aint_add(first, 8_ak) == third, 'Aint_add')
        call expect('MPI_Aint_add(base=ptr, disp=8) = ptr')
        call must(MPI_Aint_diff(third, first) == 8, 'Aint_diff')
        call expect('MPI_Aint_diff(addr1=ptr, addr2=ptr) = 8')
        call MPI_Type_create_hindexed(1_ck, [1_ck], [first], MPI_INTEGER, made IERROR)
        call ok('MPI_Type_create_hindexed@(count=1, array_of_blocklengths=[1], array_of_displacements=[' // text(first) // &
            '], oldtype=MPI_INTEGER, newtype=type17)')
        call MPI_Type_commit(made IERROR)
        call ok('MPI_Type_commit(datatype=type17)')
        call MPI_Sendrecv(MPI_BOTTOM, 1_ck, made, rank, 1, values(2), 1_ck, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, &
            MPI_STATUS_IGNORE IERROR)
        call ok('MPI_Sendrecv@(sendbuf=NULL, sendcount=1, sendtype=type17, dest=%, sendtag=1, recvbuf=ptr, ' // &
            'recvcount=1, recvtype=MPI_INTEGER, source=%, recvtag=1, comm=MPI_COMM_WORLD, ' // &
            'status=ignored{source=%, tag=1, error=MPI_SUCCESS, bytes=4})', [rank, rank, rank])
        call must(values(2) == 1, 'send from MPI_BOTTOM')
        call free(made, 17)
    end subroutine

    subroutine elements()
        STATUS(status)
        integer(kind=ck) :: count
        integer(kind=MPI_COUNT_KIND) :: count_x
        logical :: flag
        SOURCE(status) = 1
        TAG(status) = 2
        FAULT(status) = MPI_SUCCESS
        call MPI_Status_set_elements(status, MPI_INTEGER, 3 IERROR)
        call ok('MPI_Status_set_elements(status=' // sent // ', datatype=MPI_INTEGER, count=3)')
        call MPI_Status_set_cancelled(status, .false. IERROR)
        call ok('MPI_Status_set_cancelled(status=' // sent // ', flag=0)')
        call MPI_Get_elements(status, MPI_INTEGER, count IERROR)
        call ok('MPI_Get_elements@(status={source=1, tag=2, error=MPI_SUCCESS, bytes=12}, ' // &
            'datatype=MPI_INTEGER, count=3)')
        call must(count == 3, 'Get_elements')
        count_x = 5
        call MPI_Status_set_elements_x(status, MPI_INTEGER, count_x IERROR)
        call ok('MPI_Status_set_elements_x(status=' // sent // ', datatype=MPI_INTEGER, count=5)')
        call MPI_Get_elements_x(status, MPI_INTEGER, count_x IERROR)
        call ok('MPI_Get_elements_x(status={source=1, tag=2, error=MPI_SUCCESS, bytes=20}, ' // &
            'datatype=MPI_INTEGER, count=5)')
        call must(count_x == 5, 'Get_elements_x')
        call MPI_Test_cancelled(status, flag IERROR)
        call ok('MPI_Test_cancelled(status={source=1, tag=2, error=MPI_SUCCESS, bytes=20}, flag=0)')
        call must(.not. flag, 'Test_cancelled')
    end subroutine

#ifdef HAVE_MPI_1
    ! What MPI 3 removed, and libraries still have.
    subroutine removed()
        integer :: values(2), at, extent, types(2)
        integer :: made
        call MPI_Type_hvector(3, 2, 64, MPI_INTEGER, made, ierror)
        call ok('MPI_Type_hvector(count=3, blocklength=2, stride=64, oldtype=MPI_INTEGER, newtype=type18)')
        call free(made, 18)
        call MPI_Type_hindexed(2, [1, 2], [0, 16], MPI_INTEGER, made, ierror)
        call ok('MPI_Type_hindexed(count=2, array_of_blocklengths=[1, 2], array_of_displacements=[0, 16], ' // &
            'oldtype=MPI_INTEGER, newtype=type19)')
        call free(made, 19)
        types = [MPI_INTEGER, MPI_REAL]
        call MPI_Type_struct(2, [1, 2], [0, 4], types, made, ierror)
        call ok('MPI_Type_struct(count=2, array_of_blocklengths=[1, 2], array_of_displacements=[0, 4], ' // &
            'array_of_types=[MPI_INTEGER, MPI_REAL], newtype=type20)')
        call MPI_Type_extent(made, extent, ierror)
        call ok('MPI_Type_extent(datatype=type20, extent=12)')
        call must(extent == 12, 'Type_extent')
        call MPI_Type_lb(made, at, ierror)
        call ok('MPI_Type_lb(datatype=type20, displacement=0)')
        call must(at == 0, 'Type_lb')
        call MPI_Type_ub(made, at, ierror)
        call ok('MPI_Type_ub(datatype=type20, displacement=12)')
        call must(at == 12, 'Type_ub')
        call free(made, 20)
        call MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror) ! an INTEGER may be too small
        call ok('MPI_Errhandler_set(comm=MPI_COMM_WORLD, errhandler=MPI_ERRORS_RETURN)')
        call MPI_Address(values, at, ierror)
        if (ierror == MPI_SUCCESS) then
            call ok('MPI_Address(location=ptr, address=ptr)')
        else
            call expect('MPI_Address(location=ptr, address=?) = MPI_ERR_OTHER')
        end if
    end subroutine
#endif
end program
