# SPDX-License-Identifier: BSD-3-Clause
# The tracer: everything that runs inside the user's MPI program.
#
# Rooms in the order of their dependencies. All of it goes into one relocatable object in which only MPI's names, of C and Fortran, stay visible, so that neither
# librefrain.so nor librefrain.a can collide with a name of the program.
# What stands in front of the C library's names, the allocator's, sigaction's and _exit's, is apart: who has some of their own can do without.
noinst_LIBRARIES += src/libtracer.a
src_libtracer_a_SOURCES = $(tracer_files) $(interposing_files)
interposing_files = src/memory/interpose.c src/memory/interpose_pages.c src/run/interpose_exit.c src/ending/interpose_signal.c
tracer_files =
include src/memory/local.mk
include src/settings/local.mk
include src/clock/local.mk
include src/site/local.mk
include src/record/local.mk
include src/call/local.mk
include src/output/local.mk
include src/part/local.mk
include src/ending/local.mk
include src/run/local.mk
include src/user/local.mk
nodist_src_libtracer_a_SOURCES = generated/table.c generated/constants.c generated/wrap_c.c generated/wrap_f.c
src_libtracer_a_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS) $(MMAP_FLAG)

GENERATED = generated/functions.h generated/table.c generated/constants.c generated/wrap_c.c generated/wrap_f.c
BUILT_SOURCES += generated/stamp
CLEANFILES += $(GENERATED) generated/stamp generated/declared generated/fortran

# What the MPI library at hand declares; gen drops everything else.
generated/declared: Makefile
	$(AM_V_GEN)$(MKDIR_P) generated && echo '#include <mpi.h>' | $(CC) $(CPPFLAGS) $(MPI_CPPFLAGS) -E -dD - > $@

# What its Fortran libraries export: all that a Fortran program is linked with. None without MPIFORT.
generated/fortran: Makefile
	$(AM_V_GEN)$(MKDIR_P) generated && $(srcdir)/src/fortran_symbols.sh "$(MPIFORT)" > $@.new && mv $@.new $@

# The standard's own sources have a folder for each chapter, and lack what was removed from it.
generated/stamp: gen/gen generated/declared generated/fortran $(MPI_STD) $(srcdir)/src/user/refrain.tex
	$(AM_V_GEN)gen/gen $(GEN_FLAGS) --declared generated/declared --fortran generated/fortran --out generated \
	    --removed $(srcdir)/mpi-std/removed.tex --own $(srcdir)/src/user/refrain.tex \
	    `find -L $(MPI_STANDARD) -name '*.tex' | LC_ALL=C sort` && touch $@

$(GENERATED): generated/stamp

# What the tracer allocates goes through src/memory/emergency.c, its pages come from src/memory/interpose_pages.c. Flags of ld.
EMERGENCY_HEAP = --wrap=malloc --wrap=calloc --wrap=realloc --wrap=free --wrap=strdup --wrap=strndup --wrap=qsort
EMERGENCY = $(EMERGENCY_HEAP) --wrap=mmap --wrap=munmap --wrap=sigaction

src/refrain-all.o: src/libtracer.a $(CORE_LIB)
	$(AM_V_CCLD)$(LD) -r $(EMERGENCY) -o $@.new --whole-archive src/libtracer.a --no-whole-archive $(CORE_LIB) && \
	    $(OBJCOPY) --localize-hidden $@.new $@ && rm -f $@.new

# Of the names that Fortran has for a procedure, only those that programs of this machine use: each other one may be a
# function of the application's own. A tracer that is preloaded would take its place.
LOCALIZE = NM='$(NM)' $(srcdir)/src/fortran_names.sh src/refrain-all.o
src/refrain.o: src/refrain-all.o $(srcdir)/src/fortran_names.sh Makefile
	$(AM_V_GEN)$(LOCALIZE) $(FORTRAN_FORM) > $@.local && \
	    $(OBJCOPY) --localize-symbols=$@.local src/refrain-all.o $@ && rm -f $@.local

# Without the symbols of src/run/fatal.c: an MPI library that is linked statically has them itself; nor those of
# src/ending/interpose_signal.c and interpose_exit.c, which cannot be in front of the C library there. Those of src/memory/interpose.c give
# way to a C library's that is linked statically, or are left out where they have a version.
STATIC_SYMBOLS = --wildcard --localize-symbol='ompi_*' --localize-symbol='MPIR_*' --localize-symbol='m*@GLIBC*' \
    --localize-symbol=sigaction --localize-symbol=signal --localize-symbol=bsd_signal --localize-symbol=ssignal \
    --localize-symbol=sysv_signal --localize-symbol=__sysv_signal --localize-symbol=sigset --localize-symbol=_exit --localize-symbol=_Exit \
    --weaken-symbol=malloc --weaken-symbol=calloc --weaken-symbol=realloc --weaken-symbol=free --weaken-symbol=reallocarray \
    --weaken-symbol=posix_memalign --weaken-symbol=aligned_alloc --weaken-symbol=memalign --weaken-symbol=valloc \
    --weaken-symbol=pvalloc
src/librefrain.a: src/refrain.o
	$(AM_V_AR)rm -f $@ && $(OBJCOPY) $(STATIC_SYMBOLS) src/refrain.o src/refrain-static.o && $(AR) crs $@ src/refrain-static.o && \
	    rm -f src/refrain-static.o

# The version that src/memory/interpose.c gives to some of its symbols.
src/refrain.map: Makefile
	$(AM_V_GEN)echo '$(MMAP_VERSION) { };' | sed 's/^ .*//' > $@

# All functions of xxhash are inline.
LINK_TRACER = $(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-z,defs $(KEEP_LOADED) $(PACK_RELOCATIONS) -Wl,--version-script=src/refrain.map
TRACER_LIBS = $(ZSTD_LIBS) $(MPI_LIBS) -lm -ldl -lpthread
src/librefrain.so: src/refrain.o src/refrain.map
	$(AM_V_CCLD)$(LINK_TRACER) -Wl,-soname,librefrain.so -o $@ src/refrain.o $(TRACER_LIBS)

# For programs that call Fortran's procedures by other names: librefrain-FORM exports those as well; librefrain-none has none at
# all. Without symbols for the debugger, since librefrain.so has them.
src/forms.stamp: src/refrain-all.o src/refrain.map $(srcdir)/src/fortran_names.sh Makefile
	$(AM_V_GEN)object=src/refrain-form.o; for form in $(OTHER_FORMS); do \
	    library=src/librefrain-$$form; \
	    $(LOCALIZE) $(FORTRAN_FORM) $$form > $$object.local && \
	    $(OBJCOPY) -g --localize-symbols=$$object.local src/refrain-all.o $$object && \
	    $(LINK_TRACER) -s -Wl,-soname,librefrain-$$form.so -o $$library.so $$object $(TRACER_LIBS) && \
	    $(OBJCOPY) $(STATIC_SYMBOLS) $$object && rm -f $$library.a && $(AR) crs $$library.a $$object || exit 1; \
	done; rm -f $$object $$object.local && touch $@
$(OTHER_TRACERS): src/forms.stamp

# One folder for each MPI library: several tracers make one installation (mpi.mk).
tracerdir = $(libdir)/refrain/$(MPI_NAME)
tracer_DATA = src/librefrain.so src/librefrain.a $(OTHER_TRACERS)
CLEANFILES += src/refrain-all.o src/refrain.o src/refrain.map src/forms.stamp src/librefrain.so src/librefrain.a $(OTHER_TRACERS)

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = src/refrain-$(MPI_NAME).pc
CLEANFILES += src/refrain-$(MPI_NAME).pc

src/refrain-$(MPI_NAME).pc: src/refrain.pc
	$(AM_V_GEN)cp src/refrain.pc $@

EXTRA_DIST += src/README.md src/fortran_names.sh src/fortran_symbols.sh
