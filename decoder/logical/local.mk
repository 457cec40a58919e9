# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/logical/compass.c \
    decoder/logical/compass.h \
    decoder/logical/condition.c \
    decoder/logical/condition.h \
    decoder/logical/fold.c \
    decoder/logical/form.c \
    decoder/logical/formula.c \
    decoder/logical/formula.h \
    decoder/logical/line.c \
    decoder/logical/line.h \
    decoder/logical/logical.c \
    decoder/logical/logical.h \
    decoder/logical/logical_impl.h \
    decoder/logical/merge.c \
    decoder/logical/merge_impl.h \
    decoder/logical/merge_match.c \
    decoder/logical/merge_steps.c \
    decoder/logical/procedures.c \
    decoder/logical/step.c
EXTRA_DIST += decoder/logical/README.md
include decoder/logical/meetings/local.mk
include decoder/logical/joint/local.mk
include decoder/logical/view/local.mk
