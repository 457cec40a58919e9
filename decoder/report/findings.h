/* SPDX-License-Identifier: BSD-3-Clause */
/* What a report says in words: the most expensive waiting, and what to be careful about. */
#ifndef REFRAIN_FINDINGS_H
#define REFRAIN_FINDINGS_H

#include "decoder/waits/report/waits_text.h"
#include "report.h"

#define FINDINGS 3 /* of the most expensive waiting, with its reasons */

/* Of `refrain waits`: as many. */
struct waits_view findings_view(const struct report *r);
/* "lu.W.x ran 4.7 s on 8 ranks …": one or two sentences. */
void findings_put_summary(const struct report *r, struct bytes *out);
/* "3.528 s  late sender in MPI_Recv at exchange (halo.c:31), ranks 0-2, …; because rank 3 computes …; without that
 * delay the run would take …": the most expensive first. `between` is what stands before "because" and "without". */
void findings_put_waits(const struct report *r, const char *between, struct bytes *out);
/* Where computing is uneven, and what refills of pipelines cost: lines, those below another one are indented. */
void findings_put_notes(const struct report *r, struct bytes *out);
/* What is missing, uncertain or corrected: sentences, a line each. */
void findings_put_warnings(const struct report *r, struct bytes *out);

#endif
