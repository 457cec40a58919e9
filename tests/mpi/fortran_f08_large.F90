! Large counts through mpi_f08: the procedure that an INTEGER(KIND=MPI_COUNT_KIND) chooses is recorded as C's _c.
program fortran_f08_large
    use expect_f
    use mpi_f08
    implicit none
    integer :: rank, out(4, 4), in(4)
    integer(kind=MPI_COUNT_KIND) :: n, bytes
    type(MPI_Datatype) :: made
    type(MPI_Status) :: status

    call MPI_Init()
    call ok('MPI_Init(argc=NULL, argv=NULL)')
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call ok('MPI_Comm_rank(comm=MPI_COMM_WORLD, rank=' // text(rank) // ')')

    out = rank
    out(1, :) = [1, 2, 3, 4]
    n = 4
    call MPI_Sendrecv(out(1, :), n, MPI_INTEGER, rank, 1, in, n, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, status)
    call ok('MPI_Sendrecv_c(sendbuf=ptr, sendcount=4, sendtype=MPI_INTEGER, dest=' // text(rank) // &
        ', sendtag=1, recvbuf=ptr, recvcount=4, recvtype=MPI_INTEGER, source=' // text(rank) // &
        ', recvtag=1, comm=MPI_COMM_WORLD, status={source=' // text(rank) // ', tag=1, error=MPI_SUCCESS, bytes=16})')
    if (any(in /= [1, 2, 3, 4])) print *, 'rank ', rank, ': wrong Sendrecv of a section of an array'
    call MPI_Type_contiguous(n, MPI_INTEGER, made)
    call ok('MPI_Type_contiguous_c(count=4, oldtype=MPI_INTEGER, newtype=type0)')
    call MPI_Type_size(made, bytes)
    call ok('MPI_Type_size_c(datatype=type0, size=16)')
    if (bytes /= 16) print *, 'rank ', rank, ': wrong Type_size'
    call MPI_Type_free(made)
    call ok('MPI_Type_free(datatype=type0)')

    call ok('MPI_Finalize()')
    call expect_end(rank)
    call MPI_Finalize()
end program
