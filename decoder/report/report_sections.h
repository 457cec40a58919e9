/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections of a report, in the order of their worth, each as JSON: what the page and `--json` have.
 *
 *     {"file":"app.refrain","title":"./app","sections":{"overview":{"title":"Overview","command":"refrain info app.refrain",
 *      "says":"…","ranks":8, …},"time":{ … }, …}}
 *
 * Each begins with a sentence for people, `says`, and with the command that prints the same as text. What a trace does not have
 * is left out, and `missing` says in one line how to get it. */
#ifndef REFRAIN_REPORT_SECTIONS_H
#define REFRAIN_REPORT_SECTIONS_H

#include "decoder/util/json.h"
#include "run_difference.h"

struct report_section {
    const char *key, *title;
    const char *command; /* without the trace's name */
    /* Fields of the section's object, `says` first. */
    enum refrain_status (*put)(const struct report *r, struct json *j);
};

extern const struct report_section report_sections[]; /* ended by one without a key */

/* All sections; the object stays open, so that more fields can follow. The first one is `difference`, from other runs (may be
 * NULL). */
enum refrain_status report_put_sections(const struct report *r, const struct run_difference *d,
                                        struct json *j);

/* One in each file. */
enum refrain_status section_overview(const struct report *r, struct json *j);
enum refrain_status section_time(const struct report *r, struct json *j);
enum refrain_status section_waiting(const struct report *r, struct json *j);
enum refrain_status section_communication(const struct report *r, struct json *j);
enum refrain_status section_timeline(const struct report *r, struct json *j);
enum refrain_status section_structure(const struct report *r, struct json *j);
enum refrain_status section_run(const struct report *r, struct json *j);

/* The page of `refrain timeline`; nothing without times of single calls. (section_timeline.c) */
enum refrain_status report_timeline_page(const struct report *r, struct bytes *out);

/* ---- what they share ------------------------------------------------------------------------- */

/* How to record a trace that has times of single calls. */
extern const char report_how_to_time[];

/* The bytes as a string, which are empty then. */
void report_json_text(struct json *j, const char *key, struct bytes *text);
/* Lines as strings of an array; the bytes are empty then. */
void report_json_lines(struct json *j, const char *key, struct bytes *text);
/* Seconds, of nanoseconds. */
void report_json_seconds(struct json *j, const char *key, uint64_t nanoseconds);
/* ns of all threads that are waiting; that at MPI_Init is apart. */
uint64_t report_waiting(const struct report *r);
double report_share(uint64_t part, uint64_t whole); /* 0 … 1 */
/* "3.1 MB" */
void report_put_size(uint64_t bytes, struct bytes *out);
/* "24 MB sent and 24 MB received in collective operations", "40 one-sided accesses write 320 B and read 0 B": each after
 * `before`; nothing of what is not there. */
void report_put_others(const struct report *r, const char *before, struct bytes *out);

#endif
