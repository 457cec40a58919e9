# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/topology/identify/candidate.c \
    decoder/topology/identify/candidate.h \
    decoder/topology/identify/canonical.c \
    decoder/topology/identify/canonical.h \
    decoder/topology/identify/difference.c \
    decoder/topology/identify/difference.h \
    decoder/topology/identify/graph.c \
    decoder/topology/identify/graph.h \
    decoder/topology/identify/growth.c \
    decoder/topology/identify/growth.h \
    decoder/topology/identify/growth_begin.c \
    decoder/topology/identify/growth_exchange.c \
    decoder/topology/identify/growth_impl.h \
    decoder/topology/identify/identify.c \
    decoder/topology/identify/identify.h \
    decoder/topology/identify/nearest.c \
    decoder/topology/identify/numbering.c \
    decoder/topology/identify/numbering.h \
    decoder/topology/identify/pattern.c \
    decoder/topology/identify/pattern.h \
    decoder/topology/identify/pattern_rules.c \
    decoder/topology/identify/pattern_rules.h \
    decoder/topology/identify/refinement.c \
    decoder/topology/identify/refinement.h
EXTRA_DIST += decoder/topology/identify/README.md
