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
#include "decoder/report/report_words.h"
#include "decoder/report/run_difference.h"

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

#endif
