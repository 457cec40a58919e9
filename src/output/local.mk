# SPDX-License-Identifier: BSD-3-Clause
tracer_files += \
    src/output/gather.c \
    src/output/gather.h \
    src/output/rank_trace.c \
    src/output/rank_trace.h \
    src/output/referenced_constants.c \
    src/output/referenced_constants.h \
    src/output/writer.c \
    src/output/writer.h
EXTRA_DIST += src/output/README.md
