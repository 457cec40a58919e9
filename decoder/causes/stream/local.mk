# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/causes/stream/causal_log.c \
    decoder/causes/stream/causal_log.h \
    decoder/causes/stream/causal_relay.c \
    decoder/causes/stream/causal_relay.h \
    decoder/causes/stream/causal_stream.c \
    decoder/causes/stream/causal_stream.h \
    decoder/causes/stream/causal_tee.c \
    decoder/causes/stream/causal_tee.h \
    decoder/causes/stream/cause_listener.c \
    decoder/causes/stream/cause_listener.h
EXTRA_DIST += decoder/causes/stream/README.md
