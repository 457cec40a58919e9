# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/logical/annotations.c \
    decoder/logical/annotations.h \
    decoder/logical/compass.c \
    decoder/logical/compass.h \
    decoder/logical/components.c \
    decoder/logical/components.h \
    decoder/logical/condition.c \
    decoder/logical/condition.h \
    decoder/logical/fold.c \
    decoder/logical/form.c \
    decoder/logical/formula.c \
    decoder/logical/formula.h \
    decoder/logical/joint.c \
    decoder/logical/joint.h \
    decoder/logical/joint_group.c \
    decoder/logical/joint_impl.h \
    decoder/logical/joint_nodes.c \
    decoder/logical/joint_text.c \
    decoder/logical/joint_text.h \
    decoder/logical/line.c \
    decoder/logical/logical.c \
    decoder/logical/logical.h \
    decoder/logical/logical_impl.h \
    decoder/logical/logical_json.c \
    decoder/logical/logical_text.c \
    decoder/logical/logical_text.h \
    decoder/logical/logical_walk.c \
    decoder/logical/logical_walk.h \
    decoder/logical/meetings.c \
    decoder/logical/meetings.h \
    decoder/logical/merge.c \
    decoder/logical/merge_impl.h \
    decoder/logical/merge_match.c \
    decoder/logical/merge_steps.c \
    decoder/logical/moving.c \
    decoder/logical/moving.h \
    decoder/logical/printer.h \
    decoder/logical/procedure_names.c \
    decoder/logical/procedures.c \
    decoder/logical/statement_text.c \
    decoder/logical/statement_text.h \
    decoder/logical/step.c \
    decoder/logical/wave.c \
    decoder/logical/wave.h
EXTRA_DIST += decoder/logical/README.md
