# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/render/call_argument.c \
    decoder/render/call_argument.h \
    decoder/render/lines.c \
    decoder/render/lines.h \
    decoder/render/render.c \
    decoder/render/render.h \
    decoder/render/render_impl.h \
    decoder/render/render_json.c \
    decoder/render/render_value.c
EXTRA_DIST += decoder/render/README.md
