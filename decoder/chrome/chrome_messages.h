/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrows for messages in the Trace Event format: a flow event ("s") in the call that sends, and one ("f")
 * with the same identity in the call that has received. */
#ifndef REFRAIN_CHROME_MESSAGES_H
#define REFRAIN_CHROME_MESSAGES_H

#include "chrome.h"

/* Writes the messages of all threads of a rank. Memory grows with the number of different (communicator,
 * partner, tag). */
enum refrain_status chrome_put_messages(struct chrome *c, uint32_t rank);

#endif
