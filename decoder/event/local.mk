# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/event/call_event.c \
    decoder/event/call_event.h \
    decoder/event/call_event_access.c \
    decoder/event/call_event_groups.c \
    decoder/event/call_event_impl.h \
    decoder/event/call_event_message.c \
    decoder/event/call_event_probe.c \
    decoder/event/call_event_region.c \
    decoder/event/call_event_request.c \
    decoder/event/call_event_view.c \
    decoder/event/call_event_window.c \
    decoder/event/event_template.c \
    decoder/event/event_template.h
EXTRA_DIST += decoder/event/README.md
