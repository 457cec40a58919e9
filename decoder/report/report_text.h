/* SPDX-License-Identifier: BSD-3-Clause */
/* The report as text: one screen for a terminal. */
#ifndef REFRAIN_REPORT_TEXT_H
#define REFRAIN_REPORT_TEXT_H

#include "decoder/util/output.h"
#include "report.h"

enum refrain_status report_put_text(const struct report *r, struct output *out);

#endif
