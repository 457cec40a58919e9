/* SPDX-License-Identifier: BSD-3-Clause */
/* The sub-commands, one file each; commands.c has their table. */
#ifndef REFRAIN_COMMANDS_H
#define REFRAIN_COMMANDS_H

#include "options.h"

enum refrain_status cmd_chrome(const struct options *o);
enum refrain_status cmd_diff(const struct options *o);
enum refrain_status cmd_otf2(const struct options *o);
enum refrain_status cmd_record(const struct options *o);
enum refrain_status cmd_report(const struct options *o);
enum refrain_status cmd_text(const struct options *o);
enum refrain_status cmd_info(const struct options *o);
enum refrain_status cmd_stat(const struct options *o);
enum refrain_status cmd_loops(const struct options *o);
enum refrain_status cmd_model(const struct options *o);
enum refrain_status cmd_matrix(const struct options *o);
enum refrain_status cmd_merge(const struct options *o);
enum refrain_status cmd_config(const struct options *o);
enum refrain_status cmd_messages(const struct options *o);
enum refrain_status cmd_scan(const struct options *o);
enum refrain_status cmd_timeline(const struct options *o);
enum refrain_status cmd_topology(const struct options *o);
enum refrain_status cmd_logical(const struct options *o);
enum refrain_status cmd_critical(const struct options *o);
enum refrain_status cmd_verify(const struct options *o);
enum refrain_status cmd_waits(const struct options *o);

#endif
