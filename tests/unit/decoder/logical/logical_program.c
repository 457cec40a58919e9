/* SPDX-License-Identifier: BSD-3-Clause */
#include "logical_program.h"

#include <criterion/criterion.h>

#include "decoder/logical/view/logical_walk.h"
#include "decoder/loops/loop_text.h"

#include <string.h>

/* Each send is a message of 8 bytes. */
static void add_sends(struct matrix *m, const struct program *p, uint32_t process)
{
    struct model_path at;
    const struct act *act;
    model_path_start(&at, p->model.all, process);
    while ((act = model_path_next(&at))) {
        const char *text = event_template_text(&p->templates, &p->templates.items.items[act->template]);
        if (memcmp(text + 1, " send ", 6) != 0 || text[7] != EVENT_RANK)
            continue;
        const uint64_t to = affine_value(act->words + at.depth + 1, at.depth, at.indices);
        cr_assert_eq(matrix_add(m, p->model.processes.items[process].rank, (uint32_t)to, 1, 8), REFRAIN_OK);
    }
}

void logical_start(struct logical_program *l, const struct program *p, uint32_t n_ranks)
{
    const struct survey_choice choice = {.threshold = 0.05};
    *l = (struct logical_program){.matrix = {.n_ranks = n_ranks}};
    for (uint32_t i = 0; i < p->model.processes.n; i++)
        add_sends(&l->matrix, p, i);
    matrix_finish(&l->matrix);
    cr_assert_eq(pattern_library_create(&l->library), REFRAIN_OK);
    cr_assert_eq(traffic_create(&l->traffic, &l->matrix), REFRAIN_OK);
    cr_assert_eq(survey_create(&l->survey, &l->traffic, &l->library, &choice), REFRAIN_OK);
    cr_assert_eq(compass_create(&l->compass, &l->survey, 0, n_ranks), REFRAIN_OK);
    cr_assert_eq(logical_create(&l->logical, &p->model, &l->compass), REFRAIN_OK);
}

void logical_end(struct logical_program *l)
{
    logical_free(&l->logical);
    compass_free(&l->compass);
    survey_free(&l->survey);
    traffic_free(&l->traffic);
    matrix_free(&l->matrix);
    pattern_library_free(&l->library);
}

/* Compares the events of the program with those of its logical program and its messages. */
static void check_events(const struct logical_program *l, struct joint *joint, const struct program *p,
                         uint32_t process)
{
    struct output expanded = {0}, wanted = {0};
    cr_assert_eq(logical_put_events(&l->logical, joint, process, &expanded), REFRAIN_OK);
    cr_assert_eq(loop_put_events(&p->groups, &p->groups.members.items[process], &wanted), REFRAIN_OK);
    cr_assert(expanded.text.n == wanted.text.n &&
                  (wanted.text.n == 0 || memcmp(expanded.text.data, wanted.text.data, wanted.text.n) == 0),
              "process %u:\n%.*s\ninstead of\n%.*s", process, (int)expanded.text.n,
              (char *)expanded.text.data, (int)wanted.text.n, (char *)wanted.text.data);
    bytes_free(&expanded.text);
    bytes_free(&wanted.text);
}

void logical_check(const struct logical_program *l, const struct program *p)
{
    struct joint joint;
    cr_assert_eq(joint_create(&joint, &l->logical), REFRAIN_OK);
    for (uint32_t i = 0; i < p->model.processes.n; i++) {
        check_events(l, NULL, p, i);
        check_events(l, &joint, p, i);
    }
    joint_free(&joint);
}

/* Compares the text from the first empty line on. */
static void check_text(const struct logical_program *l, struct joint *joint, const char *wanted)
{
    struct output out = {0};
    cr_assert_eq(joint ? logical_put_joint(&l->logical, joint, NULL, &out)
                       : logical_put_text(&l->logical, NULL, &out),
                 REFRAIN_OK);
    bytes_put_u8(&out.text, '\0');
    const char *body = strstr((const char *)out.text.data, "\n\n");
    cr_assert_not_null(body);
    cr_assert_str_eq(body + 2, wanted, "%s\ninstead of\n%s", body + 2, wanted);
    bytes_free(&out.text);
}

void logical_expect(struct program *p, uint32_t n_ranks, const char *text)
{
    struct logical_program l;
    program_model(p);
    logical_start(&l, p, n_ranks);
    logical_check(&l, p);
    check_text(&l, NULL, text);
    logical_end(&l);
    program_end(p);
}

void joint_expect(struct program *p, uint32_t n_ranks, const char *text)
{
    struct logical_program l;
    struct joint joint;
    program_model(p);
    logical_start(&l, p, n_ranks);
    logical_check(&l, p);
    cr_assert_eq(joint_create(&joint, &l.logical), REFRAIN_OK);
    check_text(&l, &joint, text);
    joint_free(&joint);
    logical_end(&l);
    program_end(p);
}
