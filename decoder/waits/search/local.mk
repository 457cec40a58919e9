# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/waits/search/wait_completions.c \
    decoder/waits/search/wait_completions.h \
    decoder/waits/search/wait_event.h \
    decoder/waits/search/wait_lanes.c \
    decoder/waits/search/wait_lanes.h \
    decoder/waits/search/wait_listener.h \
    decoder/waits/search/wait_meeting.c \
    decoder/waits/search/wait_meeting.h \
    decoder/waits/search/wait_metric.c \
    decoder/waits/search/wait_metric.h \
    decoder/waits/search/wait_overlaps.c \
    decoder/waits/search/wait_overlaps.h \
    decoder/waits/search/wait_progress.c \
    decoder/waits/search/wait_progress.h \
    decoder/waits/search/wait_search.c \
    decoder/waits/search/wait_search.h \
    decoder/waits/search/wait_search_end.c \
    decoder/waits/search/wait_search_impl.h \
    decoder/waits/search/wait_search_meeting.c \
    decoder/waits/search/wait_search_message.c \
    decoder/waits/search/wait_search_overlaps.c \
    decoder/waits/search/wait_search_progress.c \
    decoder/waits/search/wait_search_values.c \
    decoder/waits/search/wait_search_windows.c \
    decoder/waits/search/wait_sends.c \
    decoder/waits/search/wait_sends.h
EXTRA_DIST += decoder/waits/search/README.md
