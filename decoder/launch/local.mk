# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/launch/executable.c \
    decoder/launch/executable.h \
    decoder/launch/fortran_names.c \
    decoder/launch/fortran_names.h \
    decoder/launch/launch.c \
    decoder/launch/launch.h \
    decoder/launch/libraries.c \
    decoder/launch/libraries.h \
    decoder/launch/tracers.c \
    decoder/launch/tracers.h
EXTRA_DIST += decoder/launch/README.md
