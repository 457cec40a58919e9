# SPDX-License-Identifier: BSD-3-Clause
# Code that tracer and decoder share: compression, merging, the file. It does not include mpi.h. Rooms in
# the order of their dependencies.
src_core_libcore_a_SOURCES =
if TRACER_ONLY
CORE_LIB = ../../src/core/libcore.a
else
noinst_LIBRARIES += src/core/libcore.a
CORE_LIB = src/core/libcore.a
endif
CORE_LIBS = $(CORE_LIB) $(ZSTD_LIBS) $(XXHASH_LIBS) -lm
EXTRA_DIST += src/core/README.md
include src/core/base/local.mk
include src/core/series/local.mk
include src/core/grammar/local.mk
include src/core/time/local.mk
include src/core/trace/local.mk
include src/core/lane/local.mk
include src/core/merge/local.mk
include src/core/passes/local.mk
include src/core/codec/local.mk
include src/core/parts/local.mk
include src/core/settings/local.mk
