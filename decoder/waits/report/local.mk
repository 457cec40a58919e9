# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/waits/report/call_paths.c \
    decoder/waits/report/call_paths.h \
    decoder/waits/report/cube_topologies.c \
    decoder/waits/report/cube_topologies.h \
    decoder/waits/report/program_places.c \
    decoder/waits/report/program_places.h \
    decoder/waits/report/wait_notices.c \
    decoder/waits/report/wait_notices.h \
    decoder/waits/report/wait_report.c \
    decoder/waits/report/wait_report.h \
    decoder/waits/report/waits.c \
    decoder/waits/report/waits.h \
    decoder/waits/report/waits_by.c \
    decoder/waits/report/waits_by.h \
    decoder/waits/report/waits_cube.c \
    decoder/waits/report/waits_explain.c \
    decoder/waits/report/waits_page.c \
    decoder/waits/report/waits_reason.c \
    decoder/waits/report/waits_svg.c \
    decoder/waits/report/waits_tables.c \
    decoder/waits/report/waits_text.h \
    decoder/waits/report/waits_topology.c \
    decoder/waits/report/waits_topology.h
EXTRA_DIST += decoder/waits/report/README.md
