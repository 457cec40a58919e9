# SPDX-License-Identifier: BSD-3-Clause
src_core_libcore_a_SOURCES += \
    src/core/codec/codec.h \
    src/core/codec/codec_added.c \
    src/core/codec/codec_added.h \
    src/core/codec/codec_classes.c \
    src/core/codec/codec_classes.h \
    src/core/codec/codec_compose.c \
    src/core/codec/codec_compose.h \
    src/core/codec/codec_decode.c \
    src/core/codec/codec_decode_lists.c \
    src/core/codec/codec_decode_rows.c \
    src/core/codec/codec_decode_shape.c \
    src/core/codec/codec_derived.c \
    src/core/codec/codec_derived.h \
    src/core/codec/codec_domains.c \
    src/core/codec/codec_domains.h \
    src/core/codec/codec_encode.c \
    src/core/codec/codec_encode_shape.c \
    src/core/codec/codec_fold.c \
    src/core/codec/codec_fold.h \
    src/core/codec/codec_impl.h \
    src/core/codec/codec_row.c \
    src/core/codec/codec_row.h \
    src/core/codec/codec_tables.c \
    src/core/codec/codec_tables.h \
    src/core/codec/codec_times.c \
    src/core/codec/codec_times.h \
    src/core/codec/global_lists.c \
    src/core/codec/global_lists.h \
    src/core/codec/prefix_sums.c \
    src/core/codec/prefix_sums.h \
    src/core/codec/torus.c \
    src/core/codec/torus.h \
    src/core/codec/torus_permutation.c \
    src/core/codec/torus_permutation.h \
    src/core/codec/transposed_counts.c \
    src/core/codec/transposed_counts.h \
    src/core/codec/worlds.c \
    src/core/codec/worlds.h
EXTRA_DIST += src/core/codec/README.md
