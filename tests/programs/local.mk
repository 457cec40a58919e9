# SPDX-License-Identifier: BSD-3-Clause
# Programs of others, as Debian packages them: a target of its own, since they have to be installed.
if HAVE_MPI
check-programs: all tests/yield.so
	$(TESTS_ENVIRONMENT) PROGRAMS_INSTALL='$(PROGRAMS_INSTALL)' KEEP='$(KEEP)' $(srcdir)/tests/programs/run.sh $(CASES)
phony += check-programs
endif
EXTRA_DIST += \
    tests/programs/README.md \
    tests/programs/cases \
    tests/programs/inputs.sh \
    tests/programs/run.sh
