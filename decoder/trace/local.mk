# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/trace/cursor.c \
    decoder/trace/cursor.h \
    decoder/trace/definitions.c \
    decoder/trace/definitions.h \
    decoder/trace/endings.c \
    decoder/trace/endings.h \
    decoder/trace/hosts.c \
    decoder/trace/hosts.h \
    decoder/trace/names.c \
    decoder/trace/names.h \
    decoder/trace/parts.c \
    decoder/trace/parts.h \
    decoder/trace/ranges.c \
    decoder/trace/ranges.h \
    decoder/trace/reader.c \
    decoder/trace/reader.h \
    decoder/trace/rma_record_counts.c \
    decoder/trace/rma_record_counts.h \
    decoder/trace/row_walk.c \
    decoder/trace/row_walk.h \
    decoder/trace/site.c \
    decoder/trace/site.h \
    decoder/trace/site_callers.c \
    decoder/trace/site_callers.h \
    decoder/trace/skeleton_loops.c \
    decoder/trace/skeleton_loops.h \
    decoder/trace/symbol_name.c \
    decoder/trace/symbol_name.h \
    decoder/trace/symbols.c \
    decoder/trace/symbols.h
EXTRA_DIST += decoder/trace/README.md
