/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of a report in words and in JSON, as its text, its page and comparisons of runs show them. */
#ifndef REFRAIN_REPORT_WORDS_H
#define REFRAIN_REPORT_WORDS_H

#include "decoder/util/json.h"
#include "report.h"

/* How to record a trace that has times of single calls. */
extern const char report_how_to_time[];

/* The bytes as a string, which are empty then. */
void report_json_text(struct json *j, const char *key, struct bytes *text);
/* Lines as strings of an array; the bytes are empty then. */
void report_json_lines(struct json *j, const char *key, struct bytes *text);
/* Seconds, of nanoseconds. */
void report_json_seconds(struct json *j, const char *key, uint64_t nanoseconds);
/* A single wait: "1.234 ms late sender in MPI_Recv at exchange (halo.c:31) on rank 3, for rank 2". */
void report_put_wait(const struct report *r, const struct wait_instance *w, struct bytes *out);
/* ns of all threads that are waiting; that at MPI_Init is apart. */
uint64_t report_waiting(const struct report *r);
double report_share(uint64_t part, uint64_t whole); /* 0 … 1 */
/* "24 MB sent and 24 MB received in collective operations", "40 one-sided accesses write 320 B and read 0 B": each after
 * `before`; nothing of what is not there. */
void report_put_others(const struct report *r, const char *before, struct bytes *out);

#endif
