# SPDX-License-Identifier: BSD-3-Clause
# The tracer: everything that runs inside the user's MPI program.
#
# Rooms in the order of their dependencies. All code goes into one relocatable object in which only
# MPI's names, of C and Fortran, stay visible. So neither librefrain.so nor librefrain.a can collide
# with a name of the program.
# The files that interpose the C library (allocator, mmap, sigaction, _exit) are listed separately: a
# program that has its own versions can be linked without them.
noinst_LIBRARIES += src/libtracer.a
src_libtracer_a_SOURCES = $(tracer_files) $(interposing_files)
interposing_files = src/memory/interpose.c src/memory/interpose_pages.c src/run/interpose_exit.c \
    src/ending/interpose_signal.c
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

# The declarations of this MPI library; gen leaves out procedures without one.
generated/declared: Makefile
	$(AM_V_GEN)$(MKDIR_P) generated && echo '#include <mpi.h>' | $(CC) $(CPPFLAGS) $(MPI_CPPFLAGS) -E -dD - > $@

# The symbols of its Fortran libraries, with which Fortran programs are linked. None without MPIFORT.
generated/fortran: Makefile
	$(AM_V_GEN)$(MKDIR_P) generated && $(srcdir)/src/fortran_symbols.sh "$(MPIFORT)" > $@.new && mv $@.new $@

# The standard's own sources have a folder for each chapter, and lack removed procedures.
generated/stamp: gen/gen generated/declared generated/fortran $(MPI_STD) $(srcdir)/src/user/refrain.tex
	$(AM_V_GEN)gen/gen $(GEN_FLAGS) --declared generated/declared --fortran generated/fortran --out generated \
	    --removed $(srcdir)/mpi-std/removed.tex --own $(srcdir)/src/user/refrain.tex \
	    `find -L $(MPI_STANDARD) -name '*.tex' | LC_ALL=C sort` && touch $@

$(GENERATED): generated/stamp

# Flags of ld: the tracer allocates through src/memory/emergency.c, and maps its pages through
# src/memory/interpose_pages.c.
EMERGENCY_HEAP = --wrap=malloc --wrap=calloc --wrap=realloc --wrap=free --wrap=strdup --wrap=strndup --wrap=qsort
EMERGENCY = $(EMERGENCY_HEAP) --wrap=mmap --wrap=munmap --wrap=sigaction

src/refrain-all.o: src/libtracer.a $(CORE_LIB)
	$(AM_V_CCLD)$(LD) -r $(EMERGENCY) -o $@.new --whole-archive src/libtracer.a --no-whole-archive $(CORE_LIB) && \
	    $(OBJCOPY) --localize-hidden $@.new $@ && rm -f $@.new

# Of a Fortran procedure's names, export only those that programs of this machine use: any other name may
# be a function of the application, which a preloaded tracer would replace.
LOCALIZE = NM='$(NM)' $(srcdir)/src/fortran_names.sh src/refrain-all.o
src/refrain.o: src/refrain-all.o $(srcdir)/src/fortran_names.sh Makefile
	$(AM_V_GEN)$(LOCALIZE) $(FORTRAN_FORM) > $@.local && \
	    $(OBJCOPY) --localize-symbols=$@.local src/refrain-all.o $@ && rm -f $@.local

# The static library hides the symbols of src/ending/fatal.c, since a statically linked MPI library defines
# them, and those of src/ending/interpose_signal.c and src/run/interpose_exit.c, which cannot precede the C
# library there. The symbols of src/memory/interpose.c are weak, so that a statically linked C library's
# count; those with a version are hidden.
STATIC_SYMBOLS = --wildcard --localize-symbol='ompi_*' --localize-symbol='MPIR_*' --localize-symbol='m*@GLIBC*' \
    --localize-symbol=sigaction --localize-symbol=signal --localize-symbol=bsd_signal --localize-symbol=ssignal \
    --localize-symbol=sysv_signal --localize-symbol=__sysv_signal --localize-symbol=sigset \
    --localize-symbol=_exit --localize-symbol=_Exit \
    --weaken-symbol=malloc --weaken-symbol=calloc --weaken-symbol=realloc --weaken-symbol=free \
    --weaken-symbol=reallocarray --weaken-symbol=posix_memalign --weaken-symbol=aligned_alloc \
    --weaken-symbol=memalign --weaken-symbol=valloc --weaken-symbol=pvalloc
src/librefrain.a: src/refrain.o
	$(AM_V_AR)rm -f $@ && $(OBJCOPY) $(STATIC_SYMBOLS) src/refrain.o src/refrain-static.o && \
	    $(AR) crs $@ src/refrain-static.o && rm -f src/refrain-static.o

# The version that src/memory/interpose.c gives to some of its symbols.
src/refrain.map: Makefile
	$(AM_V_GEN)echo '$(MMAP_VERSION) { };' | sed 's/^ .*//' > $@

# All functions of xxhash are inline.
LINK_TRACER = $(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-z,defs $(KEEP_LOADED) $(PACK_RELOCATIONS) \
    -Wl,--version-script=src/refrain.map
TRACER_LIBS = $(ZSTD_LIBS) $(MPI_LIBS) -lm -ldl -lpthread
src/librefrain.so: src/refrain.o src/refrain.map
	$(AM_V_CCLD)$(LINK_TRACER) -Wl,-soname,librefrain.so -o $@ src/refrain.o $(TRACER_LIBS)

# Libraries for programs that use other names of Fortran procedures: librefrain-FORM also exports these,
# librefrain-none none at all. They lack debugging symbols, which librefrain.so has.
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
include src/processes/local.mk
CLEANFILES += src/refrain-all.o src/refrain.o src/refrain.map src/forms.stamp src/librefrain.so \
    src/librefrain.a $(OTHER_TRACERS)

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = src/refrain-$(MPI_NAME).pc
CLEANFILES += src/refrain-$(MPI_NAME).pc

src/refrain-$(MPI_NAME).pc: src/refrain.pc
	$(AM_V_GEN)cp src/refrain.pc $@

EXTRA_DIST += src/README.md src/fortran_names.sh src/fortran_symbols.sh
