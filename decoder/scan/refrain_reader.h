/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads single calls of a trace by the numbers of their events. Programs that `refrain scan --emit-c` writes
 * use this library (refrain-scan(1)).
 *
 *     struct refrain_reader *r = refrain_reader_open("app.refrain", 0, REFRAIN_READER_MESSAGES);
 *     refrain_reader_lane(r, 3, 0);                      the main thread of rank 3
 *     refrain_reader_seek(r, 1000000);                   to the call of the lane's event number 1000000
 *     puts(refrain_reader_value(r, "tag"));
 *     refrain_reader_close(r);
 *
 * Calls between two positions are not expanded. A function that fails prints the reason to stderr. Readers
 * are independent of each other; each is for one thread at a time. */
#ifndef REFRAIN_READER_LIBRARY_H
#define REFRAIN_READER_LIBRARY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct refrain_reader;

/* The events that are counted: messages and collective operations (the events of `refrain loops`), or all
 * calls. */
enum refrain_reader_events { REFRAIN_READER_MESSAGES, REFRAIN_READER_CALLS };

#define REFRAIN_READER_API __attribute__((visibility("default")))

/* Opens a trace. `world`: number of the world in a file with several worlds, from 0. The path is copied.
 * Returns NULL on failure. */
REFRAIN_READER_API struct refrain_reader *refrain_reader_open(const char *path, uint32_t world,
                                                              enum refrain_reader_events events);
REFRAIN_READER_API void refrain_reader_close(struct refrain_reader *r); /* NULL is allowed */

/* Selects a thread of a rank; the functions below use its events. Returns 0, or -1 on failure. */
REFRAIN_READER_API int refrain_reader_lane(struct refrain_reader *r, uint32_t rank, uint32_t thread);
/* Returns the number of events of the selected thread. */
REFRAIN_READER_API uint64_t refrain_reader_length(const struct refrain_reader *r);
/* Goes to the call of event number `event`, from 0. Any order works; ascending order is fastest. Returns 0,
 * or -1 on failure. */
REFRAIN_READER_API int refrain_reader_seek(struct refrain_reader *r, uint64_t event);
/* Returns the number, from 0, of the call that refrain_reader_seek reached. */
REFRAIN_READER_API uint64_t refrain_reader_call(const struct refrain_reader *r);
/* Returns a value of this call as text: "time", "exit", "duration" (seconds), "bytes", "sent", "received",
 * "function", or the name of an argument. "" if the call has no such value; NULL on failure. Valid until the
 * next call of a function of this reader. */
REFRAIN_READER_API const char *refrain_reader_value(struct refrain_reader *r, const char *name);

#ifdef __cplusplus
}
#endif

#endif
