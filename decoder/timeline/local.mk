# SPDX-License-Identifier: BSD-3-Clause
decoder_libdecoder_a_SOURCES += \
    decoder/timeline/bins.c \
    decoder/timeline/bins.h \
    decoder/timeline/timeline.c \
    decoder/timeline/timeline.h \
    decoder/timeline/timeline_html.c \
    decoder/timeline/timeline_html.h \
    decoder/timeline/timeline_links.c \
    decoder/timeline/timeline_links.h \
    decoder/timeline/timeline_overlay.c \
    decoder/timeline/timeline_overlay.h \
    decoder/timeline/timeline_page.h \
    decoder/timeline/timeline_regions.c \
    decoder/timeline/timeline_regions.h \
    decoder/timeline/timeline_svg.c \
    decoder/timeline/timeline_svg.h \
    decoder/timeline/timeline_svg_calls.c \
    decoder/timeline/timeline_svg_impl.h \
    decoder/timeline/timeline_svg_regions.c \
    decoder/timeline/timeline_texts.c \
    decoder/timeline/timeline_texts.h
EXTRA_DIST += decoder/timeline/README.md

# The page that `refrain timeline` writes: its style sheet, and its programs in the order in which they use one another, as arrays of
# bytes.
nodist_decoder_libdecoder_a_SOURCES = decoder/timeline/timeline_page.c
TIMELINE_PAGE_CSS = $(srcdir)/decoder/timeline/page/timeline.css
TIMELINE_PAGE_JS = \
    $(srcdir)/decoder/timeline/page/data.js \
    $(srcdir)/decoder/timeline/page/canvas.js \
    $(srcdir)/decoder/timeline/page/calls.js \
    $(srcdir)/decoder/timeline/page/links.js \
    $(srcdir)/decoder/timeline/page/overlay.js \
    $(srcdir)/decoder/timeline/page/find.js \
    $(srcdir)/decoder/timeline/page/tip.js \
    $(srcdir)/decoder/timeline/page/main.js
EXTRA_DIST += $(TIMELINE_PAGE_CSS) $(TIMELINE_PAGE_JS) decoder/timeline/page/README.md
CLEANFILES += decoder/timeline/timeline_page.c
decoder/timeline/timeline_page.c: $(TIMELINE_PAGE_CSS) $(TIMELINE_PAGE_JS) decoder/util/embed.sh
	$(AM_V_GEN)$(MKDIR_P) decoder/timeline && sh $(srcdir)/decoder/util/embed.sh decoder/timeline/timeline_page.h \
	    timeline_page_css $(TIMELINE_PAGE_CSS) -- timeline_page_js $(TIMELINE_PAGE_JS) >$@.tmp && mv $@.tmp $@
