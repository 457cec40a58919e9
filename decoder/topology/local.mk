# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/topology/arrangement.c \
    decoder/topology/arrangement.h \
    decoder/topology/candidate.c \
    decoder/topology/candidate.h \
    decoder/topology/canonical.c \
    decoder/topology/canonical.h \
    decoder/topology/graph.c \
    decoder/topology/graph.h \
    decoder/topology/identify.c \
    decoder/topology/identify.h \
    decoder/topology/matrix_file.c \
    decoder/topology/nearest.c \
    decoder/topology/numbering.c \
    decoder/topology/numbering.h \
    decoder/topology/pattern.c \
    decoder/topology/pattern.h \
    decoder/topology/pattern_rules.c \
    decoder/topology/pattern_rules.h \
    decoder/topology/rank_values.c \
    decoder/topology/rank_values.h \
    decoder/topology/refinement.c \
    decoder/topology/refinement.h \
    decoder/topology/survey.c \
    decoder/topology/survey.h \
    decoder/topology/topology_json.c \
    decoder/topology/topology_svg.c \
    decoder/topology/topology_text.c \
    decoder/topology/topology_text.h \
    decoder/topology/traffic.c \
    decoder/topology/traffic.h
EXTRA_DIST += decoder/topology/README.md
