# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/scan/occurrences.c \
    decoder/scan/occurrences.h \
    decoder/scan/polynomial.c \
    decoder/scan/polynomial.h \
    decoder/scan/scan.c \
    decoder/scan/scan.h \
    decoder/scan/scan_emit.c \
    decoder/scan/scan_rows.c
EXTRA_DIST += decoder/scan/README.md

# The reader library, for programs that `refrain scan --emit-c` makes: all names but those of refrain_reader.h are local.
decoder_libreader_a_SOURCES = decoder/scan/refrain_reader.c decoder/scan/refrain_reader.h
decoder_libreader_a_CPPFLAGS = $(decoder_libdecoder_a_CPPFLAGS)
decoder/refrain_reader.o: decoder/libreader.a decoder/libdecoder.a src/core/libcore.a
	$(AM_V_CCLD)$(LD) -r -o $@.all --whole-archive decoder/libreader.a --no-whole-archive decoder/libdecoder.a src/core/libcore.a && \
	    $(OBJCOPY) --localize-hidden $@.all $@ && rm -f $@.all
decoder/librefrain-reader.a: decoder/refrain_reader.o
	$(AM_V_AR)rm -f $@ && $(AR) crs $@ decoder/refrain_reader.o
CLEANFILES += decoder/refrain_reader.o decoder/librefrain-reader.a
if !TRACER_ONLY
readerdir = $(libdir)
reader_DATA = decoder/librefrain-reader.a
include_HEADERS = decoder/scan/refrain_reader.h
readerpkgconfigdir = $(libdir)/pkgconfig
readerpkgconfig_DATA = decoder/scan/refrain-reader.pc
endif
