# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/model/construct_path.c \
    decoder/model/construct_path.h \
    decoder/model/model.c \
    decoder/model/model.h \
    decoder/model/model_arena.c \
    decoder/model/model_arena.h \
    decoder/model/model_channels.c \
    decoder/model/model_channels.h \
    decoder/model/model_circles.c \
    decoder/model/model_coalesce.c \
    decoder/model/model_cut.c \
    decoder/model/model_flows.c \
    decoder/model/model_impl.h \
    decoder/model/model_input.c \
    decoder/model/model_json.c \
    decoder/model/model_layout.c \
    decoder/model/model_layout.h \
    decoder/model/model_lines.c \
    decoder/model/model_lines.h \
    decoder/model/model_links.c \
    decoder/model/model_order.c \
    decoder/model/model_ready.c \
    decoder/model/model_ready.h \
    decoder/model/model_regularize.c \
    decoder/model/model_schedule.c \
    decoder/model/model_schedule_impl.h \
    decoder/model/model_scope.c \
    decoder/model/model_sets.c \
    decoder/model/model_sets.h \
    decoder/model/model_svg.c \
    decoder/model/model_svg.h \
    decoder/model/model_text.c \
    decoder/model/model_text.h \
    decoder/model/system.c \
    decoder/model/system.h \
    decoder/model/system_count.c \
    decoder/model/system_count.h
EXTRA_DIST += decoder/model/README.md
