# SPDX-License-Identifier: BSD-3-Clause
src_core_libcore_a_SOURCES += \
    src/core/series/bitplane_code.c \
    src/core/series/bitplane_code.h \
    src/core/series/pack.c \
    src/core/series/pack.h \
    src/core/series/series.c \
    src/core/series/series.h \
    src/core/series/series_append.c \
    src/core/series/series_bounds.c \
    src/core/series/series_code.c \
    src/core/series/series_cursor.c \
    src/core/series/series_impl.h \
    src/core/series/series_reduce.c \
    src/core/series/series_settle.c \
    src/core/series/series_total.c
EXTRA_DIST += src/core/series/README.md
