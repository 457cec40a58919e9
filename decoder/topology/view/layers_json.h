/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of the JSON of a topology: "beside", "layers", and "phases" if these were asked for. */
#ifndef REFRAIN_LAYERS_JSON_H
#define REFRAIN_LAYERS_JSON_H

#include "decoder/util/json.h"
#include "topology_text.h"

enum refrain_status layers_put_json(struct json *j, const struct survey *s,
                                    const struct topology_subject *subject);

#endif
