# What tracer and decoder share: compression, merging, the file. Includes no mpi.h.
noinst_LIBRARIES += src/core/libcore.a
src_core_libcore_a_SOURCES = \
    src/core/annex.c src/core/annex.h src/core/annex_columns.c src/core/annex_columns.h src/core/array.c src/core/array.h src/core/bit_coder.c src/core/bit_coder.h \
    src/core/bit_model.c src/core/bit_model.h src/core/blocks.c src/core/blocks.h src/core/bytes.c \
    src/core/bytes.h src/core/codec.h src/core/codec_added.c src/core/codec_added.h src/core/codec_classes.c src/core/codec_classes.h \
    src/core/codec_compose.c src/core/codec_compose.h src/core/codec_decode.c \
    src/core/codec_decode_lists.c src/core/codec_derived.c src/core/codec_derived.h src/core/codec_decode_shape.c src/core/codec_domains.c src/core/codec_domains.h src/core/codec_encode.c \
    src/core/codec_encode_shape.c src/core/codec_fold.c src/core/codec_fold.h src/core/codec_impl.h \
    src/core/codec_row.c src/core/codec_row.h src/core/codec_sums.c src/core/codec_sums.h src/core/codec_tables.c src/core/codec_tables.h src/core/codec_times.c src/core/codec_times.h src/core/codec_turns.c src/core/codec_turns.h \
    src/core/codec_whole.c src/core/codec_whole.h src/core/column.c src/core/column.h \
    src/core/functable.c src/core/functable.h src/core/functable_code.c src/core/grammar.c \
    src/core/grammar.h src/core/grammar_check.c src/core/grammar_digram.c src/core/grammar_follow.c \
    src/core/grammar_impl.h src/core/grammar_rules.c src/core/heat.h src/core/idpool.c src/core/idpool.h \
    src/core/intervals.c src/core/intervals.h src/core/lane.c src/core/lane.h src/core/lane_walk.c \
    src/core/lane_walk.h src/core/layout.c src/core/log.c src/core/log.h src/core/map.c src/core/map.h \
    src/core/merge.c src/core/merge.h src/core/merge_finish.c src/core/merge_given.c \
    src/core/merge_given.h src/core/merge_groups.c src/core/merge_parts.h src/core/merge_refine.c \
    src/core/merge_tables.c src/core/merge_tree.c src/core/merge_tree.h src/core/merge_values.c src/core/merge_known.c \
    src/core/mix.h src/core/pack.c src/core/pack.h src/core/partition.c src/core/partition.h \
    src/core/plain.c src/core/plain.h src/core/rank_clock.c src/core/rank_clock.h src/core/rankfn.c src/core/rankfn.h src/core/raw.c src/core/raw.h \
    src/core/repetition.c src/core/repetition.h src/core/replace.c src/core/replace.h \
    src/core/rules.c src/core/rules.h src/core/rules_build.c src/core/rules_build.h \
    src/core/rules_cursor.c src/core/rules_impl.h src/core/rules_pool.c src/core/rules_pool_code.c \
    src/core/rules_share.c src/core/rules_varying.c src/core/section.c src/core/section.h \
    src/core/series.c src/core/series.h src/core/series_append.c src/core/series_bounds.c src/core/series_code.c \
    src/core/series_cursor.c \
    src/core/series_impl.h src/core/series_reduce.c src/core/series_settle.c src/core/series_total.c \
    src/core/site_stream.c src/core/site_stream.h src/core/site_table.c src/core/site_table.h \
    src/core/site_table_store.c src/core/site_table_store.h src/core/skeleton.c src/core/skeleton.h \
    src/core/status.h src/core/stamp.h src/core/stream_walk.c src/core/stream_walk.h src/core/symbol_list.h src/core/time_code.c \
    src/core/time_code.h src/core/time_grid.c src/core/time_grid.h src/core/time_log.c src/core/time_log.h \
    src/core/time_mode.c src/core/time_mode.h src/core/time_piece.c src/core/time_piece.h \
    src/core/timing.c src/core/timing.h src/core/torus.c src/core/torus.h \
    src/core/trace.c src/core/trace.h src/core/trace_check.c src/core/trace_check_calls.c \
    src/core/trace_check_calls.h src/core/trace_check_tables.c src/core/trace_check_tables.h \
    src/core/variable.c src/core/variable.h src/core/worlds.c src/core/worlds.h src/core/write.c \
    src/core/cancel.h src/core/write.h
CORE_LIBS = src/core/libcore.a $(ZSTD_LIBS) $(XXHASH_LIBS) -lm
