# SPDX-License-Identifier: BSD-3-Clause
# Fuzz targets: here they replay the inputs of tests/fuzz/corpus; with libFuzzer, see docs/HACKING.md.
if !TRACER_ONLY
TESTS += tests/fuzz/run.sh
check_PROGRAMS += $(fuzz_programs)
endif
fuzz_programs = \
    tests/fuzz/commands \
    tests/fuzz/merge \
    tests/fuzz/reader \
    tests/fuzz/seeds
fuzz_parts = \
    tests/fuzz/image.c \
    tests/fuzz/image.h \
    tests/fuzz/mutate.h \
    tests/fuzz/replay.c \
    tests/fuzz/target.h
tests_fuzz_commands_SOURCES = tests/fuzz/commands.c tests/fuzz/size.c tests/fuzz/size.h $(fuzz_parts)
tests_fuzz_commands_LDADD = $(DECODER_LIBS)
tests_fuzz_merge_SOURCES = tests/fuzz/merge.c $(fuzz_parts)
tests_fuzz_merge_LDADD = $(DECODER_LIBS)
tests_fuzz_reader_SOURCES = tests/fuzz/reader.c tests/fuzz/size.c tests/fuzz/size.h $(fuzz_parts) \
    tests/unit/support/loop_models.c \
    tests/unit/support/loop_models.h \
    tests/unit/support/scan_checks.c \
    tests/unit/support/scan_checks.h
tests_fuzz_reader_LDADD = $(DECODER_LIBS)
tests_fuzz_seeds_SOURCES = \
    tests/fuzz/image.c \
    tests/fuzz/image.h \
    tests/fuzz/seeds.c \
    tests/fuzz/target.h \
    tests/unit/support/polling.c \
    tests/unit/support/polling.h \
    tests/unit/support/random.h \
    tests/unit/support/random_trace.c \
    tests/unit/support/random_trace.h \
    tests/unit/support/synthetic.c \
    tests/unit/support/synthetic.h \
    tests/unit/support/synthetic_calls.c \
    tests/unit/support/synthetic_calls.h \
    tests/unit/support/synthetic_programs.c
tests_fuzz_seeds_LDADD = $(CORE_LIBS)
fuzz:
	srcdir='$(srcdir)' FUZZ_TIME='$(FUZZ_TIME)' FUZZ_TARGETS='$(FUZZ_TARGETS)' FUZZ_TRACES='$(FUZZ_TRACES)' \
	    $(srcdir)/tests/fuzz/fuzz.sh
phony += fuzz
EXTRA_DIST += \
    tests/fuzz/corpus \
    tests/fuzz/fuzz.sh \
    tests/fuzz/mutate.c \
    tests/fuzz/mutate_merge.c \
    tests/fuzz/mutate_reader.c \
    tests/fuzz/otf2_buffers.c \
    tests/fuzz/run.sh
