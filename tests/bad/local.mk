# SPDX-License-Identifier: BSD-3-Clause
# Damaged and foreign files. The sanitized build has no MPI, and finds more.
if !HAVE_MPI
TESTS += tests/bad/run.sh
endif
EXTRA_DIST += tests/bad/run.sh
