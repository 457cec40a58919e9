# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/waits/windows/wait_epochs.c \
    decoder/waits/windows/wait_epochs.h \
    decoder/waits/windows/wait_locks.c \
    decoder/waits/windows/wait_locks.h \
    decoder/waits/windows/window_key.h
EXTRA_DIST += decoder/waits/windows/README.md
