# SPDX-License-Identifier: BSD-3-Clause
# OTF2 archives of MPI programs.
otf2_tests = \
    tests/otf2/nested.sh \
    tests/otf2/programs.sh \
    tests/otf2/records.sh \
    tests/otf2/stencil.sh \
    tests/otf2/times.sh
if HAVE_MPI
TESTS += $(otf2_tests)
endif
tests/otf2/programs.log: $(mpi_programs)
tests/otf2/times.log: tests/mpi/threads
EXTRA_DIST += $(otf2_tests) \
    tests/otf2/archive.sh \
    tests/otf2/bridge.c \
    tests/otf2/check_archive.py \
    tests/otf2/crowd.c \
    tests/otf2/epochs.c \
    tests/otf2/nested.c \
    tests/otf2/polls.c \
    tests/otf2/tell.h \
    tests/otf2/transfers.c
