# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/cli/call_clock.c \
    decoder/cli/call_clock.h \
    decoder/cli/cmd_chrome.c \
    decoder/cli/cmd_config.c \
    decoder/cli/cmd_critical.c \
    decoder/cli/cmd_diff.c \
    decoder/cli/cmd_info.c \
    decoder/cli/cmd_logical.c \
    decoder/cli/cmd_loops.c \
    decoder/cli/cmd_matrix.c \
    decoder/cli/cmd_merge.c \
    decoder/cli/cmd_messages.c \
    decoder/cli/cmd_model.c \
    decoder/cli/cmd_otf2.c \
    decoder/cli/cmd_record.c \
    decoder/cli/cmd_report.c \
    decoder/cli/cmd_scan.c \
    decoder/cli/cmd_stat.c \
    decoder/cli/cmd_text.c \
    decoder/cli/cmd_timeline.c \
    decoder/cli/cmd_topology.c \
    decoder/cli/cmd_verify.c \
    decoder/cli/cmd_waits.c \
    decoder/cli/commands.c \
    decoder/cli/commands.h \
    decoder/cli/critical_picture.c \
    decoder/cli/critical_picture.h \
    decoder/cli/logical_source.c \
    decoder/cli/logical_source.h \
    decoder/cli/loop_source.c \
    decoder/cli/loop_source.h \
    decoder/cli/matrix_source.c \
    decoder/cli/matrix_source.h \
    decoder/cli/options.c \
    decoder/cli/options.h \
    decoder/cli/run_source.c \
    decoder/cli/run_source.h \
    decoder/cli/seconds.c \
    decoder/cli/seconds.h \
    decoder/cli/stat_regions.c \
    decoder/cli/stat_regions.h \
    decoder/cli/survey_source.c \
    decoder/cli/survey_source.h \
    decoder/cli/world_select.c \
    decoder/cli/world_select.h
EXTRA_DIST += decoder/cli/README.md

decoder_refrain_SOURCES = decoder/cli/main.c
decoder_refrain_LDADD = $(DECODER_LIBS)

REFRAIN_MANS = \
    decoder/cli/man/refrain-chrome.1 \
    decoder/cli/man/refrain-config.1 \
    decoder/cli/man/refrain-critical.1 \
    decoder/cli/man/refrain-diff.1 \
    decoder/cli/man/refrain-info.1 \
    decoder/cli/man/refrain-logical.1 \
    decoder/cli/man/refrain-loops.1 \
    decoder/cli/man/refrain-matrix.1 \
    decoder/cli/man/refrain-merge.1 \
    decoder/cli/man/refrain-messages.1 \
    decoder/cli/man/refrain-model.1 \
    decoder/cli/man/refrain-otf2.1 \
    decoder/cli/man/refrain-record.1 \
    decoder/cli/man/refrain-report.1 \
    decoder/cli/man/refrain-scan.1 \
    decoder/cli/man/refrain-stat.1 \
    decoder/cli/man/refrain-text.1 \
    decoder/cli/man/refrain-timeline.1 \
    decoder/cli/man/refrain-topology.1 \
    decoder/cli/man/refrain-verify.1 \
    decoder/cli/man/refrain-waits.1 \
    decoder/cli/man/refrain.1
REFRAIN_MANS7 = decoder/cli/man/refrain-regions.7
EXTRA_DIST += $(REFRAIN_MANS) $(REFRAIN_MANS7) decoder/cli/completion/refrain
if !TRACER_ONLY
man1_MANS += $(REFRAIN_MANS)
man7_MANS += $(REFRAIN_MANS7)
bashcompletiondir = $(datadir)/bash-completion/completions
bashcompletion_DATA = decoder/cli/completion/refrain
endif
