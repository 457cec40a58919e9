# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/logical/joint/components.c \
    decoder/logical/joint/components.h \
    decoder/logical/joint/joint.c \
    decoder/logical/joint/joint.h \
    decoder/logical/joint/joint_group.c \
    decoder/logical/joint/joint_impl.h \
    decoder/logical/joint/joint_nodes.c \
    decoder/logical/joint/joint_visits.c \
    decoder/logical/joint/wave.c \
    decoder/logical/joint/wave.h
EXTRA_DIST += decoder/logical/joint/README.md
