/* SPDX-License-Identifier: BSD-3-Clause */
/* The report as one HTML file, which loads nothing. */
#ifndef REFRAIN_REPORT_HTML_H
#define REFRAIN_REPORT_HTML_H

#include "report.h"

enum refrain_status report_html(const struct report *r, struct bytes *out);

#endif
