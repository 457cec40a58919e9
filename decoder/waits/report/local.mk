# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/waits/report/call_paths.c \
    decoder/waits/report/call_paths.h \
    decoder/waits/report/wait_report.c \
    decoder/waits/report/wait_report.h \
    decoder/waits/report/waits.c \
    decoder/waits/report/waits.h \
    decoder/waits/report/waits_cube.c \
    decoder/waits/report/waits_explain.c \
    decoder/waits/report/waits_page.c \
    decoder/waits/report/waits_tables.c \
    decoder/waits/report/waits_text.h
EXTRA_DIST += decoder/waits/report/README.md
