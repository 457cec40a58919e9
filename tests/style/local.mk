# SPDX-License-Identifier: BSD-3-Clause
# House rules: those of the sources once, not in each build.
style_tests = \
    tests/style/dependencies.sh \
    tests/style/format.sh
mpi_style_tests = tests/style/symbols.sh
if HAVE_MPI
if !TRACER_ONLY
TESTS += $(style_tests)
endif
TESTS += $(mpi_style_tests)
endif
EXTRA_DIST += $(style_tests) $(mpi_style_tests) \
    tests/style/dependencies.awk \
    tests/style/rooms.list
