# SPDX-License-Identifier: BSD-3-Clause
src_core_libcore_a_SOURCES += \
    src/core/codec/codec.h \
    src/core/codec/codec_decode.c \
    src/core/codec/codec_decode_lists.c \
    src/core/codec/codec_decode_rows.c \
    src/core/codec/codec_decode_shape.c \
    src/core/codec/codec_encode.c \
    src/core/codec/codec_encode_shape.c \
    src/core/codec/codec_fold.c \
    src/core/codec/codec_fold.h \
    src/core/codec/codec_impl.h \
    src/core/codec/codec_permute.c \
    src/core/codec/codec_permute.h \
    src/core/codec/codec_times.c \
    src/core/codec/codec_times.h \
    src/core/codec/worlds.c \
    src/core/codec/worlds.h
EXTRA_DIST += src/core/codec/README.md
