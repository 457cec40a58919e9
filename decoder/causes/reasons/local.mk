# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/causes/reasons/chain_start.c \
    decoder/causes/reasons/chain_start.h \
    decoder/causes/reasons/delay_reason.c \
    decoder/causes/reasons/delay_reason.h \
    decoder/causes/reasons/delay_reason_json.c \
    decoder/causes/reasons/delay_reason_text.c \
    decoder/causes/reasons/delay_reason_text.h \
    decoder/causes/reasons/joined_lanes.c \
    decoder/causes/reasons/joined_lanes.h \
    decoder/causes/reasons/late_lanes.c \
    decoder/causes/reasons/late_lanes.h \
    decoder/causes/reasons/lateness.c \
    decoder/causes/reasons/lateness.h \
    decoder/causes/reasons/page_ranks.c \
    decoder/causes/reasons/page_ranks.h \
    decoder/causes/reasons/regular.c \
    decoder/causes/reasons/regular.h \
    decoder/causes/reasons/removals.c \
    decoder/causes/reasons/removals.h \
    decoder/causes/reasons/spans.c \
    decoder/causes/reasons/spans.h
EXTRA_DIST += decoder/causes/reasons/README.md
