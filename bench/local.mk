# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += \
    bench/RESULTS.md bench/ablation.sh bench/bench.sh bench/call_cost.c bench/call_cost.sh bench/common.sh bench/crowd.c bench/crowd.sh \
    bench/decode_rate.c bench/decode_rate.sh bench/dimemas.sh bench/eztrace.py bench/eztrace.sh bench/finalize.c bench/finalize.sh bench/irregular.c \
    bench/irregular.sh bench/loglog.awk bench/loops.sh bench/matrix.sh bench/merge_scale.sh bench/merge_scale_size.svg \
    bench/merge_scale_time.svg bench/npb.sh bench/npb_sizes.sh bench/page.py bench/pattern_cost.sh bench/peak.c bench/peers.tsv \
    bench/real_programs.sh bench/removal.c bench/removal.sh bench/soak.c bench/soak.sh bench/stencil_sizes.sh bench/time_coders.sh bench/time_cost.sh bench/time_sizes.sh \
    bench/topologies.sh bench/waits_rate.c bench/waits_rate.sh bench/whole_programs.sh

# All that is measured, but the soak: bench/bench.sh.
if HAVE_MPI
bench: all
	$(TESTS_ENVIRONMENT) BENCH='$(BENCH)' $(srcdir)/bench/bench.sh
endif
phony += bench

# An hour and more; make soak N=1000000 for a look.
if HAVE_MPI
soak: all
	$(TESTS_ENVIRONMENT) N='$(N)' PARTS='$(PARTS)' $(srcdir)/bench/soak.sh
endif
phony += soak

# Up to a million ranks; make merge-scale MERGE_SCALE='-r 1024,4096' for a look.
EXTRA_PROGRAMS += bench/merge_scale
bench_merge_scale_SOURCES = \
    bench/merge_scale.c \
    tests/unit/support/synthetic.c \
    tests/unit/support/synthetic.h \
    tests/unit/support/synthetic_calls.c \
    tests/unit/support/synthetic_calls.h \
    tests/unit/support/synthetic_programs.c
bench_merge_scale_LDADD = $(CORE_LIBS)
merge-scale: bench/merge_scale
	srcdir='$(srcdir)' $(srcdir)/bench/merge_scale.sh $(MERGE_SCALE)
phony += merge-scale
CLEANFILES += bench/merge_scale merge-scale/table.md merge-scale/time.svg merge-scale/size.svg

# Traces of many ranks, for bench/loops.sh.
EXTRA_PROGRAMS += bench/model_scale
bench_model_scale_SOURCES = bench/model_scale.c
bench_model_scale_LDADD = $(CORE_LIBS)
CLEANFILES += bench/model_scale

# Other ways to code times, for bench/time_coders.sh.
EXTRA_PROGRAMS += bench/time_coders
bench_time_coders_SOURCES = bench/time_coders.c
bench_time_coders_LDADD = $(DECODER_LIBS)
CLEANFILES += bench/time_coders

# What each pass of the codec saves, for bench/ablation.sh: the linker leaves them out one by one.
EXTRA_PROGRAMS += bench/ablation
bench_ablation_SOURCES = bench/ablation.c
bench_ablation_LDADD = $(DECODER_LIBS)
bench_ablation_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=torus_permutations_find -Wl,--wrap=global_lists_find \
    -Wl,--wrap=prefix_sums_find -Wl,--wrap=transposed_counts_find
CLEANFILES += bench/ablation

# A trace as input of Dimemas, for bench/dimemas.sh.
EXTRA_PROGRAMS += bench/dimemas
bench_dimemas_SOURCES = bench/dimemas.c
bench_dimemas_LDADD = $(DECODER_LIBS)
CLEANFILES += bench/dimemas

# The search for waiting without one of its metrics, for bench/pattern_cost.sh.
EXTRA_PROGRAMS += bench/pattern_cost
bench_pattern_cost_SOURCES = bench/pattern_cost.c decoder/cli/main.c
bench_pattern_cost_LDADD = $(DECODER_LIBS)
bench_pattern_cost_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=metrics_add_all
CLEANFILES += bench/pattern_cost
