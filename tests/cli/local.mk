# SPDX-License-Identifier: BSD-3-Clause
# The command.
cli_tests = \
    tests/cli/options.sh \
    tests/cli/report.sh \
    tests/cli/run.sh \
    tests/cli/scan.sh \
    tests/cli/timeline.sh
mpi_cli_tests = tests/cli/record.sh
if !TRACER_ONLY
TESTS += $(cli_tests)
if HAVE_MPI
TESTS += $(mpi_cli_tests)
endif
endif
EXTRA_DIST += $(cli_tests) $(mpi_cli_tests) \
    tests/cli/cases \
    tests/cli/report_browser.js \
    tests/cli/scan_rows.sh \
    tests/cli/timeline_browser.js

# What the command prints is compared with what these find in a trace, or in other output of the command.
shared_tools += \
    tests/cli/construct_matrices \
    tests/cli/lane_events \
    tests/cli/make_trace \
    tests/cli/recount \
    tests/cli/scan_check
tests_cli_construct_matrices_SOURCES = tests/cli/construct_matrices.c
tests_cli_construct_matrices_LDADD = $(DECODER_LIBS)
tests_cli_lane_events_SOURCES = tests/cli/lane_events.c
tests_cli_lane_events_LDADD = $(DECODER_LIBS)
tests_cli_make_trace_SOURCES = tests/cli/make_trace.c
tests_cli_make_trace_LDADD = $(CORE_LIBS)
tests_cli_recount_SOURCES = \
    tests/cli/call_line.c \
    tests/cli/call_line.h \
    tests/cli/recount.c \
    tests/cli/recount.h \
    tests/cli/recount_accesses.c \
    tests/cli/recount_matrix.c \
    tests/cli/recount_matrix.h \
    tests/cli/recount_messages.c \
    tests/cli/recount_range.c \
    tests/cli/recount_rows.c \
    tests/cli/text_file.c \
    tests/cli/text_file.h
tests_cli_scan_check_SOURCES = \
    tests/cli/scan_check.c \
    tests/unit/support/scan_checks.c \
    tests/unit/support/scan_checks.h
tests_cli_scan_check_LDADD = $(DECODER_LIBS)
