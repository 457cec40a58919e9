# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/report/page/path_overlay.c \
    decoder/report/page/path_overlay.h \
    decoder/report/page/report_html.c \
    decoder/report/page/report_html.h \
    decoder/report/page/report_page.h \
    decoder/report/page/report_sections.c \
    decoder/report/page/report_sections.h \
    decoder/report/page/section_communication.c \
    decoder/report/page/section_overview.c \
    decoder/report/page/section_run.c \
    decoder/report/page/section_structure.c \
    decoder/report/page/section_time.c \
    decoder/report/page/section_timeline.c \
    decoder/report/page/section_waiting.c
EXTRA_DIST += decoder/report/page/README.md

# The page: a style sheet, and programs in the order in which they use one another, as arrays of bytes.
nodist_decoder_libdecoder_a_SOURCES += decoder/report/page/report_page.c
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
    $(srcdir)/decoder/report/page/structure.js \
    $(srcdir)/decoder/report/page/main.js
EXTRA_DIST += $(REPORT_PAGE_CSS) $(REPORT_PAGE_JS)
CLEANFILES += decoder/report/page/report_page.c
decoder/report/page/report_page.c: $(REPORT_PAGE_CSS) $(REPORT_PAGE_JS) decoder/util/embed.sh
	$(AM_V_GEN)$(MKDIR_P) decoder/report/page && sh $(srcdir)/decoder/util/embed.sh decoder/report/page/report_page.h \
	    report_page_css $(REPORT_PAGE_CSS) -- report_page_js $(REPORT_PAGE_JS) >$@.tmp && mv $@.tmp $@
