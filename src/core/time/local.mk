# SPDX-License-Identifier: BSD-3-Clause
src_core_libcore_a_SOURCES += \
    src/core/time/digit_model.c \
    src/core/time/digit_model.h \
    src/core/time/range_coder.c \
    src/core/time/range_coder.h \
    src/core/time/rank_clock.c \
    src/core/time/rank_clock.h \
    src/core/time/time_code.c \
    src/core/time/time_code.h \
    src/core/time/time_grid.c \
    src/core/time/time_grid.h \
    src/core/time/time_log.c \
    src/core/time/time_log.h \
    src/core/time/time_mode.c \
    src/core/time/time_mode.h \
    src/core/time/time_piece.c \
    src/core/time/time_piece.h \
    src/core/time/time_round.c \
    src/core/time/time_round.h \
    src/core/time/timing.c \
    src/core/time/timing.h
EXTRA_DIST += src/core/time/README.md
