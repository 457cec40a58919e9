# SPDX-License-Identifier: BSD-3-Clause
src_core_libcore_a_SOURCES += \
    src/core/trace/annex.c \
    src/core/trace/annex.h \
    src/core/trace/annex_columns.c \
    src/core/trace/annex_columns.h \
    src/core/trace/constant_search.c \
    src/core/trace/constant_search.h \
    src/core/trace/functable.c \
    src/core/trace/functable.h \
    src/core/trace/functable_code.c \
    src/core/trace/lane_walk.c \
    src/core/trace/lane_walk.h \
    src/core/trace/layout.c \
    src/core/trace/rankfn.c \
    src/core/trace/rankfn.h \
    src/core/trace/slot_sums.c \
    src/core/trace/slot_sums.h \
    src/core/trace/stream_walk.c \
    src/core/trace/stream_walk.h \
    src/core/trace/trace.c \
    src/core/trace/trace.h \
    src/core/trace/trace_check.c \
    src/core/trace/trace_check_calls.c \
    src/core/trace/trace_check_calls.h \
    src/core/trace/trace_check_tables.c \
    src/core/trace/trace_check_tables.h \
    src/core/trace/verify_record.c \
    src/core/trace/verify_record.h
EXTRA_DIST += src/core/trace/README.md
