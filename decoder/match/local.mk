# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
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
    decoder/match/round_notes.c \
    decoder/match/round_notes.h \
    decoder/match/rounds.c \
    decoder/match/rounds.h
EXTRA_DIST += decoder/match/README.md
