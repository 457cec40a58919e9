EXTRA_DIST += bench/RESULTS.md bench/call_cost.c bench/call_cost.sh bench/common.sh bench/decode_rate.c \
    bench/decode_rate.sh bench/irregular.c bench/irregular.sh bench/real_programs.sh bench/soak.c \
    bench/soak.sh bench/stencil_sizes.sh bench/yield.c

# An hour and more; make soak N=1000000 for a look.
if HAVE_MPI
soak: all
	$(TESTS_ENVIRONMENT) N='$(N)' PARTS='$(PARTS)' $(srcdir)/bench/soak.sh
endif
phony += soak
