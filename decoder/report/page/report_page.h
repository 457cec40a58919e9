/* SPDX-License-Identifier: BSD-3-Clause */
/* The style sheet and the programs of the page, the files of this folder, as the build has put them into report_page.c. */
#ifndef REFRAIN_REPORT_PAGE_H
#define REFRAIN_REPORT_PAGE_H

#include <stddef.h>

extern const unsigned char report_page_css[], report_page_js[];
extern const size_t report_page_css_size, report_page_js_size;

#endif
