# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/processes/process_launch.c \
    decoder/processes/process_message.c \
    decoder/processes/process_message.h \
    decoder/processes/processes.c \
    decoder/processes/processes.h \
    decoder/processes/time_helpers.c \
    decoder/processes/time_helpers.h \
    decoder/processes/time_server.c \
    decoder/processes/time_server.h
EXTRA_DIST += decoder/processes/README.md
