# SPDX-License-Identifier: BSD-3-Clause
tracer_files += \
    src/run/census.c \
    src/run/census.h \
    src/run/census_tree.c \
    src/run/census_tree.h \
    src/run/defined_elsewhere.c \
    src/run/defined_elsewhere.h \
    src/run/exit.c \
    src/run/exit.h \
    src/run/finalize.c \
    src/run/finalize.h \
    src/run/init.c \
    src/run/init.h \
    src/run/last_rank_merge.c \
    src/run/last_rank_merge.h \
    src/run/processor_time.c \
    src/run/processor_time.h \
    src/run/session.c \
    src/run/session.h \
    src/run/tracer.c \
    src/run/write_collective.c \
    src/run/write_collective.h
EXTRA_DIST += src/run/README.md
