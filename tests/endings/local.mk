# SPDX-License-Identifier: BSD-3-Clause
# Runs that end badly: a target of its own, since launchers and signals take their time.
if HAVE_MPI
check-endings: all $(own_tools)
	$(TESTS_ENVIRONMENT) $(srcdir)/tests/endings/run.sh
phony += check-endings
endif
EXTRA_DIST += \
    tests/endings/endings.c \
    tests/endings/endings_f.f90 \
    tests/endings/run.sh
