# The reader and the refrain command: everything that runs afterwards, without MPI.
noinst_LIBRARIES += decoder/libdecoder.a
decoder_libdecoder_a_SOURCES = \
    decoder/model_arena.c decoder/model_arena.h decoder/bins.c decoder/bins.h decoder/call_argument.c decoder/call_argument.h decoder/call_event.c \
    decoder/call_event.h decoder/call_event_access.c decoder/call_event_impl.h decoder/call_event_message.c \
    decoder/call_event_request.c decoder/call_event_view.c decoder/call_form.c decoder/call_form.h \
    decoder/call_kind.c decoder/call_kind.h decoder/causality.c decoder/causality.h decoder/channels.c decoder/channels.h decoder/chrome.c \
    decoder/chrome.h decoder/chrome_messages.c decoder/chrome_messages.h decoder/cmd_chrome.c \
    decoder/cmd_config.c decoder/cmd_info.c decoder/cmd_loops.c decoder/cmd_matrix.c \
    decoder/cmd_merge.c decoder/cmd_messages.c decoder/cmd_model.c decoder/cmd_otf2.c \
    decoder/cmd_record.c decoder/cmd_scan.c \
    decoder/cmd_stat.c decoder/cmd_text.c decoder/cmd_timeline.c decoder/cmd_verify.c \
    decoder/commands.c decoder/commands.h decoder/comparison.c decoder/comparison.h \
    decoder/construct_path.c decoder/construct_path.h decoder/crew.c decoder/crew.h decoder/cursor.c \
    decoder/cursor.h decoder/definitions.c decoder/definitions.h decoder/emitter.c decoder/emitter.h \
    decoder/endings.c decoder/endings.h decoder/event_file.c decoder/event_file.h \
    decoder/failure.c decoder/failure.h decoder/foresight.c decoder/foresight.h decoder/event_form.c decoder/event_form.h decoder/event_lane.c decoder/event_lane.h \
    decoder/event_place.c decoder/event_place.h decoder/executable.c decoder/executable.h \
    decoder/groups.c decoder/groups.h decoder/hosts.c decoder/hosts.h decoder/instances.c \
    decoder/instances.h decoder/json.c decoder/json.h decoder/lane_times.c decoder/lane_times.h \
    decoder/launch.c decoder/launch.h decoder/libraries.c decoder/libraries.h decoder/lift.c \
    decoder/lift.h decoder/lift_impl.h decoder/lift_lanes.c decoder/lift_lanes.h decoder/lift_site.c decoder/lift_site.h decoder/lift_symbol.c \
    decoder/lines.c decoder/lines.h decoder/loop_groups.c decoder/loop_groups.h decoder/loop_source.c decoder/loop_source.h decoder/loop_text.c \
    decoder/loop_text.h decoder/matching.c decoder/matching.h decoder/matching_channel.c \
    decoder/matching_end.c decoder/matching_impl.h decoder/matching_text.c decoder/matching_text.h \
    decoder/matrix.c decoder/matrix.h decoder/matrix_construct.c decoder/matrix_grid.c \
    decoder/matrix_grid.h decoder/matrix_site.c decoder/matrix_svg.c decoder/matrix_text.c \
    decoder/matrix_text.h decoder/matrix_trace.c decoder/image_png.h \
    decoder/model.c decoder/model.h decoder/model_channels.c decoder/model_channels.h \
    decoder/model_circles.c decoder/model_coalesce.c decoder/model_cut.c decoder/model_flows.c decoder/model_impl.h \
    decoder/model_input.c decoder/model_json.c decoder/model_links.c decoder/model_order.c \
    decoder/model_ready.c decoder/model_ready.h decoder/model_regularize.c decoder/model_schedule.c decoder/model_schedule_impl.h decoder/model_scope.c decoder/model_sets.c decoder/model_sets.h \
    decoder/model_lines.c decoder/model_lines.h decoder/model_places.c decoder/model_places.h \
    decoder/model_svg.c decoder/model_svg.h decoder/model_text.c decoder/model_text.h \
    decoder/names.c decoder/names.h decoder/nlr.c decoder/nlr.h decoder/nlr_build.c \
    decoder/nlr_follow.c decoder/nlr_impl.h decoder/nlr_path.c decoder/nlr_reduce.c \
    decoder/objects.c decoder/objects.h decoder/occurrences.c decoder/occurrences.h decoder/operation.c decoder/operation.h \
    decoder/operation_field.c decoder/operation_impl.h decoder/operation_part.c \
    decoder/operation_take.c decoder/operation_window.c decoder/options.c decoder/options.h \
    decoder/other_requests.c decoder/other_requests.h decoder/otf2_export.h decoder/output.c \
    decoder/output.h decoder/parts.c decoder/parts.h decoder/process_groups.c \
    decoder/process_groups.h decoder/progress.c decoder/progress.h decoder/ranges.c decoder/ranges.h \
    decoder/rawfile.c decoder/polynomial.c decoder/polynomial.h \
    decoder/rawfile.h decoder/reader.c decoder/reader.h decoder/render.c decoder/render.h \
    decoder/render_impl.h decoder/render_json.c decoder/render_value.c decoder/requests.c \
    decoder/requests.h decoder/role.c decoder/role.h decoder/rooms.c decoder/rooms.h decoder/row_walk.c decoder/row_walk.h \
    decoder/scan.c decoder/scan.h decoder/scan_emit.c decoder/scan_rows.c \
    decoder/seconds.c decoder/seconds.h decoder/shifts.c decoder/shifts.h decoder/site.c \
    decoder/site.h decoder/site_sum.c decoder/site_sum.h decoder/stamps.c decoder/stamps.h \
    decoder/statistics.c decoder/statistics.h decoder/symbols.c decoder/symbols.h decoder/system.c \
    decoder/system.h decoder/text.c decoder/text.h decoder/text_pool.c decoder/text_pool.h decoder/time_axis.c decoder/time_axis.h \
    decoder/time_check.c decoder/time_check.h decoder/timed_lane.c decoder/timed_lane.h \
    decoder/timeline.c decoder/timeline.h decoder/timeline_html.c decoder/timeline_html.h \
    decoder/timeline_links.c decoder/timeline_links.h decoder/timeline_page.h decoder/timeline_svg.c \
    decoder/timeline_svg.h decoder/timeline_svg_calls.c decoder/timeline_svg_impl.h \
    decoder/timeline_texts.c decoder/timeline_texts.h decoder/tracers.c decoder/tracers.h \
    decoder/volume.c decoder/volume.h decoder/world.c decoder/world.h
otf2_files = decoder/otf2_archive.c decoder/otf2_archive.h  \
    decoder/otf2_events.c decoder/otf2_events.h decoder/otf2_events_files.c \
    decoder/otf2_events_impl.h decoder/otf2_events_windows.c decoder/otf2_export.c decoder/otf2_function.c decoder/otf2_function.h \
    decoder/otf2_global.c decoder/otf2_global.h decoder/otf2_global_comms.c decoder/otf2_global_impl.h decoder/otf2_global_objects.c decoder/otf2_global_places.c decoder/otf2_objects.c decoder/otf2_objects.h decoder/otf2_rank.c \
    decoder/otf2_rank.h decoder/otf2_ranks.c decoder/otf2_ranks.h decoder/otf2_shared.h
if HAVE_OTF2
decoder_libdecoder_a_SOURCES += $(otf2_files)
EXTRA_DIST += decoder/otf2_none.c
else
decoder_libdecoder_a_SOURCES += decoder/otf2_none.c
EXTRA_DIST += $(otf2_files)
endif
if HAVE_RSVG
decoder_libdecoder_a_SOURCES += decoder/image_png.c
EXTRA_DIST += decoder/image_png_none.c
else
decoder_libdecoder_a_SOURCES += decoder/image_png_none.c
EXTRA_DIST += decoder/image_png.c
endif
decoder_libdecoder_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/decoder -DREFRAIN_LIBDIR='"$(libdir)"' \
    $(DW_CFLAGS) $(OTF2_CFLAGS) $(RSVG_CFLAGS)
DECODER_LIBS = decoder/libdecoder.a $(CORE_LIBS) $(DW_LIBS) $(OTF2_LIBS) -ldl -lpthread

# The page that `refrain timeline` writes: its style sheet and its program, as arrays of bytes.
nodist_decoder_libdecoder_a_SOURCES = decoder/timeline_page.c
TIMELINE_PAGE = decoder/timeline.css decoder/timeline.js
EXTRA_DIST += $(TIMELINE_PAGE)
CLEANFILES += decoder/timeline_page.c
decoder/timeline_page.c: $(TIMELINE_PAGE)
	$(AM_V_GEN)$(MKDIR_P) decoder && { echo '#include "timeline_page.h"' && for part in css js; do \
	    echo "const unsigned char timeline_page_$$part[] = {" && \
	    od -An -v -t x1 "$(srcdir)/decoder/timeline.$$part" | sed 's/[0-9a-f][0-9a-f]/0x&,/g' && \
	    echo '};' && echo "const size_t timeline_page_$${part}_size = sizeof timeline_page_$$part;" || exit 1; \
	done; } > $@.tmp && mv $@.tmp $@

if TRACER_ONLY
noinst_PROGRAMS += decoder/refrain
else
bin_PROGRAMS += decoder/refrain
endif
decoder_refrain_SOURCES = decoder/main.c
decoder_refrain_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/decoder
decoder_refrain_LDADD = $(DECODER_LIBS)

# The reader library, for programs that `refrain scan --emit-c` makes: all names but those of refrain_reader.h are local.
noinst_LIBRARIES += decoder/libreader.a
decoder_libreader_a_SOURCES = decoder/refrain_reader.c decoder/refrain_reader.h
decoder_libreader_a_CPPFLAGS = $(decoder_libdecoder_a_CPPFLAGS)
decoder/refrain_reader.o: decoder/libreader.a decoder/libdecoder.a src/core/libcore.a
	$(AM_V_CCLD)$(LD) -r -o $@.all --whole-archive decoder/libreader.a --no-whole-archive decoder/libdecoder.a src/core/libcore.a && \
	    $(OBJCOPY) --localize-hidden $@.all $@ && rm -f $@.all
decoder/librefrain-reader.a: decoder/refrain_reader.o
	$(AM_V_AR)rm -f $@ && $(AR) crs $@ decoder/refrain_reader.o
CLEANFILES += decoder/refrain_reader.o decoder/librefrain-reader.a
if !TRACER_ONLY
readerdir = $(libdir)
reader_DATA = decoder/librefrain-reader.a
include_HEADERS = decoder/refrain_reader.h
readerpkgconfigdir = $(libdir)/pkgconfig
readerpkgconfig_DATA = decoder/refrain-reader.pc
endif

REFRAIN_MANS = decoder/man/refrain.1 decoder/man/refrain-chrome.1 decoder/man/refrain-config.1 \
    decoder/man/refrain-info.1 decoder/man/refrain-loops.1 decoder/man/refrain-matrix.1 decoder/man/refrain-merge.1 decoder/man/refrain-messages.1 decoder/man/refrain-model.1 \
    decoder/man/refrain-otf2.1 decoder/man/refrain-record.1 \
    decoder/man/refrain-scan.1 decoder/man/refrain-stat.1 decoder/man/refrain-text.1 decoder/man/refrain-timeline.1 \
    decoder/man/refrain-verify.1
EXTRA_DIST += $(REFRAIN_MANS) decoder/completion/refrain
if !TRACER_ONLY
man1_MANS += $(REFRAIN_MANS)
bashcompletiondir = $(datadir)/bash-completion/completions
bashcompletion_DATA = decoder/completion/refrain
endif
