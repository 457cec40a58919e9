# SPDX-License-Identifier: BSD-3-Clause
# The file format, read by a program that was written from docs/FORMAT.md alone.
shared_tools += tests/format/second_reader
tests_format_second_reader_SOURCES = \
    tests/format/annex.c \
    tests/format/calls.c \
    tests/format/coder.c \
    tests/format/container.c \
    tests/format/functions.c \
    tests/format/input.c \
    tests/format/input.h \
    tests/format/lists.c \
    tests/format/plain.c \
    tests/format/records.c \
    tests/format/rules.c \
    tests/format/second_reader.c \
    tests/format/series.c \
    tests/format/shapes.c \
    tests/format/sites.c \
    tests/format/slots.c \
    tests/format/stamps.c \
    tests/format/steps.h \
    tests/format/times.c \
    tests/format/trace.h
tests_format_second_reader_LDADD = $(ZSTD_LIBS) $(XXHASH_LIBS)
format_tests = tests/format/text.sh
mpi_format_tests = \
    tests/format/run.sh \
    tests/format/times.sh
if HAVE_MPI
if !TRACER_ONLY
TESTS += $(format_tests)
endif
TESTS += $(mpi_format_tests)
endif
tests/format/run.log tests/format/times.log: $(mpi_programs)
EXTRA_DIST += $(format_tests) $(mpi_format_tests) \
    tests/format/elsewhere.c \
    tests/format/reader.sh
