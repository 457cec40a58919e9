# SPDX-License-Identifier: BSD-3-Clause
# What processes wait for, in programs that know it.
waits_tests = tests/waits/causes.sh tests/waits/grid.sh tests/waits/known.sh
if HAVE_MPI
TESTS += $(waits_tests)
endif
EXTRA_DIST += $(waits_tests) tests/waits/causes.c tests/waits/grid.c tests/waits/known.c
