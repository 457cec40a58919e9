# SPDX-License-Identifier: BSD-3-Clause
# OTF2 archives of MPI programs.
if HAVE_MPI
TESTS += tests/otf2/run.sh
endif
EXTRA_DIST += \
    tests/otf2/bridge.c \
    tests/otf2/check_archive.py \
    tests/otf2/crowd.c \
    tests/otf2/epochs.c \
    tests/otf2/polls.c \
    tests/otf2/run.sh \
    tests/otf2/tell.h \
    tests/otf2/transfers.c
