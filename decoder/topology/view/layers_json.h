/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes members of a topology's JSON: "beside", "layers", and "phases" if phases were wanted. */
#ifndef REFRAIN_LAYERS_JSON_H
#define REFRAIN_LAYERS_JSON_H

#include "decoder/util/json.h"
#include "topology_text.h"

enum refrain_status layers_put_json(struct json *j, const struct survey *s,
                                    const struct topology_subject *subject);

#endif
