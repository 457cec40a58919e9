# SPDX-License-Identifier: BSD-3-Clause
src_core_libcore_a_SOURCES += \
    src/core/lane/column.c \
    src/core/lane/column.h \
    src/core/lane/lane.c \
    src/core/lane/lane.h \
    src/core/lane/site_stream.c \
    src/core/lane/site_stream.h \
    src/core/lane/site_sums.c \
    src/core/lane/site_sums.h \
    src/core/lane/site_table.c \
    src/core/lane/site_table.h \
    src/core/lane/site_table_store.c \
    src/core/lane/site_table_store.h \
    src/core/lane/skeleton.c \
    src/core/lane/skeleton.h
EXTRA_DIST += src/core/lane/README.md
