# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/trace/clock_correction.c \
    decoder/trace/clock_correction.h \
    decoder/trace/cursor.c \
    decoder/trace/cursor.h \
    decoder/trace/definitions.c \
    decoder/trace/definitions.h \
    decoder/trace/endings.c \
    decoder/trace/endings.h \
    decoder/trace/hosts.c \
    decoder/trace/hosts.h \
    decoder/trace/lane_times.c \
    decoder/trace/lane_times.h \
    decoder/trace/names.c \
    decoder/trace/names.h \
    decoder/trace/nesting.c \
    decoder/trace/nesting.h \
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
    decoder/trace/symbol_name.c \
    decoder/trace/symbol_name.h \
    decoder/trace/symbols.c \
    decoder/trace/symbols.h \
    decoder/trace/timed_lane.c \
    decoder/trace/timed_lane.h \
    decoder/trace/times_reach.c \
    decoder/trace/times_reach.h \
    decoder/trace/timestamps.c \
    decoder/trace/timestamps.h
EXTRA_DIST += decoder/trace/README.md
