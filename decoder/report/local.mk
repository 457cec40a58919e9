# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/report/costs.c \
    decoder/report/costs.h \
    decoder/report/findings.c \
    decoder/report/findings.h \
    decoder/report/line_pairs.c \
    decoder/report/line_pairs.h \
    decoder/report/report.c \
    decoder/report/report.h \
    decoder/report/report_html.c \
    decoder/report/report_html.h \
    decoder/report/report_page.h \
    decoder/report/report_sections.c \
    decoder/report/report_sections.h \
    decoder/report/report_text.c \
    decoder/report/report_text.h \
    decoder/report/run_difference.c \
    decoder/report/run_difference.h \
    decoder/report/run_difference_json.c \
    decoder/report/run_difference_models.c \
    decoder/report/run_difference_text.c \
    decoder/report/run_difference_words.c \
    decoder/report/run_model.c \
    decoder/report/run_model.h \
    decoder/report/run_profile.c \
    decoder/report/run_profile.h \
    decoder/report/section_communication.c \
    decoder/report/section_overview.c \
    decoder/report/section_run.c \
    decoder/report/section_structure.c \
    decoder/report/section_time.c \
    decoder/report/section_timeline.c \
    decoder/report/section_waiting.c
EXTRA_DIST += decoder/report/README.md

# The page: a style sheet, and programs in the order in which they use one another, as arrays of bytes.
nodist_decoder_libdecoder_a_SOURCES += decoder/report/report_page.c
REPORT_PAGE_CSS = $(srcdir)/decoder/report/page/report.css
REPORT_PAGE_JS = \
    $(srcdir)/decoder/report/page/base.js \
    $(srcdir)/decoder/report/page/list.js \
    $(srcdir)/decoder/report/page/tree.js \
    $(srcdir)/decoder/report/page/pictures.js \
    $(srcdir)/decoder/report/page/difference.js \
    $(srcdir)/decoder/report/page/overview.js \
    $(srcdir)/decoder/report/page/time.js \
    $(srcdir)/decoder/report/page/waiting.js \
    $(srcdir)/decoder/report/page/communication.js \
    $(srcdir)/decoder/report/page/details.js \
    $(srcdir)/decoder/report/page/main.js
EXTRA_DIST += decoder/report/page
CLEANFILES += decoder/report/report_page.c
decoder/report/report_page.c: $(REPORT_PAGE_CSS) $(REPORT_PAGE_JS) decoder/util/embed.sh
	$(AM_V_GEN)$(MKDIR_P) decoder/report && sh $(srcdir)/decoder/util/embed.sh decoder/report/report_page.h \
	    report_page_css $(REPORT_PAGE_CSS) -- report_page_js $(REPORT_PAGE_JS) >$@.tmp && mv $@.tmp $@
