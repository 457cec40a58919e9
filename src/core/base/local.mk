# SPDX-License-Identifier: BSD-3-Clause
src_core_libcore_a_SOURCES += \
    src/core/base/array.c \
    src/core/base/array.h \
    src/core/base/bisect.h \
    src/core/base/blocks.c \
    src/core/base/blocks.h \
    src/core/base/bytes.c \
    src/core/base/bytes.h \
    src/core/base/cancel.h \
    src/core/base/file_content.c \
    src/core/base/file_content.h \
    src/core/base/gcd.h \
    src/core/base/id_allocator.c \
    src/core/base/id_allocator.h \
    src/core/base/intervals.c \
    src/core/base/intervals.h \
    src/core/base/log.c \
    src/core/base/log_levels.c \
    src/core/base/log.h \
    src/core/base/map.c \
    src/core/base/map.h \
    src/core/base/messenger.h \
    src/core/base/mix.h \
    src/core/base/order.h \
    src/core/base/placement.h \
    src/core/base/repetition.c \
    src/core/base/repetition.h \
    src/core/base/replace.c \
    src/core/base/replace.h \
    src/core/base/section.c \
    src/core/base/section.h \
    src/core/base/status.h \
    src/core/base/timestamp.h \
    src/core/base/write.c \
    src/core/base/write.h
EXTRA_DIST += src/core/base/README.md
