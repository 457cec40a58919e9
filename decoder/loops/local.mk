# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/loops/event_file.c \
    decoder/loops/event_file.h \
    decoder/loops/event_lane.c \
    decoder/loops/event_lane.h \
    decoder/loops/event_notes.c \
    decoder/loops/event_notes.h \
    decoder/loops/event_position.c \
    decoder/loops/event_position.h \
    decoder/loops/lift.c \
    decoder/loops/lift.h \
    decoder/loops/lift_impl.h \
    decoder/loops/lift_lanes.c \
    decoder/loops/lift_lanes.h \
    decoder/loops/lift_site.c \
    decoder/loops/lift_site.h \
    decoder/loops/lift_symbol.c \
    decoder/loops/loop_groups.c \
    decoder/loops/loop_groups.h \
    decoder/loops/loop_notes.c \
    decoder/loops/loop_notes.h \
    decoder/loops/loop_text.c \
    decoder/loops/loop_text.h \
    decoder/loops/nlr.c \
    decoder/loops/nlr.h \
    decoder/loops/nlr_build.c \
    decoder/loops/nlr_follow.c \
    decoder/loops/nlr_impl.h \
    decoder/loops/nlr_path.c \
    decoder/loops/nlr_reduce.c
EXTRA_DIST += decoder/loops/README.md
