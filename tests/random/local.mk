# SPDX-License-Identifier: BSD-3-Clause
# Random programs: a few in each `make check`; any number with `make check-random SEEDS=1-1000`, a target of its own.
random_tests = tests/random/run.sh
random_sources = \
    tests/random/collectives.c \
    tests/random/inter.c \
    tests/random/layout.c \
    tests/random/log.c \
    tests/random/messages.c \
    tests/random/neighbors.c \
    tests/random/pending.c \
    tests/random/persistent.c \
    tests/random/random.c \
    tests/random/topology.c \
    tests/random/transfer.c \
    tests/random/window.c
random_headers = \
    tests/random/dice.h \
    tests/random/layout.h \
    tests/random/log.h \
    tests/random/place.h \
    tests/random/requests.h \
    tests/random/topology.h
if HAVE_MPI
TESTS += $(random_tests)
shared_tools += tests/random/truth
tests/random/run.log: tests/random/random
tests/random/random: $(random_sources) $(random_headers)
	$(mpi_compile) $(random_sources:%=$(srcdir)/%) -pthread
check-random: all $(own_tools) tests/random/random tests/yield.so
if TRACER_ONLY
	@$(MAKE) -C ../.. --no-print-directory tests/random/truth
endif
	SEEDS='$(SEEDS)' $(TESTS_ENVIRONMENT) $(srcdir)/tests/random/run.sh
phony += check-random
CLEANFILES += tests/random/random
endif
tests_random_truth_SOURCES = \
    tests/cli/recount_matrix.c \
    tests/cli/recount_matrix.h \
    tests/cli/text_file.c \
    tests/cli/text_file.h \
    tests/random/truth.c \
    tests/random/truth.h \
    tests/random/truth_events.c
EXTRA_DIST += $(random_tests) $(random_sources) $(random_headers) tests/random/README.md
