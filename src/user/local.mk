# SPDX-License-Identifier: BSD-3-Clause
tracer_files += \
    src/user/interface.c \
    src/user/refrain.h
# What programs include, and what they compile.
userdir = $(includedir)
dist_user_DATA = src/user/refrain.f90 src/user/refrain.h
EXTRA_DIST += src/user/README.md src/user/refrain.tex
