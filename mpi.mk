# SPDX-License-Identifier: BSD-3-Clause
# One installation for several MPI libraries. The tracer of the first is built here; each of the others has a build directory
# of its own, mpi/NAME, made by configure. Tracers are installed side by side, and lie in the same way in the build tree,
# so that decoder/refrain finds them there, too:
#
#     lib/refrain/openmpi -> ../../src
#     lib/refrain/mpich   -> ../../mpi/mpich/src
all-local: mpi-all links
	$(AM_V_at)$(MKDIR_P) lib/refrain && ln -sfn ../../src lib/refrain/$(MPI_NAME) && \
	    for name in $(MPI_OTHERS); do ln -sfn ../../mpi/$$name/src lib/refrain/$$name || exit 1; done
clean-local: mpi-clean clean-lib
check-local: mpi-check
distclean-local:
	rm -rf lib mpi
install-data-local: mpi-install
uninstall-local: mpi-uninstall

# What does not depend on the MPI library is built here alone, before theirs, which have links to it. Tests that are named
# (make check TESTS=…) are run in this directory only.
mpi-all: $(CORE_LIB)
mpi-check: $(shared_tools)
mpi-all mpi-clean mpi-check mpi-install mpi-uninstall:
	@case "$@ $$MAKEFLAGS" in "mpi-check "*TESTS=*) exit 0 ;; esac; \
	for name in $(MPI_OTHERS); do \
	    echo "== $(@:mpi-%=%) for $$name, in mpi/$$name"; \
	    $(MAKE) -C mpi/$$name $(@:mpi-%=%) || exit 1; \
	done
if TRACER_ONLY
links = decoder/refrain src/core/libcore.a $(shared_tools)
endif
links:
	@for program in $(links); do \
	    $(MKDIR_P) `dirname $$program` && ln -sf "$(abs_top_builddir)/../../$$program" $$program || exit 1; \
	done
clean-lib:
	rm -rf lib $(links)
phony += clean-lib links mpi-all mpi-clean mpi-check mpi-install mpi-uninstall

EXTRA_DIST += mpi.mk
