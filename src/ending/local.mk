# SPDX-License-Identifier: BSD-3-Clause
tracer_files += \
    src/ending/checkpoint.c \
    src/ending/checkpoint.h \
    src/ending/ending.c \
    src/ending/ending.h \
    src/ending/fatal.c \
    src/ending/signal_stack.c \
    src/ending/signal_stack.h \
    src/ending/signals.c \
    src/ending/signals.h
EXTRA_DIST += src/ending/README.md
