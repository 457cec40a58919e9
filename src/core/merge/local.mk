# SPDX-License-Identifier: BSD-3-Clause
src_core_libcore_a_SOURCES += \
    src/core/merge/merge.c \
    src/core/merge/merge.h \
    src/core/merge/merge_finish.c \
    src/core/merge/merge_given.c \
    src/core/merge/merge_given.h \
    src/core/merge/merge_groups.c \
    src/core/merge/merge_known.c \
    src/core/merge/merge_parts.h \
    src/core/merge/merge_refine.c \
    src/core/merge/merge_tables.c \
    src/core/merge/merge_tree.c \
    src/core/merge/merge_tree.h \
    src/core/merge/merge_values.c
EXTRA_DIST += src/core/merge/README.md
