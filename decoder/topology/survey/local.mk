# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/topology/survey/communicators.c \
    decoder/topology/survey/communicators.h \
    decoder/topology/survey/comparison.c \
    decoder/topology/survey/comparison.h \
    decoder/topology/survey/displacement.c \
    decoder/topology/survey/displacement.h \
    decoder/topology/survey/layers.c \
    decoder/topology/survey/layers.h \
    decoder/topology/survey/matrix_file.c \
    decoder/topology/survey/own_topology.c \
    decoder/topology/survey/own_topology.h \
    decoder/topology/survey/phases.c \
    decoder/topology/survey/phases.h \
    decoder/topology/survey/placement_file.c \
    decoder/topology/survey/placement_lattice.c \
    decoder/topology/survey/rank_order.c \
    decoder/topology/survey/rank_order.h \
    decoder/topology/survey/rank_placement.c \
    decoder/topology/survey/rank_placement.h \
    decoder/topology/survey/recorded_topology.c \
    decoder/topology/survey/recorded_topology.h \
    decoder/topology/survey/separately.c \
    decoder/topology/survey/separately.h \
    decoder/topology/survey/survey.c \
    decoder/topology/survey/survey.h \
    decoder/topology/survey/topology_name.c \
    decoder/topology/survey/topology_name.h \
    decoder/topology/survey/traffic.c \
    decoder/topology/survey/traffic.h
EXTRA_DIST += decoder/topology/survey/README.md
