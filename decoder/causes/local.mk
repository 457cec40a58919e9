# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/causes/causal_log.c \
    decoder/causes/causal_log.h \
    decoder/causes/causal_relay.c \
    decoder/causes/causal_relay.h \
    decoder/causes/causal_stream.c \
    decoder/causes/causal_stream.h \
    decoder/causes/cause_listener.c \
    decoder/causes/cause_listener.h \
    decoder/causes/causes_text.c \
    decoder/causes/causes_text.h \
    decoder/causes/chain_start.c \
    decoder/causes/chain_start.h \
    decoder/causes/critical_path.c \
    decoder/causes/critical_path.h \
    decoder/causes/critical_route.c \
    decoder/causes/critical_route.h \
    decoder/causes/critical_search.c \
    decoder/causes/critical_search.h \
    decoder/causes/critical_text.c \
    decoder/causes/critical_text.h \
    decoder/causes/delay_places.c \
    decoder/causes/delay_places.h \
    decoder/causes/delay_reason.c \
    decoder/causes/delay_reason.h \
    decoder/causes/delay_windows.c \
    decoder/causes/delay_windows.h \
    decoder/causes/delays.c \
    decoder/causes/delays.h \
    decoder/causes/delays_text.c \
    decoder/causes/delays_text.h \
    decoder/causes/efficiency.c \
    decoder/causes/efficiency.h \
    decoder/causes/genealogy.c \
    decoder/causes/genealogy.h \
    decoder/causes/page_ranks.c \
    decoder/causes/page_ranks.h \
    decoder/causes/preceding.c \
    decoder/causes/preceding.h \
    decoder/causes/removals.c \
    decoder/causes/removals.h \
    decoder/causes/resimulation.c \
    decoder/causes/resimulation.h
EXTRA_DIST += decoder/causes/README.md
