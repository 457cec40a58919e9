# SPDX-License-Identifier: BSD-3-Clause
tracer_files += \
    src/memory/address_offset.c \
    src/memory/address_offset.h \
    src/memory/arena.c \
    src/memory/arena.h \
    src/memory/block_heap.c \
    src/memory/block_heap.h \
    src/memory/device.c \
    src/memory/device.h \
    src/memory/emergency.c \
    src/memory/emergency.h \
    src/memory/guard.h \
    src/memory/memory.c \
    src/memory/memory.h \
    src/memory/merge_heap.c \
    src/memory/merge_heap.h \
    src/memory/module.c \
    src/memory/module.h \
    src/memory/pages.c \
    src/memory/pages.h \
    src/memory/tracer_heap.c \
    src/memory/tracer_heap.h
EXTRA_DIST += src/memory/README.md
