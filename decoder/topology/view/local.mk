# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/topology/view/arrangement.c \
    decoder/topology/view/arrangement.h \
    decoder/topology/view/directions_text.c \
    decoder/topology/view/layers_json.c \
    decoder/topology/view/layers_json.h \
    decoder/topology/view/layers_text.c \
    decoder/topology/view/rank_values.c \
    decoder/topology/view/rank_values.h \
    decoder/topology/view/topology_json.c \
    decoder/topology/view/topology_svg.c \
    decoder/topology/view/topology_text.c \
    decoder/topology/view/topology_text.h
EXTRA_DIST += decoder/topology/view/README.md
