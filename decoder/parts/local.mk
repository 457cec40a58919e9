# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/parts/part_cells.c \
    decoder/parts/part_cells.h \
    decoder/parts/phase_places.c \
    decoder/parts/phase_places.h \
    decoder/parts/phase_rows.c \
    decoder/parts/phase_rows.h \
    decoder/parts/phase_table.c \
    decoder/parts/phase_walk.c \
    decoder/parts/program_parts.c \
    decoder/parts/program_parts.h \
    decoder/parts/region_paths.c \
    decoder/parts/region_paths.h \
    decoder/parts/region_table.c \
    decoder/parts/run_phases.c \
    decoder/parts/run_phases.h
EXTRA_DIST += decoder/parts/README.md
