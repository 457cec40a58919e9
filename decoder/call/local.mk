# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/call/call_fields.c \
    decoder/call/call_fields.h \
    decoder/call/call_kind.c \
    decoder/call/call_kind.h \
    decoder/call/failure.c \
    decoder/call/failure.h \
    decoder/call/field.c \
    decoder/call/field.h \
    decoder/call/functions.def \
    decoder/call/groups.c \
    decoder/call/groups.h \
    decoder/call/other_requests.c \
    decoder/call/other_requests.h \
    decoder/call/role.c \
    decoder/call/role.h \
    decoder/call/row_view.c \
    decoder/call/row_view.h \
    decoder/call/volume.c \
    decoder/call/volume.h
EXTRA_DIST += decoder/call/README.md
