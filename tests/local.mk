# SPDX-License-Identifier: BSD-3-Clause
# Tests mirror the folders they test. Each script or program ends with the line "N passed, N failed".
TESTS_ENVIRONMENT = srcdir='$(abs_srcdir)' top_builddir='$(abs_top_builddir)' CC='$(CC)' SANITIZE='$(SANITIZE)' \
    MPICC='$(MPICC)' MPIFORT='$(MPIFORT)' MPIRUN='$(MPIRUN)' MPI_NAME='$(MPI_NAME)' MPI_OTHERS='$(MPI_OTHERS)' MPI_CPPFLAGS='$(MPI_CPPFLAGS)' MPI_LIBS='$(MPI_LIBS)' \
    EMERGENCY='$(EMERGENCY)' REFRAIN_LIBS='$(ZSTD_LIBS) $(XXHASH_LIBS) -lm -ldl -lpthread'

EXTRA_DIST += tests/tap.sh tests/mpirun.sh tests/yield.c
if HAVE_MPI
check_DATA = tests/yield.so
tests/yield.so: tests/yield.c
	$(AM_V_CCLD)$(MKDIR_P) tests && $(CC) -O2 -shared -fPIC -o $@ $(srcdir)/tests/yield.c
CLEANFILES += tests/yield.so
endif

include tests/unit/local.mk

# ---- the generator
GEN_TESTS = tests/gen/gen.sh
if !TRACER_ONLY
TESTS += $(GEN_TESTS)
endif
if HAVE_MPI
TESTS += tests/gen/add_procedure.sh tests/gen/standard.sh
endif
EXTRA_DIST += $(GEN_TESTS) tests/gen/add_procedure.sh tests/gen/standard.sh tests/gen/expected.list tests/gen/declared.i \
    tests/gen/binding.list tests/gen/binding.tex tests/gen/funcdef.list tests/gen/funcdef.tex \
    tests/gen/agreeing.tex tests/gen/bad

# ---- house rules: once, not in each build
if HAVE_MPI
if !TRACER_ONLY
TESTS += tests/style/format.sh tests/style/dependencies.sh
endif
TESTS += tests/style/symbols.sh
endif
EXTRA_DIST += tests/style/format.sh tests/style/dependencies.sh tests/style/dependencies.awk tests/style/rooms.list tests/style/symbols.sh

# ---- the command
check_PROGRAMS += tests/cli/make_trace
tests_cli_make_trace_SOURCES = tests/cli/make_trace.c
tests_cli_make_trace_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/cli/lane_events
tests_cli_lane_events_SOURCES = tests/cli/lane_events.c
tests_cli_lane_events_LDADD = $(DECODER_LIBS)
check_PROGRAMS += tests/cli/construct_matrices
tests_cli_construct_matrices_SOURCES = tests/cli/construct_matrices.c
tests_cli_construct_matrices_LDADD = $(DECODER_LIBS)
check_PROGRAMS += tests/cli/scan_check
tests_cli_scan_check_SOURCES = tests/cli/scan_check.c tests/unit/support/scan_checks.c tests/unit/support/scan_checks.h
tests_cli_scan_check_LDADD = $(DECODER_LIBS)
if !TRACER_ONLY
TESTS += tests/cli/run.sh tests/cli/options.sh tests/cli/scan.sh tests/cli/timeline.sh
if HAVE_MPI
TESTS += tests/cli/record.sh tests/mpi/scan.sh tests/mpi/several.sh
else
TESTS += tests/bad/run.sh
endif
endif
EXTRA_DIST += tests/cli/run.sh tests/cli/options.sh tests/cli/record.sh tests/cli/scan.sh tests/cli/scan_rows.sh tests/cli/timeline.sh \
    tests/cli/timeline_browser.js tests/cli/cases tests/bad/run.sh

# ---- MPI programs that know their trace
if HAVE_MPI
TESTS += tests/mpi/run.sh tests/mpi/coverage.sh tests/mpi/linked.sh tests/mpi/callsites.sh \
    tests/mpi/recording.sh tests/mpi/worlds.sh tests/mpi/memory.sh tests/mpi/matching.sh \
    tests/mpi/clocks.sh tests/mpi/model.sh tests/mpi/unchanged.sh tests/mpi/tutorial.sh tests/mpi/heap.sh
check_PROGRAMS += tests/mpi/longest_gap
# It reads what that leaves. Automake would take a rule for the plain name as one instead of its own.
coverage_log = tests/mpi/coverage.sh.log
$(coverage_log): tests/mpi/run.sh.log

# The table of which test covers which procedure, as Markdown.
coverage: all
	@[ -d tests/mpi/covered ] || $(MAKE) check TESTS=tests/mpi/run.sh >&2
	@$(TESTS_ENVIRONMENT) $(srcdir)/tests/mpi/coverage.sh --markdown

clean-tests:
	rm -rf tests/mpi/covered
clean-local: clean-tests
phony += coverage clean-tests
CLEANFILES += tests/mpi/coverage.tsv
endif
tests_mpi_longest_gap_SOURCES = tests/mpi/longest_gap.c
tests_mpi_longest_gap_LDADD = $(DECODER_LIBS)
mpi_test_files = tests/mpi/attached.c tests/mpi/heap.c \
    tests/mpi/attributes.c tests/mpi/callbacks.c tests/mpi/callsites.c tests/mpi/callsites.h \
    tests/mpi/callsites_library.c tests/mpi/cartesian.c tests/mpi/cells.c tests/mpi/channels.c tests/mpi/clocks.c tests/mpi/collectives.c \
    tests/mpi/collectives_nonblocking.c tests/mpi/collectives_persistent.c tests/mpi/communicators.c \
    tests/mpi/connections.c tests/mpi/corners.c tests/mpi/datatypes.c tests/mpi/deprecated.c \
    tests/mpi/environment.c tests/mpi/errhandler.c tests/mpi/expect.c tests/mpi/expect.h \
    tests/mpi/expect_f.f90 tests/mpi/files.c tests/mpi/files_access.c tests/mpi/files_settings.c \
    tests/mpi/fortran_attributes.F90 tests/mpi/fortran_binding.F90 tests/mpi/fortran_binding.inc \
    tests/mpi/fortran_callbacks.F90 tests/mpi/fortran_collectives.F90 tests/mpi/fortran_collectives.inc \
    tests/mpi/fortran_communicators.F90 tests/mpi/fortran_datatypes.F90 tests/mpi/fortran_environment.F90 \
    tests/mpi/fortran_files.F90 tests/mpi/fortran_inner.F90 tests/mpi/fortran_late.F90 tests/mpi/fortran_memory.F90 \
    tests/mpi/fortran_messages.F90 tests/mpi/fortran_one_sided.F90 tests/mpi/fortran_processes.F90 \
    tests/mpi/fortran_topology.F90 tests/mpi/generalized.c tests/mpi/graph.c tests/mpi/groups.c \
    tests/mpi/handles.c tests/mpi/info.c tests/mpi/irregular.c tests/mpi/jump.c tests/mpi/lives.c \
    tests/mpi/long_traces.c tests/mpi/longest_gap.c tests/mpi/loops.c tests/mpi/matched_probe.c \
    tests/mpi/matching.c tests/mpi/memory.c tests/mpi/memory_threads.c tests/mpi/mpi4.c \
    tests/mpi/neighbor.c tests/mpi/noise.c tests/mpi/offsets.c tests/mpi/one_sided.c tests/mpi/other_clock.c \
    tests/mpi/pcontrol.c tests/mpi/persistent.c tests/mpi/ports.c tests/mpi/processes.c \
    tests/mpi/pt2pt_blocking.c tests/mpi/pt2pt_nonblocking.c tests/mpi/recording.c tests/mpi/scan_nest.c \
    tests/mpi/session_queries.c tests/mpi/sessions.c tests/mpi/sessions_only.c tests/mpi/spawn.c \
    tests/mpi/status_f08.c tests/mpi/surroundings.c tests/mpi/threads.c tests/mpi/threads_end.c \
    tests/mpi/threads_reuse.c tests/mpi/tools.c tests/mpi/tools_events.c tests/mpi/unchanged.c \
    tests/mpi/windows.c
EXTRA_DIST += tests/mpi/run.sh tests/mpi/linked.sh tests/mpi/callsites.sh tests/mpi/recording.sh tests/mpi/several.sh \
    tests/mpi/worlds.sh tests/mpi/matching.sh tests/mpi/memory.sh tests/mpi/clocks.sh \
    tests/mpi/model.sh tests/mpi/unchanged.sh tests/mpi/tutorial.sh tests/mpi/scan.sh tests/mpi/heap.sh \
    tests/mpi/coverage.sh tests/mpi/coverage_exceptions.list tests/mpi/coverage_exceptions_fortran.list \
    tests/mpi/programs.list $(mpi_test_files)

# ---- OTF2 archives of such programs
if HAVE_MPI
TESTS += tests/otf2/run.sh
endif
EXTRA_DIST += tests/otf2/run.sh tests/otf2/bridge.c tests/otf2/check_archive.py tests/otf2/crowd.c tests/otf2/epochs.c tests/otf2/polls.c tests/otf2/tell.h \
    tests/otf2/transfers.c

# ---- runs that end badly: a target of its own, since launchers and signals take their time
if HAVE_MPI
check-endings: all tests/format/second_reader
	$(TESTS_ENVIRONMENT) $(srcdir)/tests/endings/run.sh
endif
EXTRA_DIST += tests/endings/run.sh tests/endings/endings.c tests/endings/endings_f.f90

# ---- threads: the tracer, built into a program for ThreadSanitizer, which slows it down; a target of its own
if HAVE_MPI
EXTRA_PROGRAMS += tests/threads/stress
# Without what stands in front of the allocator and of sigaction, since ThreadSanitizer stands there itself: it has to know of handlers.
# So memory symbols of the heap are left out, and what a program is told of actions.
tests_threads_stress_SOURCES = tests/threads/stress.c $(tracer_files) $(src_core_libcore_a_SOURCES)
nodist_tests_threads_stress_SOURCES = $(nodist_src_libtracer_a_SOURCES)
tests_threads_stress_CPPFLAGS = $(src_libtracer_a_CPPFLAGS)
tests_threads_stress_CFLAGS = -std=c11 $(WARNINGS) -Wno-tsan -Wno-stringop-overflow -O1 -g -fsanitize=thread -fvisibility=hidden
tests_threads_stress_LDFLAGS = -Wl,`echo $(EMERGENCY_HEAP) | tr ' ' ,`
tests_threads_stress_LDADD = $(ZSTD_LIBS) $(XXHASH_LIBS) $(MPI_LIBS) -lm -ldl -lpthread
check-threads: all tests/threads/stress
	$(TESTS_ENVIRONMENT) $(srcdir)/tests/threads/run.sh
phony += check-threads
CLEANFILES += tests/threads/stress
endif
EXTRA_DIST += tests/threads/run.sh tests/threads/stress.c

# ---- the file format, read by a program that was written from docs/FORMAT.md alone
check_PROGRAMS += tests/format/second_reader
tests_format_second_reader_SOURCES = \
    tests/format/annex.c tests/format/calls.c tests/format/coder.c tests/format/container.c \
    tests/format/functions.c tests/format/input.c tests/format/stamps.c \
    tests/format/input.h tests/format/lists.c tests/format/plain.c tests/format/records.c tests/format/rules.c \
    tests/format/second_reader.c tests/format/series.c tests/format/shapes.c tests/format/sites.c \
    tests/format/slots.c tests/format/steps.h tests/format/times.c tests/format/trace.h
tests_format_second_reader_LDADD = $(ZSTD_LIBS) $(XXHASH_LIBS)
if HAVE_MPI
TESTS += tests/format/run.sh
endif
EXTRA_DIST += tests/format/run.sh tests/format/elsewhere.c

# ---- fuzz targets: here they replay the inputs of tests/fuzz/corpus; with libFuzzer, see docs/HACKING.md
check_PROGRAMS += tests/fuzz/reader tests/fuzz/merge tests/fuzz/seeds
fuzz_parts = tests/fuzz/image.c tests/fuzz/image.h tests/fuzz/mutate.h tests/fuzz/replay.c tests/fuzz/target.h
tests_fuzz_reader_SOURCES = tests/fuzz/reader.c tests/unit/support/loop_models.c tests/unit/support/loop_models.h \
    tests/unit/support/scan_checks.c tests/unit/support/scan_checks.h $(fuzz_parts)
tests_fuzz_reader_LDADD = $(DECODER_LIBS)
tests_fuzz_merge_SOURCES = tests/fuzz/merge.c $(fuzz_parts)
tests_fuzz_merge_LDADD = $(DECODER_LIBS)
tests_fuzz_seeds_SOURCES = tests/fuzz/seeds.c tests/fuzz/image.c tests/fuzz/image.h tests/fuzz/target.h \
    tests/unit/support/polling.c tests/unit/support/polling.h tests/unit/support/random.h tests/unit/support/random_trace.c \
    tests/unit/support/random_trace.h tests/unit/support/synthetic.c tests/unit/support/synthetic.h
tests_fuzz_seeds_LDADD = $(CORE_LIBS)
TESTS += tests/fuzz/run.sh
fuzz:
	srcdir='$(srcdir)' FUZZ_TIME='$(FUZZ_TIME)' FUZZ_TARGETS='$(FUZZ_TARGETS)' FUZZ_TRACES='$(FUZZ_TRACES)' \
	    $(srcdir)/tests/fuzz/fuzz.sh
phony += check-endings fuzz
EXTRA_DIST += tests/fuzz/run.sh tests/fuzz/fuzz.sh tests/fuzz/mutate.c tests/fuzz/mutate_reader.c \
    tests/fuzz/mutate_merge.c tests/fuzz/corpus
