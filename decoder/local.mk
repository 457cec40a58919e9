# SPDX-License-Identifier: BSD-3-Clause
# The reader and the refrain command: everything that runs afterwards, without MPI. Rooms in the order of their dependencies.
if !TRACER_ONLY
noinst_LIBRARIES += decoder/libdecoder.a decoder/libreader.a
bin_PROGRAMS += decoder/refrain
endif
decoder_libdecoder_a_SOURCES =
decoder_libdecoder_a_CPPFLAGS = $(AM_CPPFLAGS) -DREFRAIN_LIBDIR='"$(libdir)"' $(DW_CFLAGS) $(DEMANGLE_CPPFLAGS) $(OTF2_CFLAGS) $(RSVG_CFLAGS)
DECODER_LIBS = decoder/libdecoder.a $(CORE_LIBS) $(DW_LIBS) $(DEMANGLE_LIBS) $(OTF2_LIBS) -ldl -lpthread
EXTRA_DIST += decoder/README.md
include decoder/util/local.mk
include decoder/trace/local.mk
include decoder/times/local.mk
include decoder/processes/local.mk
include decoder/call/local.mk
include decoder/render/local.mk
include decoder/verify/local.mk
include decoder/region/local.mk
include decoder/stat/local.mk
include decoder/match/local.mk
include decoder/match/stream/local.mk
include decoder/event/local.mk
include decoder/loops/local.mk
include decoder/model/local.mk
include decoder/matrix/local.mk
include decoder/topology/local.mk
include decoder/logical/local.mk
include decoder/cube/local.mk
include decoder/waits/local.mk
include decoder/causes/stream/local.mk
include decoder/causes/local.mk
include decoder/causes/reasons/local.mk
include decoder/parts/local.mk
include decoder/scan/local.mk
include decoder/otf2/local.mk
include decoder/chrome/local.mk
include decoder/timeline/local.mk
include decoder/report/local.mk
include decoder/launch/local.mk
include decoder/cli/local.mk
