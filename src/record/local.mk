# SPDX-License-Identifier: BSD-3-Clause
tracer_files += \
    src/record/checkpoint_due.c \
    src/record/checkpoint_due.h \
    src/record/comm.c \
    src/record/comm.h \
    src/record/datatype.c \
    src/record/datatype.h \
    src/record/definition_records.c \
    src/record/definition_records.def \
    src/record/definition_records.h \
    src/record/handle.c \
    src/record/handle.h \
    src/record/handle_constant.c \
    src/record/handle_constant.h \
    src/record/handle_numbers.c \
    src/record/handle_numbers.h \
    src/record/handle_registry.c \
    src/record/handle_registry.h \
    src/record/partial_status.c \
    src/record/partial_status.h \
    src/record/predefined.c \
    src/record/predefined.h \
    src/record/recording.c \
    src/record/recording.h \
    src/record/scratch.c \
    src/record/scratch.h \
    src/record/signal_pending.h \
    src/record/slow_path.h \
    src/record/status_field.c \
    src/record/status_field.h \
    src/record/thread.c \
    src/record/thread.h \
    src/record/thread_order.c \
    src/record/thread_order.h \
    src/record/thread_precedence.c \
    src/record/thread_precedence.h \
    src/record/time_share.c \
    src/record/time_share.h \
    src/record/tracer.h \
    src/record/verify_writer.c \
    src/record/verify_writer.h
EXTRA_DIST += src/record/README.md
