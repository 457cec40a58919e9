# SPDX-License-Identifier: BSD-3-Clause
tracer_files += \
    src/run/census.c \
    src/run/census.h \
    src/run/checkpoint.c \
    src/run/checkpoint.h \
    src/run/defined_elsewhere.c \
    src/run/defined_elsewhere.h \
    src/run/ending.c \
    src/run/ending.h \
    src/run/exit.c \
    src/run/exit.h \
    src/run/fatal.c \
    src/run/file_limits.c \
    src/run/file_limits.h \
    src/run/finalize.c \
    src/run/finalize.h \
    src/run/init.c \
    src/run/init.h \
    src/run/last_rank_merge.c \
    src/run/last_rank_merge.h \
    src/run/launcher.c \
    src/run/launcher.h \
    src/run/part.c \
    src/run/part.h \
    src/run/place.c \
    src/run/place.h \
    src/run/run_info.c \
    src/run/run_info.h \
    src/run/session.c \
    src/run/session.h \
    src/run/signal_stack.c \
    src/run/signal_stack.h \
    src/run/signals.c \
    src/run/signals.h \
    src/run/spawner.c \
    src/run/spawner.h \
    src/run/tracer.c \
    src/run/write_collective.c \
    src/run/write_collective.h
EXTRA_DIST += src/run/README.md
