# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/cube/cube.h \
    decoder/cube/cube_data.c \
    decoder/cube/cube_data.h \
    decoder/cube/cube_file.c \
    decoder/cube/cube_sum.c \
    decoder/cube/cube_xml.c \
    decoder/cube/cube_xml.h
EXTRA_DIST += decoder/cube/README.md
