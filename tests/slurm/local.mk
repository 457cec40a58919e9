# SPDX-License-Identifier: BSD-3-Clause
# Under Slurm: a target of its own, since it has to be installed, and limits on time are minutes.
if HAVE_MPI
check-slurm: all
	$(TESTS_ENVIRONMENT) $(srcdir)/tests/slurm/run.sh $(CASES) || test $$? -eq 77
phony += check-slurm
endif
EXTRA_DIST += \
    tests/slurm/README.md \
    tests/slurm/cluster.sh \
    tests/slurm/run.sh
