# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/logical/view/annotations.c \
    decoder/logical/view/annotations.h \
    decoder/logical/view/joint_svg.c \
    decoder/logical/view/joint_svg.h \
    decoder/logical/view/joint_text.c \
    decoder/logical/view/joint_text.h \
    decoder/logical/view/logical_json.c \
    decoder/logical/view/logical_text.c \
    decoder/logical/view/logical_text.h \
    decoder/logical/view/logical_walk.c \
    decoder/logical/view/logical_walk.h \
    decoder/logical/view/picture.c \
    decoder/logical/view/picture.h \
    decoder/logical/view/printer.h \
    decoder/logical/view/procedure_names.c \
    decoder/logical/view/statement_text.c \
    decoder/logical/view/statement_text.h
EXTRA_DIST += decoder/logical/view/README.md
