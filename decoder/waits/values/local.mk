# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/waits/values/call_times.c \
    decoder/waits/values/call_times.h \
    decoder/waits/values/severities.c \
    decoder/waits/values/severities.h \
    decoder/waits/values/wait_grid.c \
    decoder/waits/values/wait_grid.h \
    decoder/waits/values/wait_instances.c \
    decoder/waits/values/wait_instances.h \
    decoder/waits/values/wait_places.c \
    decoder/waits/values/wait_places.h
EXTRA_DIST += decoder/waits/values/README.md
