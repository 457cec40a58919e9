/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_model.h"

#include "decoder/logical/view/logical_text.h"
#include "decoder/model/model_text.h"

/* As much text of the model is compared. */
#define BYTES_MOST 200000
/* In a longer run, sizes and times of the lines, for which all calls are read, are left out. */
#define CALLS_MOST 20000000

/* What is long as a model is longer to make into a program. */
static enum refrain_status is_short(const struct report *r, size_t most, bool *result)
{
    struct output out = {.kept = true, .most = most};
    const enum refrain_status status = model_put_text(&r->model, &out);
    *result = !out.closed;
    bytes_free(&out.text);
    return status;
}

/* `what`: ANNOTATE_…; 0: nothing. */
static enum refrain_status put_program(const struct report *r, unsigned what, struct output *out)
{
    struct annotations notes = {0};
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
    if (status == REFRAIN_OK && what)
        status = annotations_create(&notes, &logical, r->reader, &r->definitions, &r->symbols, what);
    if (status == REFRAIN_OK && what)
        status = annotations_name_procedures(&notes, &logical);
    if (status == REFRAIN_OK)
        status = logical_put_joint(&logical, &joint, what ? &notes : NULL, out);
    annotations_free(&notes);
    joint_free(&joint);
    logical_free(&logical);
    compass_free(&compass);
    return status;
}

enum refrain_status run_model_put(const struct report *r, struct bytes *out)
{
    struct output program = {.kept = true, .most = BYTES_MOST};
    bool is_wanted;
    enum refrain_status status = is_short(r, BYTES_MOST, &is_wanted);
    if (status == REFRAIN_OK && is_wanted)
        status = put_program(r, 0, &program);
    if (status == REFRAIN_OK && is_wanted && !program.closed)
        bytes_put(out, program.text.data, program.text.n);
    bytes_free(&program.text);
    return status;
}

static uint64_t count_calls(const struct report *r)
{
    uint64_t n = 0;
    for (size_t i = 0; i < r->reader->trace.functions.functions.n; i++)
        n += r->statistics.functions[i].calls;
    return n;
}

enum refrain_status run_model_annotate(const struct report *r, struct output *out)
{
    const bool all = count_calls(r) <= CALLS_MOST;
    const unsigned what =
        ANNOTATE_SITES | (all ? ANNOTATE_SIZES : 0) | (all && r->timed ? ANNOTATE_TIMES : 0);
    bool is_wanted;
    const enum refrain_status status = is_short(r, out->most, &is_wanted);
    if (status != REFRAIN_OK)
        return status;
    return is_wanted ? put_program(r, what, out) : model_put_text(&r->model, out);
}
