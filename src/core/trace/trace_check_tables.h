/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of trace_check that concerns tables: functions, modules, sites. */
#ifndef REFRAIN_TRACE_CHECK_TABLES_H
#define REFRAIN_TRACE_CHECK_TABLES_H

#include "trace.h"

/* What they refer to exists, and nothing is there twice: merging takes entries that are alike for one, which
 * would make one site of two in the middle of a skeleton. Logs what is wrong. */
enum refrain_status trace_check_tables(const struct trace *t);

#endif
