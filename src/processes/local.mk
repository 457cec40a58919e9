# SPDX-License-Identifier: BSD-3-Clause
# The plug-in of the command; it lies beside the tracer of the same MPI library.
noinst_LIBRARIES += src/processes/libprocesses.a
src_processes_libprocesses_a_SOURCES = src/processes/messenger.c
src_processes_libprocesses_a_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)

src/refrain-processes.so: src/processes/libprocesses.a
	$(AM_V_CCLD)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-z,defs -Wl,-soname,refrain-processes.so -o $@ \
	    -Wl,--whole-archive src/processes/libprocesses.a -Wl,--no-whole-archive $(MPI_LIBS)
tracer_DATA += src/refrain-processes.so
CLEANFILES += src/refrain-processes.so
EXTRA_DIST += src/processes/README.md
