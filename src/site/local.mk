# SPDX-License-Identifier: BSD-3-Clause
tracer_files += \
    src/site/callback.c \
    src/site/callback.h \
    src/site/callpath.c \
    src/site/callpath.h \
    src/site/callsite.c \
    src/site/callsite.h
EXTRA_DIST += src/site/README.md
