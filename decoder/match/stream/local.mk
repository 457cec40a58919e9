# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/match/stream/call_stream.c \
    decoder/match/stream/call_stream.h \
    decoder/match/stream/operation.c \
    decoder/match/stream/operation.h \
    decoder/match/stream/operation_field.c \
    decoder/match/stream/operation_impl.h \
    decoder/match/stream/operation_part.c \
    decoder/match/stream/operation_take.c \
    decoder/match/stream/operation_window.c \
    decoder/match/stream/process_groups.c \
    decoder/match/stream/process_groups.h \
    decoder/match/stream/requests.c \
    decoder/match/stream/requests.h \
    decoder/match/stream/rma_record_counting.c \
    decoder/match/stream/rma_record_counting.h \
    decoder/match/stream/windows_files.c \
    decoder/match/stream/windows_files.h
EXTRA_DIST += decoder/match/stream/README.md
