# SPDX-License-Identifier: BSD-3-Clause
src_core_libcore_a_SOURCES += \
    src/core/grammar/grammar.c \
    src/core/grammar/grammar.h \
    src/core/grammar/grammar_check.c \
    src/core/grammar/grammar_digram.c \
    src/core/grammar/grammar_follow.c \
    src/core/grammar/grammar_impl.h \
    src/core/grammar/grammar_rules.c \
    src/core/grammar/rules.c \
    src/core/grammar/rules.h \
    src/core/grammar/rules_build.c \
    src/core/grammar/rules_build.h \
    src/core/grammar/rules_cursor.c \
    src/core/grammar/rules_impl.h \
    src/core/grammar/rules_share.c \
    src/core/grammar/rules_shared.c \
    src/core/grammar/rules_shared_code.c \
    src/core/grammar/rules_varying.c
EXTRA_DIST += src/core/grammar/README.md
