/* SPDX-License-Identifier: BSD-3-Clause */
/* Delays in text and JSON: the places that make others wait longest, first. */
#ifndef REFRAIN_DELAYS_TEXT_H
#define REFRAIN_DELAYS_TEXT_H

#include "causes_text.h"

enum refrain_status delays_put_text(const struct delays *d, const struct causes_view *v, struct bytes *out);
/* "because ranks 5-7 compute 40 % longer before MPI_Isend at relax (solve.c:88) (costs 1.580 s directly, 210 ms further on)": what costs most
 * of those who wait in calls at this site, in waiting of these kinds (EVENTS of wait_event.h). Nothing, if nobody does. */
enum refrain_status delays_put_reason(const struct delays *d, const struct causes_view *v, uint32_t site,
                                      uint32_t kinds, struct bytes *out);
/* The same as a member of the open object; null, if nobody waits. */
enum refrain_status delays_put_reason_json(const struct delays *d, const struct causes_view *v, uint32_t site,
                                           uint32_t kinds, const char *name, struct json *j);
/* Members of the open object. */
enum refrain_status delays_put_json(const struct delays *d, const struct causes_view *v, struct json *j);

#endif
