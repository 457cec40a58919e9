# SPDX-License-Identifier: BSD-3-Clause
src_core_libcore_a_SOURCES += \
    src/core/parts/assemble.c \
    src/core/parts/assemble.h \
    src/core/parts/part_file.c \
    src/core/parts/part_file.h
EXTRA_DIST += src/core/parts/README.md
