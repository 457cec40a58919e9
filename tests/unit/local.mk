# SPDX-License-Identifier: BSD-3-Clause
# Unit tests, with Criterion. The folders are those of what is tested; support/ is shared by them, and by other tests.
if HAVE_CRITERION
check_PROGRAMS += tests/unit/unit
TESTS += tests/unit/run.sh
endif
tests_unit_unit_SOURCES = \
    src/clock/clock.c \
    src/clock/clock.h \
    src/clock/clock_pairs.c \
    src/clock/clock_pairs.h \
    src/memory/block_heap.c \
    src/memory/block_heap.h \
    src/memory/merge_heap.c \
    src/memory/merge_heap.h \
    src/memory/tracer_heap.c \
    src/memory/tracer_heap.h \
    tests/unit/core/base/test_bisect.c \
    tests/unit/core/base/test_blocks.c \
    tests/unit/core/base/test_bytes.c \
    tests/unit/core/base/test_file_content.c \
    tests/unit/core/base/test_gcd.c \
    tests/unit/core/base/test_id_allocator.c \
    tests/unit/core/base/test_intervals.c \
    tests/unit/core/base/test_log_levels.c \
    tests/unit/core/base/test_map.c \
    tests/unit/core/base/test_order.c \
    tests/unit/core/base/test_repetition.c \
    tests/unit/core/base/test_replace.c \
    tests/unit/core/codec/test_codec.c \
    tests/unit/core/codec/test_format.c \
    tests/unit/core/codec/test_times.c \
    tests/unit/core/codec/test_worlds.c \
    tests/unit/core/grammar/test_grammar.c \
    tests/unit/core/grammar/test_rules.c \
    tests/unit/core/lane/test_lane.c \
    tests/unit/core/lane/test_site_sums.c \
    tests/unit/core/lane/test_skeleton.c \
    tests/unit/core/merge/test_merge.c \
    tests/unit/core/merge/test_merge_known.c \
    tests/unit/core/parts/test_assemble.c \
    tests/unit/core/passes/test_codec_row.c \
    tests/unit/core/passes/test_global_lists.c \
    tests/unit/core/passes/test_permuted_lists.c \
    tests/unit/core/passes/test_prefix_sums.c \
    tests/unit/core/passes/test_torus_permutation.c \
    tests/unit/core/passes/test_transposed_counts.c \
    tests/unit/core/series/test_bitplane_code.c \
    tests/unit/core/series/test_series.c \
    tests/unit/core/series/test_series_ranks.c \
    tests/unit/core/series/test_series_seek.c \
    tests/unit/core/settings/test_launched_rank.c \
    tests/unit/core/settings/test_variable.c \
    tests/unit/core/time/test_digit_model.c \
    tests/unit/core/time/test_rank_clock.c \
    tests/unit/core/time/test_time_log.c \
    tests/unit/core/time/test_time_mode.c \
    tests/unit/core/time/test_timing.c \
    tests/unit/core/trace/test_annex.c \
    tests/unit/core/trace/test_annex_columns.c \
    tests/unit/core/trace/test_constant_search.c \
    tests/unit/core/trace/test_functable.c \
    tests/unit/core/trace/test_layout.c \
    tests/unit/core/trace/test_rankfn.c \
    tests/unit/core/trace/test_slot_sums.c \
    tests/unit/core/trace/test_trace.c \
    tests/unit/core/trace/test_verify_record.c \
    tests/unit/decoder/call/test_role.c \
    tests/unit/decoder/call/test_row_view.c \
    tests/unit/decoder/causes/critical_run.c \
    tests/unit/decoder/causes/critical_run.h \
    tests/unit/decoder/causes/test_causal_log.c \
    tests/unit/decoder/causes/test_causal_stream.c \
    tests/unit/decoder/causes/test_critical_path.c \
    tests/unit/decoder/causes/test_critical_random.c \
    tests/unit/decoder/causes/test_delay_reason.c \
    tests/unit/decoder/causes/test_delay_windows.c \
    tests/unit/decoder/causes/test_genealogy.c \
    tests/unit/decoder/causes/test_late_progress.c \
    tests/unit/decoder/causes/test_main_reasons.c \
    tests/unit/decoder/causes/test_page_ranks.c \
    tests/unit/decoder/causes/test_part_times.c \
    tests/unit/decoder/causes/test_preceding.c \
    tests/unit/decoder/causes/test_regular.c \
    tests/unit/decoder/causes/test_resimulation.c \
    tests/unit/decoder/causes/test_spans.c \
    tests/unit/decoder/chrome/test_chrome_messages.c \
    tests/unit/decoder/cube/test_cube.c \
    tests/unit/decoder/cube/test_cube_sum.c \
    tests/unit/decoder/logical/logical_program.c \
    tests/unit/decoder/logical/logical_program.h \
    tests/unit/decoder/logical/test_components.c \
    tests/unit/decoder/logical/test_joint.c \
    tests/unit/decoder/logical/test_logical.c \
    tests/unit/decoder/logical/test_logical_random.c \
    tests/unit/decoder/loops/test_lift.c \
    tests/unit/decoder/loops/test_nlr.c \
    tests/unit/decoder/match/heard.h \
    tests/unit/decoder/match/stream/test_call_stream.c \
    tests/unit/decoder/match/test_logical_clock.c \
    tests/unit/decoder/match/test_matching.c \
    tests/unit/decoder/match/test_matching_collectives.c \
    tests/unit/decoder/match/stream/test_rma_record_counting.c \
    tests/unit/decoder/match/test_rounds.c \
    tests/unit/decoder/match/stream/test_windows_files.c \
    tests/unit/decoder/matrix/test_matrix.c \
    tests/unit/decoder/model/test_construct_path.c \
    tests/unit/decoder/model/test_model.c \
    tests/unit/decoder/model/test_model_arena.c \
    tests/unit/decoder/model/test_model_layout.c \
    tests/unit/decoder/model/test_model_lines.c \
    tests/unit/decoder/model/test_model_random.c \
    tests/unit/decoder/model/test_model_threads.c \
    tests/unit/decoder/parts/test_program_parts.c \
    tests/unit/decoder/parts/test_run_phases.c \
    tests/unit/decoder/processes/test_process_launch.c \
    tests/unit/decoder/processes/test_process_message.c \
    tests/unit/decoder/region/test_region_stack.c \
    tests/unit/decoder/region/test_words.c \
    tests/unit/decoder/render/test_lines.c \
    tests/unit/decoder/report/test_costs.c \
    tests/unit/decoder/report/test_line_pairs.c \
    tests/unit/decoder/report/test_run_difference.c \
    tests/unit/decoder/scan/test_polynomial.c \
    tests/unit/decoder/scan/test_scan.c \
    tests/unit/decoder/stat/test_region_sums.c \
    tests/unit/decoder/stat/test_run_begin.c \
    tests/unit/decoder/stat/test_site_volume.c \
    tests/unit/decoder/stat/test_statistics.c \
    tests/unit/decoder/timeline/test_bins.c \
    tests/unit/decoder/timeline/test_timeline.c \
    tests/unit/decoder/times/test_clock_correction.c \
    tests/unit/decoder/times/test_lane_times.c \
    tests/unit/decoder/times/test_nesting.c \
    tests/unit/decoder/times/test_timestamps.c \
    tests/unit/decoder/topology/identify/test_identify.c \
    tests/unit/decoder/topology/identify/test_pattern.c \
    tests/unit/decoder/topology/survey/test_layers.c \
    tests/unit/decoder/topology/survey/test_survey.c \
    tests/unit/decoder/trace/test_endings.c \
    tests/unit/decoder/trace/test_symbol_name.c \
    tests/unit/decoder/trace/test_site_callers.c \
    tests/unit/decoder/trace/test_symbols.c \
    tests/unit/decoder/util/test_emitter.c \
    tests/unit/decoder/util/test_html_page.c \
    tests/unit/decoder/util/test_near_word.c \
    tests/unit/decoder/util/test_quantile.c \
    tests/unit/decoder/util/test_shell_word.c \
    tests/unit/decoder/util/test_svg.c \
    tests/unit/decoder/util/test_text_wrap.c \
    tests/unit/decoder/util/test_thread_pool.c \
    tests/unit/decoder/waits/report/test_call_paths.c \
    tests/unit/decoder/waits/report/test_waits.c \
    tests/unit/decoder/waits/report/test_waits_page.c \
    tests/unit/decoder/waits/values/test_call_times.c \
    tests/unit/decoder/waits/values/test_wait_grid.c \
    tests/unit/decoder/waits/values/test_wait_places.c \
    tests/unit/decoder/waits/windows/test_wait_epochs.c \
    tests/unit/decoder/waits/windows/test_wait_locks.c \
    tests/unit/decoder/waits/search/test_wait_overlaps.c \
    tests/unit/decoder/waits/search/test_wait_lanes.c \
    tests/unit/src/clock/test_clock.c \
    tests/unit/src/clock/test_clock_pairs.c \
    tests/unit/src/memory/test_merge_heap.c \
    tests/unit/src/memory/test_tracer_heap.c \
    tests/unit/support/effort.h \
    tests/unit/support/final_file.c \
    tests/unit/support/final_file.h \
    tests/unit/support/loop_models.c \
    tests/unit/support/loop_models.h \
    tests/unit/support/model_program.c \
    tests/unit/support/model_program.h \
    tests/unit/support/polling.c \
    tests/unit/support/polling.h \
    tests/unit/support/random.h \
    tests/unit/support/random_program.c \
    tests/unit/support/random_program.h \
    tests/unit/support/random_trace.c \
    tests/unit/support/random_trace.h \
    tests/unit/support/scan_checks.c \
    tests/unit/support/scan_checks.h \
    tests/unit/support/scratch_file.c \
    tests/unit/support/scratch_file.h \
    tests/unit/support/sequence.h \
    tests/unit/support/site_calls.c \
    tests/unit/support/site_calls.h \
    tests/unit/support/spoken.c \
    tests/unit/support/spoken.h \
    tests/unit/support/standard.c \
    tests/unit/support/standard.h \
    tests/unit/support/synthetic.c \
    tests/unit/support/synthetic.h \
    tests/unit/support/synthetic_calls.c \
    tests/unit/support/synthetic_calls.h \
    tests/unit/support/synthetic_programs.c \
    tests/unit/support/this_program.c \
    tests/unit/support/this_program.h
if HAVE_OTF2
tests_unit_unit_SOURCES += tests/unit/decoder/otf2/test_otf2.c
else
EXTRA_DIST += tests/unit/decoder/otf2/test_otf2.c
endif
# src/record/thread.h does not come without mpi.h; the library is not needed.
if HAVE_MPI
tests_unit_unit_SOURCES += tests/unit/src/record/test_partial_status.c src/record/partial_status.c src/record/partial_status.h \
    tests/unit/src/record/test_thread_order.c src/record/thread_order.c src/record/thread_order.h
else
EXTRA_DIST += tests/unit/src/record/test_partial_status.c tests/unit/src/record/test_thread_order.c
endif
# The function table of all procedures, whatever the MPI library has.
nodist_tests_unit_unit_SOURCES = tests/unit/standard/table.c
tests/unit/standard/table.c: gen/gen $(MPI_STD)
	$(AM_V_GEN)$(MKDIR_P) tests/unit/standard && gen/gen --out tests/unit/standard `for file in $(MPI_STD); do echo $(srcdir)/$$file; done`
CLEANFILES += tests/unit/standard/constants.c tests/unit/standard/functions.h tests/unit/standard/table.c \
    tests/unit/standard/wrap_c.c tests/unit/standard/wrap_f.c
tests_unit_unit_CPPFLAGS = $(AM_CPPFLAGS) $(CRITERION_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_unit_LDADD = $(DECODER_LIBS) $(CRITERION_LIBS)
EXTRA_DIST += tests/unit/run.sh
