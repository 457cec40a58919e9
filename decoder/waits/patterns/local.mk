# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/waits/patterns/metrics_count.c \
    decoder/waits/patterns/metrics_imbalance.c \
    decoder/waits/patterns/metrics_time.c \
    decoder/waits/patterns/patterns_collective.c \
    decoder/waits/patterns/patterns_grid.c \
    decoder/waits/patterns/patterns_message.c \
    decoder/waits/patterns/patterns_run.c \
    decoder/waits/patterns/patterns_threads.c \
    decoder/waits/patterns/patterns_window.c \
    decoder/waits/patterns/wave_step.c \
    decoder/waits/patterns/wave_step.h \
    decoder/waits/patterns/waves.c \
    decoder/waits/patterns/waves.h
EXTRA_DIST += decoder/waits/patterns/README.md
