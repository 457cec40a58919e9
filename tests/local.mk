# SPDX-License-Identifier: BSD-3-Clause
# Tests mirror the folders they test; each folder adds its own. Each test ends with the line "N passed, N failed".
#
# A test is a script, NAME.sh, or an MPI program, which tests/mpi/run.sh runs. make starts them in this order, so long ones come first.
TEST_EXTENSIONS = .sh
LOG_COMPILER = $(srcdir)/tests/mpi/run.sh
TESTS_ENVIRONMENT = REFRAIN_LOG=warning ASAN_OPTIONS=malloc_context_size=5 srcdir='$(abs_srcdir)' top_builddir='$(abs_top_builddir)' CC='$(CC)' SANITIZE='$(SANITIZE)' \
    MPICC='$(MPICC)' MPIFORT='$(MPIFORT)' MPIRUN='$(MPIRUN)' MPI_NAME='$(MPI_NAME)' FORTRAN_FORM='$(FORTRAN_FORM)' OTHER_FORMS='$(OTHER_FORMS)' MPI_OTHERS='$(MPI_OTHERS)' MPI_CPPFLAGS='$(MPI_CPPFLAGS)' MPI_LIBS='$(MPI_LIBS)' \
    MPI_TESTS='$(mpi_tests)' EMERGENCY='$(EMERGENCY)' TRACER_LIBS='$(ZSTD_LIBS) $(XXHASH_LIBS) -lm -ldl -lpthread'

# Programs that tests use, and that do not depend on the MPI library.
shared_tools =
if !TRACER_ONLY
check_PROGRAMS += $(shared_tools)
own_tools = $(shared_tools)
endif

EXTRA_DIST += \
    tests/mpirun.sh \
    tests/scratch.sh \
    tests/tap.sh \
    tests/yield.c
if HAVE_MPI
check_DATA = tests/yield.so
tests/yield.so: tests/yield.c
	$(AM_V_CCLD)$(MKDIR_P) tests && $(CC) -O2 -shared -fPIC -o $@ $(srcdir)/tests/yield.c
CLEANFILES += tests/yield.so
endif

include tests/unit/local.mk
include tests/bad/local.mk
include tests/otf2/local.mk
include tests/waits/local.mk
include tests/format/local.mk
include tests/gen/local.mk
include tests/cli/local.mk
include tests/fuzz/local.mk
include tests/style/local.mk
include tests/mpi/local.mk
include tests/random/local.mk
include tests/endings/local.mk
include tests/threads/local.mk
include tests/programs/local.mk
include tests/slurm/local.mk
