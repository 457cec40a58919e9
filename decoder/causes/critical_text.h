/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path in text and JSON: by call site and rank, and how unevenly ranks share what it is made of.
 *
 * What ranks do in turns is as long on the path as on the mean rank; the rest is *beyond the mean*: what the run would be shorter if all ranks
 * had the same to do there, and waited for nobody. */
#ifndef REFRAIN_CRITICAL_TEXT_H
#define REFRAIN_CRITICAL_TEXT_H

#include "causes_text.h"
#include "critical_search.h"

enum refrain_status critical_put_text(const struct critical_search *s, const struct causes_view *v,
                                      struct bytes *out);
enum refrain_status critical_put_json(const struct critical_search *s, const struct causes_view *v,
                                      struct bytes *out);

#endif
