# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/waits/call_paths.c \
    decoder/waits/call_paths.h \
    decoder/waits/metrics_count.c \
    decoder/waits/metrics_imbalance.c \
    decoder/waits/metrics_time.c \
    decoder/waits/patterns_collective.c \
    decoder/waits/patterns_message.c \
    decoder/waits/patterns_run.c \
    decoder/waits/patterns_window.c \
    decoder/waits/severities.c \
    decoder/waits/severities.h \
    decoder/waits/wait_completions.c \
    decoder/waits/wait_completions.h \
    decoder/waits/wait_epochs.c \
    decoder/waits/wait_epochs.h \
    decoder/waits/wait_event.h \
    decoder/waits/wait_instances.c \
    decoder/waits/wait_instances.h \
    decoder/waits/wait_lanes.c \
    decoder/waits/wait_lanes.h \
    decoder/waits/wait_meeting.c \
    decoder/waits/wait_meeting.h \
    decoder/waits/wait_metric.c \
    decoder/waits/wait_metric.h \
    decoder/waits/wait_report.c \
    decoder/waits/wait_report.h \
    decoder/waits/wait_search.c \
    decoder/waits/wait_search.h \
    decoder/waits/wait_search_end.c \
    decoder/waits/wait_search_impl.h \
    decoder/waits/wait_search_meeting.c \
    decoder/waits/waits.c \
    decoder/waits/waits.h \
    decoder/waits/waits_cube.c \
    decoder/waits/waits_explain.c \
    decoder/waits/waits_page.c \
    decoder/waits/waits_tables.c \
    decoder/waits/waits_text.h
EXTRA_DIST += decoder/waits/README.md
