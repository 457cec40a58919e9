# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/stat/region_sums.c \
    decoder/stat/region_sums.h \
    decoder/stat/run_begin.c \
    decoder/stat/run_begin.h \
    decoder/stat/run_share.c \
    decoder/stat/run_share.h \
    decoder/stat/single_times.c \
    decoder/stat/single_times.h \
    decoder/stat/site_volume.c \
    decoder/stat/site_volume.h \
    decoder/stat/statistics.c \
    decoder/stat/statistics.h
EXTRA_DIST += decoder/stat/README.md
