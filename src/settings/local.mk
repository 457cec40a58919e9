# SPDX-License-Identifier: BSD-3-Clause
tracer_files += \
    src/settings/config.c \
    src/settings/config.h
EXTRA_DIST += src/settings/README.md
