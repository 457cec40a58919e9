# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/causes/causes_text.c \
    decoder/causes/causes_text.h \
    decoder/causes/critical_path.c \
    decoder/causes/critical_path.h \
    decoder/causes/critical_route.c \
    decoder/causes/critical_route.h \
    decoder/causes/critical_search.c \
    decoder/causes/critical_search.h \
    decoder/causes/critical_text.c \
    decoder/causes/critical_text.h \
    decoder/causes/delay_places.c \
    decoder/causes/delay_places.h \
    decoder/causes/delay_windows.c \
    decoder/causes/delay_windows.h \
    decoder/causes/delays.c \
    decoder/causes/delays.h \
    decoder/causes/delays_text.c \
    decoder/causes/delays_text.h \
    decoder/causes/efficiency.c \
    decoder/causes/efficiency.h \
    decoder/causes/genealogy.c \
    decoder/causes/genealogy.h \
    decoder/causes/part_times.c \
    decoder/causes/part_times.h \
    decoder/causes/notices.c \
    decoder/causes/notices.h \
    decoder/causes/preceding.c \
    decoder/causes/preceding.h \
    decoder/causes/resimulation.c \
    decoder/causes/resimulation.h
EXTRA_DIST += decoder/causes/README.md
