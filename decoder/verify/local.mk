# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/verify/time_check.c \
    decoder/verify/time_check.h \
    decoder/verify/verify_comparison.c \
    decoder/verify/verify_comparison.h \
    decoder/verify/verify_file.c \
    decoder/verify/verify_file.h
EXTRA_DIST += decoder/verify/README.md
