/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of trace_check that concerns tables: functions, modules, sites. */
#ifndef REFRAIN_TRACE_CHECK_TABLES_H
#define REFRAIN_TRACE_CHECK_TABLES_H

#include "trace.h"

/* Check that all references are valid, and that no entry occurs twice: a merge would unite equal entries,
 * and so turn two sites of a skeleton into one. Errors are logged. */
enum refrain_status trace_check_tables(const struct trace *t);

#endif
