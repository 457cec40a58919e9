# SPDX-License-Identifier: BSD-3-Clause
src_core_libcore_a_SOURCES += \
    src/core/passes/codec_domains.c \
    src/core/passes/codec_domains.h \
    src/core/passes/codec_row.c \
    src/core/passes/codec_row.h \
    src/core/passes/codec_tables.c \
    src/core/passes/codec_tables.h \
    src/core/passes/global_lists.c \
    src/core/passes/global_lists.h \
    src/core/passes/permuted_table.c \
    src/core/passes/permuted_table.h \
    src/core/passes/prefix_sums.c \
    src/core/passes/prefix_sums.h \
    src/core/passes/torus.c \
    src/core/passes/torus.h \
    src/core/passes/torus_permutation.c \
    src/core/passes/torus_permutation.h \
    src/core/passes/transposed_counts.c \
    src/core/passes/transposed_counts.h
EXTRA_DIST += src/core/passes/README.md
