! SPDX-License-Identifier: BSD-3-Clause
! ranks: 3
! Point-to-point communication, through the binding that fortran_binding.inc is told; see there.
#include "fortran_binding.inc"
program fortran_messages
    use binding
    use, intrinsic :: iso_c_binding, only: c_ptr
    implicit none
    integer :: out(8), in(8)

    call start()
    out = rank
    call blocking()
    call exchanges()
    call buffered()
    call nonblocking()
    call probed()
    call completions()
    call persistent()
    call cancelled()
#ifdef BINDING_F08
    call sections()
#endif
#ifdef HAVE_MPI_4
    call exchanges_nonblocking()
    call partitioned()
#endif
    call finish()

contains
    ! Four numbers from the left, to be waited for by `arrive`.
    subroutine post(request)
        HANDLE(MPI_Request), intent(out) :: request
        in = -1
        call MPI_Irecv(in, 4_ck, MPI_INTEGER, left, 5, MPI_COMM_WORLD, request IERROR)
        call ok('MPI_Irecv@(buf=ptr, count=4, datatype=MPI_INTEGER, source=%, tag=5, comm=MPI_COMM_WORLD, ' // &
            'request=req0)', [left])
    end subroutine

    subroutine arrive(request)
        HANDLE(MPI_Request), intent(inout) :: request
        STATUS(status)
        call MPI_Wait(request, status IERROR)
        call ok('MPI_Wait(request=req0, status={source=%, tag=5, error=MPI_SUCCESS, bytes=16})', [left])
        call must(all(in(:4) == left) .and. SOURCE(status) == left .and. request == MPI_REQUEST_NULL, 'Wait')
    end subroutine

    subroutine blocking()
        HANDLE(MPI_Request) :: request
        STATUS(status)
        integer(kind=ck) :: count
        call post(request)
        call MPI_Send(out, 4_ck, MPI_INTEGER, right, 5, MPI_COMM_WORLD IERROR)
        call ok('MPI_Send@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=%, tag=5, comm=MPI_COMM_WORLD)', [right])
        call arrive(request)
        call post(request)
        call MPI_Ssend(out, 4_ck, MPI_INTEGER, right, 5, MPI_COMM_WORLD IERROR)
        call ok('MPI_Ssend@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=%, tag=5, comm=MPI_COMM_WORLD)', [right])
        call arrive(request)
        call post(request)
        call barrier()
        call MPI_Rsend(out, 4_ck, MPI_INTEGER, right, 5, MPI_COMM_WORLD IERROR)
        call ok('MPI_Rsend@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=%, tag=5, comm=MPI_COMM_WORLD)', [right])
        call arrive(request)
        call MPI_Send(out, 4_ck, MPI_INTEGER, MPI_PROC_NULL, 2, MPI_COMM_WORLD IERROR)
        call ok('MPI_Send@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=MPI_PROC_NULL, tag=2, comm=MPI_COMM_WORLD)')
        call MPI_Recv(in, 4_ck, MPI_INTEGER, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, status IERROR)
        call ok('MPI_Recv@(buf=ptr, count=4, datatype=MPI_INTEGER, source=MPI_PROC_NULL, tag=MPI_ANY_TAG, ' // &
            'comm=MPI_COMM_WORLD, status={source=MPI_PROC_NULL, tag=MPI_ANY_TAG, error=MPI_SUCCESS, bytes=0})')
        call MPI_Isend(out, 4_ck, MPI_INTEGER, rank, 7, MPI_COMM_WORLD, request IERROR)
        call ok('MPI_Isend@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=%, tag=7, comm=MPI_COMM_WORLD, ' // &
            'request=req1)', [rank])
        call MPI_Recv(in, 8_ck, MPI_INTEGER, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, status IERROR)
        call ok('MPI_Recv@(buf=ptr, count=8, datatype=MPI_INTEGER, source=MPI_ANY_SOURCE, tag=7, ' // &
            'comm=MPI_COMM_WORLD, status={source=%, tag=7, error=MPI_SUCCESS, bytes=16})', [rank])
        call must(SOURCE(status) == rank .and. all(in(:4) == rank), 'Recv')
        call MPI_Get_count(status, MPI_INTEGER, count IERROR)
        call ok('MPI_Get_count@(status={source=%, tag=7, error=MPI_SUCCESS, bytes=16}, datatype=MPI_INTEGER, ' // &
            'count=4)', [rank])
        call must(count == 4, 'Get_count')
        call complete(request, 1)
    end subroutine

    subroutine exchanges()
        STATUS(status)
        call MPI_Sendrecv(out, 4_ck, MPI_INTEGER, right, 1, in, 4_ck, MPI_INTEGER, left, 1, MPI_COMM_WORLD, status IERROR)
        call ok('MPI_Sendrecv@(sendbuf=ptr, sendcount=4, sendtype=MPI_INTEGER, dest=%, sendtag=1, ' // &
            'recvbuf=ptr, recvcount=4, recvtype=MPI_INTEGER, source=%, recvtag=1, comm=MPI_COMM_WORLD, ' // &
            'status={source=%, tag=1, error=MPI_SUCCESS, bytes=16})', [right, left, left])
        call must(all(in(:4) == left) .and. SOURCE(status) == left, 'Sendrecv')
        in = rank
        call MPI_Sendrecv_replace(in, 1_ck, MPI_INTEGER, right, 3, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE IERROR)
        call ok('MPI_Sendrecv_replace@(buf=ptr, count=1, datatype=MPI_INTEGER, dest=%, sendtag=3, source=%, ' // &
            'recvtag=3, comm=MPI_COMM_WORLD, status=ignored{source=%, tag=3, error=MPI_SUCCESS, bytes=4})', &
            [right, left, left])
        call must(in(1) == left .and. in(2) == rank, 'Sendrecv_replace')
    end subroutine

    subroutine buffered()
        integer(kind=ck) :: bytes
        integer, target :: room(1000)
        HANDLE(MPI_Request) :: request, sending
#ifdef BINDING_F08
        type(c_ptr) :: detached
#else
        integer :: detached(1)
#endif
        call MPI_Buffer_attach(room, 4000_ck IERROR)
        call ok('MPI_Buffer_attach@(buffer=ptr, size=4000)')
        call post(request)
        call MPI_Bsend(out, 4_ck, MPI_INTEGER, right, 5, MPI_COMM_WORLD IERROR)
        call ok('MPI_Bsend@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=%, tag=5, comm=MPI_COMM_WORLD)', [right])
        call arrive(request)
        call post(request)
        call MPI_Ibsend(out, 4_ck, MPI_INTEGER, right, 5, MPI_COMM_WORLD, sending IERROR)
        call ok('MPI_Ibsend@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=%, tag=5, comm=MPI_COMM_WORLD, ' // &
            'request=req2)', [right])
        call complete(sending, 2)
        call arrive(request)
        call post(request)
        call MPI_Bsend_init(out, 4_ck, MPI_INTEGER, right, 5, MPI_COMM_WORLD, sending IERROR)
        call ok('MPI_Bsend_init@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=%, tag=5, comm=MPI_COMM_WORLD, ' // &
            'request=req3)', [right])
        call run(sending, 3)
        call arrive(request)
        call MPI_Buffer_detach(detached, bytes IERROR)
        call ok('MPI_Buffer_detach@(buffer_addr=ptr, size=4000)')
        call must(bytes == 4000, 'Buffer_detach')
    end subroutine

    subroutine nonblocking()
        HANDLE(MPI_Request) :: request, sending
        call post(request)
        call MPI_Isend(out, 4_ck, MPI_INTEGER, right, 5, MPI_COMM_WORLD, sending IERROR)
        call ok('MPI_Isend@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=%, tag=5, comm=MPI_COMM_WORLD, ' // &
            'request=req4)', [right])
        call complete(sending, 4)
        call arrive(request)
        call post(request)
        call MPI_Issend(out, 4_ck, MPI_INTEGER, right, 5, MPI_COMM_WORLD, sending IERROR)
        call ok('MPI_Issend@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=%, tag=5, comm=MPI_COMM_WORLD, ' // &
            'request=req5)', [right])
        call arrive(request)
        call complete(sending, 5)
        call post(request)
        call barrier()
        call MPI_Irsend(out, 4_ck, MPI_INTEGER, right, 5, MPI_COMM_WORLD, sending IERROR)
        call ok('MPI_Irsend@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=%, tag=5, comm=MPI_COMM_WORLD, ' // &
            'request=req6)', [right])
        call complete(sending, 6)
        call arrive(request)
    end subroutine

    subroutine probed()
        HANDLE(MPI_Message) :: message
        HANDLE(MPI_Request) :: sending, request
        STATUS(status)
        logical :: flag
        call MPI_Iprobe(rank, 99, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, ierror)
        call ok('MPI_Iprobe(source=%, tag=99, comm=MPI_COMM_WORLD, flag=0, status=ignored' // sent // ')', [rank])
        call must(.not. flag, 'Iprobe')
        call MPI_Improbe(rank, 99, MPI_COMM_WORLD, flag, message, status IERROR)
        call ok('MPI_Improbe(source=%, tag=99, comm=MPI_COMM_WORLD, flag=0, message=MPI_MESSAGE_NULL, ' // &
            'status=' // sent // ')', [rank])
        call must(.not. flag, 'Improbe')
        call MPI_Isend(out, 2_ck, MPI_INTEGER, right, 6, MPI_COMM_WORLD, sending IERROR)
        call ok('MPI_Isend@(buf=ptr, count=2, datatype=MPI_INTEGER, dest=%, tag=6, comm=MPI_COMM_WORLD, ' // &
            'request=req7)', [right])
        call MPI_Probe(left, 6, MPI_COMM_WORLD, status IERROR)
        call ok('MPI_Probe(source=%, tag=6, comm=MPI_COMM_WORLD, status={source=%, tag=6, error=MPI_SUCCESS, ' // &
            'bytes=8})', [left, left])
        call must(SOURCE(status) == left, 'Probe')
        call MPI_Iprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, flag, status IERROR)
        call ok('MPI_Iprobe(source=MPI_ANY_SOURCE, tag=6, comm=MPI_COMM_WORLD, flag=1, status={source=%, ' // &
            'tag=6, error=MPI_SUCCESS, bytes=8})', [left])
        call must(flag, 'Iprobe of a message')
        call MPI_Mprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, message, status IERROR)
        call ok('MPI_Mprobe(source=%, tag=MPI_ANY_TAG, comm=MPI_COMM_WORLD, message=message0, ' // &
            'status={source=%, tag=6, error=MPI_SUCCESS, bytes=8})', [left, left])
        call MPI_Mrecv(in, 2_ck, MPI_INTEGER, message, status IERROR)
        call ok('MPI_Mrecv@(buf=ptr, count=2, datatype=MPI_INTEGER, message=message0, status={source=%, ' // &
            'tag=6, error=MPI_SUCCESS, bytes=8})', [left])
        call must(message == MPI_MESSAGE_NULL .and. in(2) == left, 'Mrecv')
        call complete(sending, 7)
        call MPI_Mprobe(MPI_PROC_NULL, 4, MPI_COMM_WORLD, message, status IERROR)
        call ok('MPI_Mprobe(source=MPI_PROC_NULL, tag=4, comm=MPI_COMM_WORLD, message=MPI_MESSAGE_NO_PROC, ' // &
            'status={source=MPI_PROC_NULL, tag=MPI_ANY_TAG, error=MPI_SUCCESS, bytes=0})')
        call must(message == MPI_MESSAGE_NO_PROC, 'Mprobe')
        call MPI_Imrecv(in, 2_ck, MPI_INTEGER, message, request IERROR)
        call ok('MPI_Imrecv@(buf=ptr, count=2, datatype=MPI_INTEGER, message=MPI_MESSAGE_NO_PROC, request=req8)')
        call MPI_Wait(request, status IERROR)
        call ok('MPI_Wait(request=req8, status={source=MPI_PROC_NULL, tag=MPI_ANY_TAG, error=MPI_SUCCESS, bytes=0})')
    end subroutine

    ! Indices count from 1 in the program; from 0 through mpi_f08 of MPICH 4.0, whose mpif.h makes MPI_UNDEFINED one more
    ! than it is.
    subroutine completions()
        HANDLE(MPI_Request) :: requests(2)
        STATUS(status)
        STATUSES(statuses, 2)
        integer :: index, indices(2), done
        logical :: flag
        requests(1) = MPI_REQUEST_NULL
        call post(requests(2))
        call MPI_Send(out, 4_ck, MPI_INTEGER, right, 5, MPI_COMM_WORLD IERROR)
        call ok('MPI_Send@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=%, tag=5, comm=MPI_COMM_WORLD)', [right])
        call MPI_Waitany(2, requests, index, status IERROR)
        call ok('MPI_Waitany(count=2, array_of_requests=[MPI_REQUEST_NULL, req0], index=1, status={source=%, ' // &
            'tag=5, error=MPI_SUCCESS, bytes=16})', [left])
        call must((index == 2 .or. index == 1) .and. SOURCE(status) == left, 'Waitany')
        call MPI_Testany(2, requests, index, flag, MPI_STATUS_IGNORE IERROR)
        call ok('MPI_Testany(count=2, array_of_requests=[MPI_REQUEST_NULL, MPI_REQUEST_NULL], ' // &
            'index=MPI_UNDEFINED, flag=1, status=ignored' // empty // ')')
        call must((index == MPI_UNDEFINED .or. index == MPI_UNDEFINED + 1) .and. flag, 'Testany')
        call post(requests(2))
        call MPI_Testsome(2, requests, done, indices, statuses IERROR)
        call ok('MPI_Testsome(incount=2, array_of_requests=[MPI_REQUEST_NULL, req0], outcount=0, ' // &
            'array_of_indices=[], array_of_statuses=[])')
        call must(done == 0, 'Testsome')
        call MPI_Testall(2, requests, flag, MPI_STATUSES_IGNORE IERROR)
        call ok('MPI_Testall(count=2, array_of_requests=[MPI_REQUEST_NULL, req0], flag=0, array_of_statuses=unused)')
        call must(.not. flag, 'Testall')
        call MPI_Test(requests(2), flag, status IERROR)
        call ok('MPI_Test(request=req0, flag=0, status=' // sent // ')')
        call must(.not. flag, 'Test')
        call MPI_Request_get_status(requests(2), flag, MPI_STATUS_IGNORE IERROR)
        call ok('MPI_Request_get_status(request=req0, flag=0, status=ignored' // sent // ')')
        call must(.not. flag, 'Request_get_status')
        call barrier()
        call MPI_Send(out, 4_ck, MPI_INTEGER, right, 5, MPI_COMM_WORLD IERROR)
        call ok('MPI_Send@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=%, tag=5, comm=MPI_COMM_WORLD)', [right])
        call MPI_Waitsome(2, requests, done, indices, statuses IERROR)
        call ok('MPI_Waitsome(incount=2, array_of_requests=[MPI_REQUEST_NULL, req0], outcount=1, ' // &
            'array_of_indices=[1], array_of_statuses=[{source=%, tag=5, error=MPI_SUCCESS, bytes=16}])', [left])
        call must(done == 1 .and. (indices(1) == 2 .or. indices(1) == 1) .and. SOURCE_OF(statuses, 1) == left, 'Waitsome')
        call MPI_Waitsome(2, requests, done, indices, MPI_STATUSES_IGNORE IERROR)
        call ok('MPI_Waitsome(incount=2, array_of_requests=[MPI_REQUEST_NULL, MPI_REQUEST_NULL], ' // &
            'outcount=MPI_UNDEFINED, array_of_indices=[], array_of_statuses=[])')
        call must(done == MPI_UNDEFINED, 'Waitsome of nothing')
        call MPI_Request_get_status(requests(1), flag, status IERROR)
        call ok('MPI_Request_get_status(request=MPI_REQUEST_NULL, flag=1, status=' // empty // ')')
        call must(flag, 'Request_get_status of nothing')
    end subroutine

    subroutine persistent()
        HANDLE(MPI_Request) :: requests(2), again
        STATUSES(statuses, 2)
        logical :: flag
        call MPI_Recv_init(in, 4_ck, MPI_INTEGER, left, 8, MPI_COMM_WORLD, requests(1) IERROR)
        call ok('MPI_Recv_init@(buf=ptr, count=4, datatype=MPI_INTEGER, source=%, tag=8, comm=MPI_COMM_WORLD, ' // &
            'request=req9)', [left])
        call MPI_Send_init(out, 4_ck, MPI_INTEGER, right, 8, MPI_COMM_WORLD, requests(2) IERROR)
        call ok('MPI_Send_init@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=%, tag=8, comm=MPI_COMM_WORLD, ' // &
            'request=req10)', [right])
        call MPI_Startall(2, requests IERROR)
        call ok('MPI_Startall(count=2, array_of_requests=[req9, req10])')
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE IERROR)
        call ok('MPI_Waitall(count=2, array_of_requests=[req9, req10], array_of_statuses=[ignored{source=%, ' // &
            'tag=8, error=MPI_SUCCESS, bytes=16}, ignored' // sent // '])', [left])
        call must(all(in(:4) == left), 'Waitall')
        call MPI_Startall(2, requests IERROR)
        call ok('MPI_Startall(count=2, array_of_requests=[req9, req10])')
        call MPI_Waitall(2, requests, statuses IERROR)
        call ok('MPI_Waitall(count=2, array_of_requests=[req9, req10], array_of_statuses=[{source=%, tag=8, ' // &
            'error=MPI_SUCCESS, bytes=16}, ' // sent // '])', [left])
        call must(SOURCE_OF(statuses, 1) == left, 'Waitall of persistent requests')
        call MPI_Testall(2, requests, flag, statuses IERROR)
        call ok('MPI_Testall(count=2, array_of_requests=[req9, req10], flag=1, ' // &
            'array_of_statuses=[' // empty // ', ' // empty // '])')
        call must(flag, 'Testall of inactive requests')
        call MPI_Request_free(requests(1) IERROR)
        call ok('MPI_Request_free(request=req9)')
        again = requests(2)
        call MPI_Request_free(again IERROR)
        call ok('MPI_Request_free(request=req10)')
        call must(again == MPI_REQUEST_NULL, 'Request_free')
        call MPI_Ssend_init(out, 4_ck, MPI_INTEGER, MPI_PROC_NULL, 8, MPI_COMM_WORLD, again IERROR)
        call ok('MPI_Ssend_init@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=MPI_PROC_NULL, tag=8, ' // &
            'comm=MPI_COMM_WORLD, request=req11)')
        call run(again, 11)
        call MPI_Rsend_init(out, 4_ck, MPI_INTEGER, MPI_PROC_NULL, 8, MPI_COMM_WORLD, again IERROR)
        call ok('MPI_Rsend_init@(buf=ptr, count=4, datatype=MPI_INTEGER, dest=MPI_PROC_NULL, tag=8, ' // &
            'comm=MPI_COMM_WORLD, request=req12)')
        call run(again, 12)
    end subroutine

    subroutine cancelled()
        HANDLE(MPI_Request) :: request
        STATUS(status)
        logical :: flag
        call MPI_Irecv(in, 4_ck, MPI_INTEGER, left, 77, MPI_COMM_WORLD, request IERROR)
        call ok('MPI_Irecv@(buf=ptr, count=4, datatype=MPI_INTEGER, source=%, tag=77, comm=MPI_COMM_WORLD, ' // &
            'request=req13)', [left])
        call MPI_Cancel(request IERROR)
        call ok('MPI_Cancel(request=req13)')
        call MPI_Wait(request, status IERROR)
        call ok('MPI_Wait(request=req13, status=' // status_text(status) // ')')
        call MPI_Test_cancelled(status, flag IERROR)
        call ok('MPI_Test_cancelled(status=' // status_text(status) // ', flag=1)')
        call must(flag, 'Test_cancelled')
    end subroutine

#ifdef BINDING_F08
    ! Sections of arrays, which the library takes apart by their descriptors where MPI_SUBARRAYS_SUPPORTED.
    subroutine sections()
        integer :: i, matrix(4, 3), column(4)
        STATUS(status)
        matrix = reshape([(i, i=1, 12)], [4, 3])
        column = 0
        call MPI_Sendrecv(matrix(2, :), 3_ck, MPI_INTEGER, rank, 1, column, 3_ck, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, &
            status)
        call ok('MPI_Sendrecv@(sendbuf=ptr, sendcount=3, sendtype=MPI_INTEGER, dest=%, sendtag=1, ' // &
            'recvbuf=ptr, recvcount=3, recvtype=MPI_INTEGER, source=%, recvtag=1, comm=MPI_COMM_WORLD, ' // &
            'status={source=%, tag=1, error=MPI_SUCCESS, bytes=12})', [rank, rank, rank])
        call must(all(column == [2, 6, 10, 0]), 'row of a matrix')
        if (MPI_SUBARRAYS_SUPPORTED) then
            out = 0
            call MPI_Sendrecv(column, 4_ck, MPI_INTEGER, rank, 1, out(1:8:2), 4_ck, MPI_INTEGER, rank, 1, &
                MPI_COMM_WORLD, status)
            call ok('MPI_Sendrecv@(sendbuf=ptr, sendcount=4, sendtype=MPI_INTEGER, dest=%, sendtag=1, ' // &
                'recvbuf=ptr, recvcount=4, recvtype=MPI_INTEGER, source=%, recvtag=1, comm=MPI_COMM_WORLD, ' // &
                'status={source=%, tag=1, error=MPI_SUCCESS, bytes=16})', [rank, rank, rank])
            call must(all(out == [2, 0, 6, 0, 10, 0, 0, 0]), 'receive into every other element')
        end if
        out = rank
    end subroutine
#endif

#ifdef HAVE_MPI_4
    subroutine exchanges_nonblocking()
        HANDLE(MPI_Request) :: request
        STATUS(status)
        call MPI_Isendrecv(out, 4_ck, MPI_INTEGER, right, 1, in, 4_ck, MPI_INTEGER, left, 1, MPI_COMM_WORLD, request IERROR)
        call ok('MPI_Isendrecv@(sendbuf=ptr, sendcount=4, sendtype=MPI_INTEGER, dest=%, sendtag=1, ' // &
            'recvbuf=ptr, recvcount=4, recvtype=MPI_INTEGER, source=%, recvtag=1, comm=MPI_COMM_WORLD, ' // &
            'request=req14)', [right, left])
        call MPI_Wait(request, status IERROR) ! MPICH 4.0 leaves the status unset
        call ok('MPI_Wait(request=req14, status=' // status_text(status) // ')')
        call must(all(in(:4) == left), 'Isendrecv')
        in = rank
        call MPI_Isendrecv_replace(in, 1_ck, MPI_INTEGER, right, 3, left, 3, MPI_COMM_WORLD, request IERROR)
        call ok('MPI_Isendrecv_replace@(buf=ptr, count=1, datatype=MPI_INTEGER, dest=%, sendtag=3, source=%, ' // &
            'recvtag=3, comm=MPI_COMM_WORLD, request=req15)', [right, left])
        call MPI_Wait(request, status IERROR) ! MPICH 4.0 leaves the status unset
        call ok('MPI_Wait(request=req15, status=' // status_text(status) // ')')
        call must(in(1) == left .and. in(2) == rank, 'Isendrecv_replace')
    end subroutine

    subroutine partitioned()
        HANDLE(MPI_Request) :: requests(2)
#ifdef BINDING_MPI
        integer :: flag ! MPICH 4.0's module declares it so
#else
        logical :: flag
#endif
        integer(kind=MPI_COUNT_KIND), parameter :: two = 2
        call MPI_Psend_init(out, 4, two, MPI_INTEGER, right, 9, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1) IERROR)
        call ok('MPI_Psend_init(buf=ptr, partitions=4, count=2, datatype=MPI_INTEGER, dest=%, tag=9, ' // &
            'comm=MPI_COMM_WORLD, info=MPI_INFO_NULL, request=req16)', [right])
        call MPI_Precv_init(in, 2, 2*two, MPI_INTEGER, left, 9, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2) IERROR)
        call ok('MPI_Precv_init(buf=ptr, partitions=2, count=4, datatype=MPI_INTEGER, source=%, tag=9, ' // &
            'comm=MPI_COMM_WORLD, info=MPI_INFO_NULL, request=req17)', [left])
        call MPI_Startall(2, requests IERROR)
        call ok('MPI_Startall(count=2, array_of_requests=[req16, req17])')
        call MPI_Parrived(requests(2), 1, flag IERROR)
        call ok('MPI_Parrived(request=req17, partition=1, flag=0)')
        call barrier()
        call MPI_Pready(0, requests(1) IERROR)
        call ok('MPI_Pready(partition=0, request=req16)')
        call MPI_Pready_range(1, 2, requests(1) IERROR)
        call ok('MPI_Pready_range(partition_low=1, partition_high=2, request=req16)')
        call MPI_Pready_list(1, [3], requests(1) IERROR)
        call ok('MPI_Pready_list(length=1, array_of_partitions=[3], request=req16)')
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE IERROR)
        call ok('MPI_Waitall(count=2, array_of_requests=[req16, req17], ' // &
            'array_of_statuses=[ignored' // sent // ', ignored{source=%, tag=9, error=MPI_SUCCESS, ' // &
            'bytes=32}])', [left])
        call must(all(in == left), 'Precv')
        call MPI_Request_free(requests(1) IERROR)
        call ok('MPI_Request_free(request=req16)')
        call MPI_Request_free(requests(2) IERROR)
        call ok('MPI_Request_free(request=req17)')
    end subroutine
#endif
end program
