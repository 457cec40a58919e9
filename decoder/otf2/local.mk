# SPDX-License-Identifier: BSD-3-Clause
# Without libotf2 the command says that it cannot.
otf2_files = \
    decoder/otf2/otf2_archive.c \
    decoder/otf2/otf2_archive.h \
    decoder/otf2/otf2_events.c \
    decoder/otf2/otf2_events.h \
    decoder/otf2/otf2_events_files.c \
    decoder/otf2/otf2_events_impl.h \
    decoder/otf2/otf2_events_windows.c \
    decoder/otf2/otf2_export.c \
    decoder/otf2/otf2_export.h \
    decoder/otf2/otf2_function.c \
    decoder/otf2/otf2_function.h \
    decoder/otf2/otf2_global.c \
    decoder/otf2/otf2_global.h \
    decoder/otf2/otf2_global_comms.c \
    decoder/otf2/otf2_global_impl.h \
    decoder/otf2/otf2_global_objects.c \
    decoder/otf2/otf2_global_system_tree.c \
    decoder/otf2/otf2_objects.c \
    decoder/otf2/otf2_objects.h \
    decoder/otf2/otf2_rank.c \
    decoder/otf2/otf2_rank.h \
    decoder/otf2/otf2_ranks.c \
    decoder/otf2/otf2_ranks.h \
    decoder/otf2/otf2_regions.c \
    decoder/otf2/otf2_regions.h \
    decoder/otf2/otf2_shared.h
EXTRA_DIST += decoder/otf2/README.md
if HAVE_OTF2
decoder_libdecoder_a_SOURCES += $(otf2_files)
EXTRA_DIST += decoder/otf2/otf2_none.c
else
decoder_libdecoder_a_SOURCES += decoder/otf2/otf2_none.c
EXTRA_DIST += $(otf2_files)
endif
