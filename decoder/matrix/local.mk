# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/matrix/group_sends.c \
    decoder/matrix/group_sends.h \
    decoder/matrix/matrix.c \
    decoder/matrix/matrix.h \
    decoder/matrix/matrix_construct.c \
    decoder/matrix/matrix_grid.c \
    decoder/matrix/matrix_grid.h \
    decoder/matrix/matrix_site.c \
    decoder/matrix/matrix_svg.c \
    decoder/matrix/matrix_text.c \
    decoder/matrix/matrix_text.h \
    decoder/matrix/matrix_trace.c
EXTRA_DIST += decoder/matrix/README.md
