# SPDX-License-Identifier: BSD-3-Clause
# What processes wait for, in programs that know it.
waits_tests = tests/waits/causes.sh tests/waits/grid.sh tests/waits/known.sh tests/waits/notices.sh \
    tests/waits/parts.sh tests/waits/processes.sh tests/waits/threads.sh
if HAVE_MPI
TESTS += $(waits_tests)
endif
EXTRA_DIST += $(waits_tests) tests/waits/causes.c tests/waits/grid.c tests/waits/killed.c tests/waits/known.c \
    tests/waits/parts.c tests/waits/processes.c tests/waits/threads.c

# A trace's times, kept less exactly.
check_PROGRAMS += tests/waits/recode_times
tests_waits_recode_times_SOURCES = tests/waits/recode_times.c
tests_waits_recode_times_LDADD = $(DECODER_LIBS)
