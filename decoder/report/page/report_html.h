/* SPDX-License-Identifier: BSD-3-Clause */
/* The report as one HTML file, which loads nothing. */
#ifndef REFRAIN_REPORT_HTML_H
#define REFRAIN_REPORT_HTML_H

#include "decoder/report/run_difference.h"

/* d: what other runs have different, as the first section; NULL: nothing. */
enum refrain_status report_html(const struct report *r, const struct run_difference *d, struct bytes *out);

#endif
