# SPDX-License-Identifier: BSD-3-Clause
tracer_files += \
    src/call/call.c \
    src/call/call.h \
    src/call/call_communicator.c \
    src/call/call_handle.c \
    src/call/call_impl.h \
    src/call/call_status.c \
    src/call/call_value.c \
    src/call/comm_length.c \
    src/call/fortran.c \
    src/call/fortran.h \
    src/call/mpi_t.c \
    src/call/mpi_t.h
EXTRA_DIST += src/call/README.md
