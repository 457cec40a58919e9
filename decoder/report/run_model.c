/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_model.h"

#include "decoder/logical/view/logical_text.h"
#include "decoder/model/model_text.h"

/* As much text of the model is read. */
#define BYTES_MOST 200000

/* What is long as a model is longer to make into a program. */
static enum refrain_status is_short(const struct report *r, bool *result)
{
    struct output out = {.kept = true, .most = BYTES_MOST};
    const enum refrain_status status = model_put_text(&r->model, &out);
    *result = !out.closed;
    bytes_free(&out.text);
    return status;
}

static enum refrain_status put_program(const struct report *r, struct output *out)
{
    struct compass compass;
    struct logical logical = {0};
    struct joint joint = {0};
    enum refrain_status status =
        compass_create(&compass, &r->survey, r->traffic.first_rank, r->traffic.n_ranks);
    if (status != REFRAIN_OK)
        return status;
    status = logical_create(&logical, &r->model, &compass);
    if (status == REFRAIN_OK)
        status = joint_create(&joint, &logical);
    if (status == REFRAIN_OK)
        status = logical_put_joint(&logical, &joint, NULL, out);
    joint_free(&joint);
    logical_free(&logical);
    compass_free(&compass);
    return status;
}

enum refrain_status run_model_put(const struct report *r, struct bytes *out)
{
    struct output program = {.kept = true, .most = BYTES_MOST};
    bool is_wanted;
    enum refrain_status status = is_short(r, &is_wanted);
    if (status == REFRAIN_OK && is_wanted)
        status = put_program(r, &program);
    if (status == REFRAIN_OK && is_wanted && !program.closed)
        bytes_put(out, program.text.data, program.text.n);
    bytes_free(&program.text);
    return status;
}
