# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/times/clock_correction.c \
    decoder/times/clock_correction.h \
    decoder/times/lane_times.c \
    decoder/times/lane_times.h \
    decoder/times/nesting.c \
    decoder/times/nesting.h \
    decoder/times/time_supply.h \
    decoder/times/timed_lane.c \
    decoder/times/timed_lane.h \
    decoder/times/times_reach.c \
    decoder/times/times_reach.h \
    decoder/times/timestamps.c \
    decoder/times/timestamps.h
EXTRA_DIST += decoder/times/README.md
