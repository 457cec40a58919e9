# SPDX-License-Identifier: BSD-3-Clause
tracer_files += \
    src/part/file_limits.c \
    src/part/file_limits.h \
    src/part/launcher.c \
    src/part/launcher.h \
    src/part/output_place.c \
    src/part/output_place.h \
    src/part/part.c \
    src/part/part.h \
    src/part/run_info.c \
    src/part/run_info.h \
    src/part/spawner.c \
    src/part/spawner.h
EXTRA_DIST += src/part/README.md
