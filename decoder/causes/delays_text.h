/* SPDX-License-Identifier: BSD-3-Clause */
/* Delays in text and JSON: first the places that make others wait longest. */
#ifndef REFRAIN_DELAYS_TEXT_H
#define REFRAIN_DELAYS_TEXT_H

#include "causes_text.h"
#include "delay_places.h"

enum refrain_status delays_put_text(const struct delays *d, const struct causes_view *v, struct bytes *out);
/* Members of the open object. */
enum refrain_status delays_put_json(const struct delays *d, const struct causes_view *v, struct json *j);
/* "1.580 s in ranks that wait for it, 210 ms in ranks that wait for those": negligible values are
 * left out. */
void delay_costs_put(const struct delay_place *p, struct bytes *out);
/* Members of the open object. */
void delay_place_put_json(const struct causes_view *v, const struct delay_place *p, struct json *j);

#endif
