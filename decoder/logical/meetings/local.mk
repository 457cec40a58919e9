# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/logical/meetings/body_acts.c \
    decoder/logical/meetings/body_acts.h \
    decoder/logical/meetings/meetings.c \
    decoder/logical/meetings/meetings.h \
    decoder/logical/meetings/meetings_body.c \
    decoder/logical/meetings/meetings_ends.c \
    decoder/logical/meetings/meetings_impl.h \
    decoder/logical/meetings/moving.c \
    decoder/logical/meetings/moving.h
EXTRA_DIST += decoder/logical/meetings/README.md
