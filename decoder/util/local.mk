# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/util/emitter.c \
    decoder/util/emitter.h \
    decoder/util/heat_colour.c \
    decoder/util/heat_colour.h \
    decoder/util/html_page.c \
    decoder/util/html_page.h \
    decoder/util/image_png.h \
    decoder/util/json.c \
    decoder/util/json.h \
    decoder/util/late_library.c \
    decoder/util/late_library.h \
    decoder/util/line_file.c \
    decoder/util/line_file.h \
    decoder/util/near_word.c \
    decoder/util/near_word.h \
    decoder/util/output.c \
    decoder/util/output.h \
    decoder/util/progress.c \
    decoder/util/progress.h \
    decoder/util/quantile.c \
    decoder/util/quantile.h \
    decoder/util/svg.c \
    decoder/util/svg.h \
    decoder/util/text.c \
    decoder/util/text.h \
    decoder/util/text_table.c \
    decoder/util/text_table.h \
    decoder/util/text_wrap.c \
    decoder/util/text_wrap.h \
    decoder/util/thread_pool.c \
    decoder/util/thread_pool.h \
    decoder/util/time_axis.c \
    decoder/util/time_axis.h
EXTRA_DIST += decoder/util/README.md decoder/util/embed.sh

# Without librsvg a picture is SVG only.
if HAVE_RSVG
decoder_libdecoder_a_SOURCES += decoder/util/image_png.c
EXTRA_DIST += decoder/util/image_png_none.c
else
decoder_libdecoder_a_SOURCES += decoder/util/image_png_none.c
EXTRA_DIST += decoder/util/image_png.c
endif
