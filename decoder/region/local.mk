# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/region/declared_topology.c \
    decoder/region/declared_topology.h \
    decoder/region/notes.c \
    decoder/region/notes.h \
    decoder/region/rare_calls.c \
    decoder/region/rare_calls.h \
    decoder/region/region_stack.c \
    decoder/region/region_stack.h \
    decoder/region/region_walk.c \
    decoder/region/region_walk.h
EXTRA_DIST += decoder/region/README.md
