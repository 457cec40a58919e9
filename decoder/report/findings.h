/* SPDX-License-Identifier: BSD-3-Clause */
/* The sentences of a report: the most expensive waiting, notes and warnings. */
#ifndef REFRAIN_FINDINGS_H
#define REFRAIN_FINDINGS_H

#include "decoder/waits/report/waits_text.h"
#include "report.h"

#define FINDINGS 3 /* of the most expensive waiting, with its reasons */

/* Of `refrain waits`: as many. */
struct waits_view findings_view(const struct report *r);
/* "lu.W.x ran 4.7 s on 8 ranks …": one or two sentences. */
void findings_put_summary(const struct report *r, struct bytes *out);
/* Why ranks wait, of all waiting (waits_put_main). */
void findings_put_main(const struct report *r, const char *before, const char *heading, struct bytes *out);
/* "3.528 s  late sender in MPI_Recv at exchange (halo.c:31), ranks 0-2, …; because rank 3 computes …; without
 * that delay the run would take …": the most expensive first. `between` is what stands before "because" and
 * "without"; `numbered`: put "1  " before the first, and so on. */
void findings_put_waits(const struct report *r, const char *between, bool numbered, struct bytes *out);
/* Appends notes on load imbalance and on the cost of pipeline refills, one per line. Details are indented
 * below their note. */
void findings_put_notes(const struct report *r, struct bytes *out);
/* Appends warnings about missing, uncertain or corrected data, one sentence per line. */
void findings_put_warnings(const struct report *r, struct bytes *out);

#endif
