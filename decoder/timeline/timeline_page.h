/* SPDX-License-Identifier: BSD-3-Clause */
/* The style sheet and the program of the page, from page/, as the build has put them into timeline_page.c. */
#ifndef REFRAIN_TIMELINE_PAGE_H
#define REFRAIN_TIMELINE_PAGE_H

#include <stddef.h>

extern const unsigned char timeline_page_css[], timeline_page_js[];
extern const size_t timeline_page_css_size, timeline_page_js_size;

#endif
