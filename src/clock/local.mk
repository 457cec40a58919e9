# SPDX-License-Identifier: BSD-3-Clause
tracer_files += \
    src/clock/clock.c \
    src/clock/clock.h \
    src/clock/clock_pairs.c \
    src/clock/clock_pairs.h \
    src/clock/clock_sync.c \
    src/clock/clock_sync.h
EXTRA_DIST += src/clock/README.md
