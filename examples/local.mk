# SPDX-License-Identifier: BSD-3-Clause
# Small MPI programs that show what the tracer does with common patterns.
if HAVE_MPI
noinst_PROGRAMS += examples/coast examples/ring examples/stencil2d examples/stencil3d examples/sweep
endif
# The mpi.h of MPICH declares MPI_STATUSES_IGNORE so that gcc takes it for an array without elements.
example_cflags = $(AM_CFLAGS) -Wno-stringop-overflow
examples_coast_SOURCES = examples/coast.c
examples_coast_CFLAGS = $(example_cflags)
examples_coast_CPPFLAGS = $(MPI_CPPFLAGS)
examples_coast_LDADD = $(MPI_LIBS) -lm
examples_ring_SOURCES = examples/ring.c
examples_ring_CFLAGS = $(example_cflags)
examples_ring_CPPFLAGS = $(MPI_CPPFLAGS)
examples_ring_LDADD = $(MPI_LIBS) -lm
stencil_options = examples/stencil_options.c examples/stencil_options.h
examples_stencil2d_SOURCES = examples/stencil2d.c $(stencil_options)
examples_stencil2d_CFLAGS = $(example_cflags)
examples_stencil2d_CPPFLAGS = $(MPI_CPPFLAGS)
examples_stencil2d_LDADD = $(MPI_LIBS) -lm
examples_stencil3d_SOURCES = examples/stencil3d.c $(stencil_options)
examples_stencil3d_CFLAGS = $(example_cflags)
examples_stencil3d_CPPFLAGS = $(MPI_CPPFLAGS)
examples_stencil3d_LDADD = $(MPI_LIBS) -lm
examples_sweep_SOURCES = examples/sweep.c
examples_sweep_CFLAGS = $(example_cflags)
examples_sweep_CPPFLAGS = $(MPI_CPPFLAGS)
examples_sweep_LDADD = $(MPI_LIBS)
