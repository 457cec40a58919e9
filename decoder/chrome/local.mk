# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/chrome/chrome.c \
    decoder/chrome/chrome.h \
    decoder/chrome/chrome_messages.c \
    decoder/chrome/chrome_messages.h
EXTRA_DIST += decoder/chrome/README.md
