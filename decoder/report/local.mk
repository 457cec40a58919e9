# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/report/costs.c \
    decoder/report/costs.h \
    decoder/report/findings.c \
    decoder/report/findings.h \
    decoder/report/line_pairs.c \
    decoder/report/line_pairs.h \
    decoder/report/report.c \
    decoder/report/report.h \
    decoder/report/report_text.c \
    decoder/report/report_text.h \
    decoder/report/report_words.c \
    decoder/report/report_words.h \
    decoder/report/run_difference.c \
    decoder/report/run_difference.h \
    decoder/report/run_difference_json.c \
    decoder/report/run_difference_models.c \
    decoder/report/run_difference_text.c \
    decoder/report/run_difference_words.c \
    decoder/report/run_model.c \
    decoder/report/run_model.h \
    decoder/report/run_profile.c \
    decoder/report/run_profile.h
EXTRA_DIST += decoder/report/README.md
include decoder/report/page/local.mk
