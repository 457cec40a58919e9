# SPDX-License-Identifier: BSD-3-Clause
src_core_libcore_a_SOURCES += \
    src/core/settings/launched_rank.c \
    src/core/settings/launched_rank.h \
    src/core/settings/variable.c \
    src/core/settings/variable.h
EXTRA_DIST += src/core/settings/README.md
