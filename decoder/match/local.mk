# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/match/call_stream.c \
    decoder/match/call_stream.h \
    decoder/match/collective_agreement.c \
    decoder/match/collective_queues.c \
    decoder/match/collective_queues.h \
    decoder/match/collective_queues_impl.h \
    decoder/match/logical_clock.c \
    decoder/match/logical_clock.h \
    decoder/match/match_hints.c \
    decoder/match/match_hints.h \
    decoder/match/matching.c \
    decoder/match/matching.h \
    decoder/match/matching_end.c \
    decoder/match/matching_impl.h \
    decoder/match/matching_queue.c \
    decoder/match/matching_text.c \
    decoder/match/matching_text.h \
    decoder/match/matching_waiting.c \
    decoder/match/message_queues.c \
    decoder/match/message_queues.h \
    decoder/match/operation.c \
    decoder/match/operation.h \
    decoder/match/operation_field.c \
    decoder/match/operation_impl.h \
    decoder/match/operation_part.c \
    decoder/match/operation_take.c \
    decoder/match/operation_window.c \
    decoder/match/process_groups.c \
    decoder/match/process_groups.h \
    decoder/match/requests.c \
    decoder/match/requests.h \
    decoder/match/rma_record_counting.c \
    decoder/match/rma_record_counting.h \
    decoder/match/windows_files.c \
    decoder/match/windows_files.h
EXTRA_DIST += decoder/match/README.md
