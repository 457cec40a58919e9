/* SPDX-License-Identifier: BSD-3-Clause */
/* A helper: reads times of lanes, and sends them to process 0, until that says stop. It opens the trace by the
 * path that process 0 has, and checks that it is the same file. Memory is that of the trace, and the models of
 * the lanes that it reads (256 KiB each). */
#ifndef REFRAIN_TIME_SERVER_H
#define REFRAIN_TIME_SERVER_H

#include "src/core/base/messenger.h"
#include "src/core/base/status.h"

/* An error in a file is logged and told to process 0, which ends the command; here it is none. */
enum refrain_status time_server_run(const struct messenger *messenger);

#endif
