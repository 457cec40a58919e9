! SPDX-License-Identifier: BSD-3-Clause
! ranks: 4
! Cartesian, graph and distributed graph topologies of four processes.
#include "fortran_binding.inc"
program fortran_topology
    use binding
    implicit none

    call start()
    call cartesian()
    call graph()
    call distributed()
    call finish()

contains
    ! comm<number>
    subroutine free(comm, number)
        HANDLE(MPI_Comm), intent(inout) :: comm
        integer, intent(in) :: number
        call MPI_Comm_free(comm IERROR)
        call ok('MPI_Comm_free(comm=comm%)', [number])
    end subroutine

    subroutine cartesian()
        HANDLE(MPI_Comm) :: grid, row
        integer :: dims(2), coords(2), place, source, dest
        logical :: periods(2)
        dims = [0, 2]
        call MPI_Dims_create(4, 2, dims IERROR)
        call ok('MPI_Dims_create(nnodes=4, ndims=2, dims=[0->2, 2])')
        call must(all(dims == 2), 'Dims_create')
        call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., grid IERROR)
        call ok('MPI_Cart_create(comm_old=MPI_COMM_WORLD, ndims=2, dims=[2, 2], periods=[1, 0], reorder=0, ' // &
            'comm_cart=comm0)')
        call MPI_Topo_test(grid, place IERROR)
        call ok('MPI_Topo_test(comm=comm0, status=MPI_CART)')
        call must(place == MPI_CART, 'Topo_test')
        call MPI_Cartdim_get(grid, place IERROR)
        call ok('MPI_Cartdim_get(comm=comm0, ndims=2)')
        call must(place == 2, 'Cartdim_get')
        call MPI_Cart_get(grid, 2, dims, periods, coords IERROR)
        call ok('MPI_Cart_get(comm=comm0, maxdims=2, dims=[2, 2], periods=[1, 0], coords=[%, %])', [rank/2, mod(rank, 2)])
        call must(periods(1) .and. .not. periods(2) .and. all(coords == [rank/2, mod(rank, 2)]), 'Cart_get')
        call MPI_Cart_rank(grid, [1, 0], place IERROR)
        call ok('MPI_Cart_rank(comm=comm0, coords=[1, 0], rank=2)')
        call must(place == 2, 'Cart_rank')
        call MPI_Cart_coords(grid, 3, 2, coords IERROR)
        call ok('MPI_Cart_coords(comm=comm0, rank=3, maxdims=2, coords=[1, 1])')
        call must(all(coords == 1), 'Cart_coords')
        call MPI_Cart_shift(grid, 0, 1, source, dest IERROR)
        call ok('MPI_Cart_shift(comm=comm0, direction=0, disp=1, rank_source=%, rank_dest=%)', [mod(rank + 2, 4), &
            mod(rank + 2, 4)])
        call MPI_Cart_shift(grid, 1, 1, source, dest IERROR)
        if (mod(rank, 2) == 0) then
            call ok('MPI_Cart_shift(comm=comm0, direction=1, disp=1, rank_source=MPI_PROC_NULL, rank_dest=%)', [rank + 1])
        else
            call ok('MPI_Cart_shift(comm=comm0, direction=1, disp=1, rank_source=%, rank_dest=MPI_PROC_NULL)', [rank - 1])
        end if
        call MPI_Cart_sub(grid, [.false., .true.], row IERROR)
        ! The row without rank 0 comes behind all others.
        call ok('MPI_Cart_sub(comm=comm0, remain_dims=[0, 1], newcomm=comm%)', [merge(1, 5, rank < 2)])
        call MPI_Cart_map(MPI_COMM_WORLD, 2, [2, 2], [.true., .true.], place IERROR)
        call ok('MPI_Cart_map(comm=MPI_COMM_WORLD, ndims=2, dims=[2, 2], periods=[1, 1], newrank=%)', [rank])
        call free(row, merge(1, 5, rank < 2))
        call free(grid, 0)
    end subroutine

    ! A ring: an edge to the right, one to the left.
    subroutine graph()
        HANDLE(MPI_Comm) :: ring
        integer :: index(4), edges(8), counts(2), neighbors(2), place
        index = [2, 4, 6, 8]
        edges = [1, 3, 2, 0, 3, 1, 0, 2]
        call MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, .false., ring IERROR)
        call ok('MPI_Graph_create(comm_old=MPI_COMM_WORLD, nnodes=4, index=[2, 4, 6, 8], edges=[1, 3, 2, 0, ' // &
            '3, 1, 0, 2], reorder=0, comm_graph=comm2)')
        call MPI_Graphdims_get(ring, counts(1), counts(2) IERROR)
        call ok('MPI_Graphdims_get(comm=comm2, nnodes=4, nedges=8)')
        call must(all(counts == [4, 8]), 'Graphdims_get')
        index = 0
        edges = 0
        call MPI_Graph_get(ring, 4, 8, index, edges IERROR)
        call ok('MPI_Graph_get(comm=comm2, maxindex=4, maxedges=8, index=[2, 4, 6, 8], edges=[1, 3, 2, 0, 3, ' // &
            '1, 0, 2])')
        call must(all(edges == [1, 3, 2, 0, 3, 1, 0, 2]), 'Graph_get')
        call MPI_Graph_neighbors_count(ring, rank, place IERROR)
        call ok('MPI_Graph_neighbors_count(comm=comm2, rank=%, nneighbors=2)', [rank])
        call MPI_Graph_neighbors(ring, rank, 2, neighbors IERROR)
        call ok('MPI_Graph_neighbors(comm=comm2, rank=%, maxneighbors=2, neighbors=[%, %])', [rank, right, left])
        call must(all(neighbors == [right, left]), 'Graph_neighbors')
        call MPI_Graph_map(MPI_COMM_WORLD, 4, index, edges, place IERROR)
        call ok('MPI_Graph_map(comm=MPI_COMM_WORLD, nnodes=4, index=[2, 4, 6, 8], edges=[1, 3, 2, 0, 3, 1, 0, ' // &
            '2], newrank=%)', [rank])
        call free(ring, 2)
    end subroutine

    subroutine distributed()
        HANDLE(MPI_Comm) :: ring
        integer :: sources(2), targets(1), weights(2), counts(2)
        logical :: weighted
        call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [right], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., &
            ring IERROR)
        call ok('MPI_Dist_graph_create(comm_old=MPI_COMM_WORLD, n=1, sources=[%], degrees=[1], ' // &
            'destinations=[%], weights=MPI_UNWEIGHTED, info=MPI_INFO_NULL, reorder=0, ' // &
            'comm_dist_graph=comm3)', [rank, right])
        call MPI_Dist_graph_neighbors_count(ring, counts(1), counts(2), weighted IERROR)
        call ok('MPI_Dist_graph_neighbors_count(comm=comm3, indegree=1, outdegree=1, weighted=0)')
        call must(all(counts == 1) .and. .not. weighted, 'Dist_graph_neighbors_count')
        call MPI_Dist_graph_neighbors(ring, 1, sources, MPI_UNWEIGHTED, 1, targets, MPI_UNWEIGHTED IERROR)
        call ok('MPI_Dist_graph_neighbors(comm=comm3, maxindegree=1, sources=[%], ' // &
            'sourceweights=MPI_UNWEIGHTED, maxoutdegree=1, destinations=[%], destweights=MPI_UNWEIGHTED)', &
            [left, right])
        call must(sources(1) == left .and. targets(1) == right, 'Dist_graph_neighbors')
        call free(ring, 3)
        call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, [left, right], [10, 20], 0, [0], MPI_WEIGHTS_EMPTY, &
            MPI_INFO_NULL, .true., ring IERROR)
        call ok('MPI_Dist_graph_create_adjacent(comm_old=MPI_COMM_WORLD, indegree=2, sources=[%, %], ' // &
            'sourceweights=[10, 20], outdegree=0, destinations=[], destweights=MPI_WEIGHTS_EMPTY, ' // &
            'info=MPI_INFO_NULL, reorder=1, comm_dist_graph=comm4)', [left, right])
        call MPI_Dist_graph_neighbors_count(ring, counts(1), counts(2), weighted IERROR)
        call ok('MPI_Dist_graph_neighbors_count(comm=comm4, indegree=2, outdegree=0, weighted=1)')
        call must(weighted, 'Dist_graph_neighbors_count with weights')
        call free(ring, 4)
    end subroutine
end program
