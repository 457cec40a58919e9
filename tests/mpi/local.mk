# SPDX-License-Identifier: BSD-3-Clause
# MPI programs that know their trace: each is a test, which run.sh runs. A line here is all that lists it; on how many ranks it is run
# says a line of its own, `ranks: 1 2 4`.
mpi_programs = \
    tests/mpi/attributes \
    tests/mpi/callbacks \
    tests/mpi/cartesian \
    tests/mpi/cells \
    tests/mpi/collectives \
    tests/mpi/collectives_nonblocking \
    tests/mpi/collectives_persistent \
    tests/mpi/communicators \
    tests/mpi/corners \
    tests/mpi/datatypes \
    tests/mpi/deprecated \
    tests/mpi/displacements \
    tests/mpi/environment \
    tests/mpi/errhandler \
    tests/mpi/files \
    tests/mpi/files_access \
    tests/mpi/files_settings \
    tests/mpi/generalized \
    tests/mpi/graph \
    tests/mpi/groups \
    tests/mpi/handles \
    tests/mpi/info \
    tests/mpi/irregular \
    tests/mpi/jump \
    tests/mpi/lives \
    tests/mpi/long_traces \
    tests/mpi/loops \
    tests/mpi/matched_probe \
    tests/mpi/memory \
    tests/mpi/memory_threads \
    tests/mpi/mpi4 \
    tests/mpi/neighbor \
    tests/mpi/noise \
    tests/mpi/offsets \
    tests/mpi/one_sided \
    tests/mpi/pcontrol \
    tests/mpi/persistent \
    tests/mpi/ports \
    tests/mpi/processes \
    tests/mpi/pt2pt_blocking \
    tests/mpi/pt2pt_nonblocking \
    tests/mpi/regions \
    tests/mpi/regions_threads \
    tests/mpi/session_queries \
    tests/mpi/sessions \
    tests/mpi/sessions_only \
    tests/mpi/surroundings \
    tests/mpi/threads \
    tests/mpi/threads_end \
    tests/mpi/threads_free \
    tests/mpi/threads_reuse \
    tests/mpi/tools \
    tests/mpi/tools_events \
    tests/mpi/windows
# Debian's MPICH is built on UCX, where 4.0 has no ports.
mpi_programs_not_mpich = tests/mpi/connections
# It is linked with the library of Fortran.
mpi_programs_f08 = tests/mpi/status_f08
# Once more, as NAME.large, by their large-count forms: `large: 3` in the program.
mpi_large_programs = \
    tests/mpi/collectives.large \
    tests/mpi/collectives_nonblocking.large \
    tests/mpi/collectives_persistent.large \
    tests/mpi/datatypes.large \
    tests/mpi/files_access.large \
    tests/mpi/files_settings.large \
    tests/mpi/generalized.large \
    tests/mpi/matched_probe.large \
    tests/mpi/mpi4.large \
    tests/mpi/neighbor.large \
    tests/mpi/one_sided.large \
    tests/mpi/persistent.large \
    tests/mpi/pt2pt_blocking.large \
    tests/mpi/pt2pt_nonblocking.large \
    tests/mpi/windows.large
# Through each binding, as NAME.mpif_h, NAME.mpi, NAME.f08 and NAME.f08_large.
mpi_fortran_programs = \
    tests/mpi/fortran_attributes \
    tests/mpi/fortran_callbacks \
    tests/mpi/fortran_collectives \
    tests/mpi/fortran_communicators \
    tests/mpi/fortran_datatypes \
    tests/mpi/fortran_environment \
    tests/mpi/fortran_files \
    tests/mpi/fortran_inner \
    tests/mpi/fortran_late \
    tests/mpi/fortran_memory \
    tests/mpi/fortran_messages \
    tests/mpi/fortran_one_sided \
    tests/mpi/fortran_processes \
    tests/mpi/fortran_topology
mpi_mpif_h_tests = $(mpi_fortran_programs:=.mpif_h)
mpi_mpi_tests = $(mpi_fortran_programs:=.mpi)
mpi_f08_tests = $(mpi_fortran_programs:=.f08)
mpi_f08_large_tests = $(mpi_fortran_programs:=.f08_large)
# All that the MPI library at hand has: what is left out here is no test.
mpi_tests = $(mpi_programs)
if !MPI_IS_MPICH
mpi_tests += $(mpi_programs_not_mpich)
endif
if HAVE_MPI_LARGE
mpi_tests += $(mpi_large_programs)
endif
if HAVE_MPIFORT
mpi_tests += $(mpi_programs_f08) $(mpi_mpif_h_tests) $(mpi_mpi_tests) $(mpi_f08_tests)
if HAVE_MPI_LARGE
mpi_tests += $(mpi_f08_large_tests)
endif
endif

mpi_scripts = \
    tests/mpi/bindings.sh \
    tests/mpi/callsites.sh \
    tests/mpi/clocks.sh \
    tests/mpi/coverage.sh \
    tests/mpi/defined_elsewhere.sh \
    tests/mpi/forms.sh \
    tests/mpi/heap.sh \
    tests/mpi/init_time.sh \
    tests/mpi/linked.sh \
    tests/mpi/matching.sh \
    tests/mpi/memory_symbols.sh \
    tests/mpi/model.sh \
    tests/mpi/names.sh \
    tests/mpi/places.sh \
    tests/mpi/recording.sh \
    tests/mpi/statuses.sh \
    tests/mpi/times.sh \
    tests/mpi/topology.sh \
    tests/mpi/tutorial.sh \
    tests/mpi/unchanged.sh \
    tests/mpi/volumes.sh \
    tests/mpi/words.sh \
    tests/mpi/worlds.sh
mpi_command_scripts = \
    tests/mpi/report.sh \
    tests/mpi/requests.sh \
    tests/mpi/scan.sh \
    tests/mpi/several.sh
if HAVE_MPI
TESTS += $(mpi_scripts) $(mpi_tests)
if !TRACER_ONLY
TESTS += $(mpi_command_scripts)
endif
endif

# ---- the programs
#
# Not optimised: a handle's number depends on its call site, and the compiler may duplicate or join calls. The mpi.h of both libraries
# declares MPI_STATUSES_IGNORE and MPI_UNWEIGHTED so that gcc takes them for arrays without elements. What is deprecated is traced, too.
mpi_compile = $(AM_V_CCLD)$(MKDIR_P) $(@D) && $(MPICC) -std=c11 -D_GNU_SOURCE -O0 -g -Wall -Wextra -Werror -Wno-stringop-overflow \
    -Wno-stringop-overread -Wno-deprecated-declarations -I$(srcdir)/src/user -o $@
tests/mpi/regions tests/mpi/regions_threads: src/user/refrain.h
tests/mpi/expect.o: tests/mpi/expect.c tests/mpi/expect.h
	$(mpi_compile) -c $(srcdir)/tests/mpi/expect.c
$(mpi_programs) $(mpi_programs_not_mpich): %: %.c tests/mpi/expect.h tests/mpi/expect.o
	$(mpi_compile) $< tests/mpi/expect.o
# It calls procedures of C that MPICH has in its Fortran library.
$(mpi_programs_f08): %: %.c tests/mpi/expect.h tests/mpi/expect.o
	$(mpi_compile) $< tests/mpi/expect.o -Wl,--no-as-needed `$(MPIFORT) -show | tr ' ' '\n' | grep '^-l'`

tests/mpi/large.h: tests/mpi/large_header.sh generated/declared
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(srcdir)/tests/mpi/large_header.sh generated/declared >$@
tests/mpi/expect_large.o: tests/mpi/expect.c tests/mpi/expect.h tests/mpi/large.h
	$(mpi_compile) -include tests/mpi/large.h -c $(srcdir)/tests/mpi/expect.c
$(mpi_large_programs): %.large: %.c tests/mpi/expect.h tests/mpi/expect_large.o
	$(mpi_compile) -include tests/mpi/large.h $< tests/mpi/expect_large.o

# fortran_files.f08: that program through that binding (fortran_binding.inc), whose modules lie in tests/mpi/modules/f08; those of a
# program in a folder of its own. Without mpif.h declaring parameters, gfortran would warn of each buffer that has not the type of the first one.
mpi_modules = \
    tests/mpi/modules/mpif_h/binding.o \
    tests/mpi/modules/mpi/binding.o \
    tests/mpi/modules/f08/binding.o \
    tests/mpi/modules/f08_large/binding.o
mpi_fortran_compile = $(MPIFORT) -I$(srcdir)/tests/mpi -O0 -g -w -fallow-argument-mismatch -fcray-pointer -ffree-line-length-none -DMPI_$(MPI_NAME)
mpi_fortran_link = $(AM_V_CCLD)binding=`echo $@ | sed 's/.*\.//'` && $(MKDIR_P) $@.modules && \
    $(mpi_fortran_compile) -DBINDING_`echo $$binding | tr a-z A-Z` -Itests/mpi/modules/$$binding -J$@.modules -o $@ $< tests/mpi/modules/$$binding/*.o
$(mpi_modules): tests/mpi/expect_f.f90 tests/mpi/fortran_binding.F90 tests/mpi/fortran_binding.inc
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && compile="$(mpi_fortran_compile) -J$(@D) -DBINDING_`basename $(@D) | tr a-z A-Z`" && \
	    $$compile -c -o $(@D)/expect_f.o $(srcdir)/tests/mpi/expect_f.f90 && $$compile -c -o $@ $(srcdir)/tests/mpi/fortran_binding.F90
$(mpi_mpif_h_tests): %.mpif_h: %.F90 tests/mpi/modules/mpif_h/binding.o
	$(mpi_fortran_link)
$(mpi_mpi_tests): %.mpi: %.F90 tests/mpi/modules/mpi/binding.o
	$(mpi_fortran_link)
$(mpi_f08_tests): %.f08: %.F90 tests/mpi/modules/f08/binding.o
	$(mpi_fortran_link)
$(mpi_f08_large_tests): %.f08_large: %.F90 tests/mpi/modules/f08_large/binding.o
	$(mpi_fortran_link)

shared_tools += tests/mpi/longest_gap
tests_mpi_longest_gap_SOURCES = tests/mpi/longest_gap.c
tests_mpi_longest_gap_LDADD = $(DECODER_LIBS)

# ---- what scripts need that is made by tests
tests/mpi/callsites.log: tests/mpi/irregular
tests/mpi/coverage.log: $(mpi_tests:=.log)

if HAVE_MPI
# The table of which test covers which procedure, as Markdown.
coverage: all
	@[ -d tests/mpi/covered ] || $(MAKE) check TESTS='$(mpi_tests)' >&2
	@$(TESTS_ENVIRONMENT) $(srcdir)/tests/mpi/coverage.sh --markdown

# The table of Fortran's names by MPI library and mangling.
fortran-names: all
	@$(TESTS_ENVIRONMENT) $(srcdir)/tests/mpi/forms.sh --markdown

CLEANFILES += $(mpi_tests) tests/mpi/coverage.tsv tests/mpi/expect.o tests/mpi/expect_large.o tests/mpi/large.h
clean-local: clean-mpi-tests
clean-mpi-tests:
	rm -rf tests/mpi/covered tests/mpi/modules tests/mpi/*.modules
phony += coverage fortran-names clean-mpi-tests
endif

EXTRA_DIST += $(mpi_scripts) $(mpi_command_scripts) \
    $(mpi_programs:=.c) $(mpi_programs_not_mpich:=.c) $(mpi_programs_f08:=.c) $(mpi_fortran_programs:=.F90) \
    tests/mpi/attached.c \
    tests/mpi/bindings.cc \
    tests/mpi/callsites.c \
    tests/mpi/callsites.h \
    tests/mpi/callsites_library.c \
    tests/mpi/callsites_method.c \
    tests/mpi/channels.c \
    tests/mpi/clocks.c \
    tests/mpi/coverage_exceptions.list \
    tests/mpi/coverage_exceptions_fortran.list \
    tests/mpi/epochs.c \
    tests/mpi/expect.c \
    tests/mpi/expect.h \
    tests/mpi/expect_f.f90 \
    tests/mpi/fortran_binding.F90 \
    tests/mpi/fortran_binding.inc \
    tests/mpi/fortran_collectives.inc \
    tests/mpi/gives_up.c \
    tests/mpi/heap.c \
    tests/mpi/heap_blocks.c \
    tests/mpi/init_time.c \
    tests/mpi/large_header.sh \
    tests/mpi/matching.c \
    tests/mpi/matching_executor.c \
    tests/mpi/matching_jumps.c \
    tests/mpi/matching_threads.c \
    tests/mpi/other_clock.c \
    tests/mpi/probes.c \
    tests/mpi/recording.c \
    tests/mpi/requests.c \
    tests/mpi/run.sh \
    tests/mpi/scan_nest.c \
    tests/mpi/slow_set_up.c \
    tests/mpi/spawn.c \
    tests/mpi/statuses.c \
    tests/mpi/statuses_exceptions.list \
    tests/mpi/statuses_f.F90 \
    tests/mpi/times.c \
    tests/mpi/unchanged.c \
    tests/mpi/volumes.c \
    tests/mpi/words.c \
    tests/mpi/words_alone.c \
    tests/mpi/words_f.F90 \
    tests/mpi/words_long.F90
