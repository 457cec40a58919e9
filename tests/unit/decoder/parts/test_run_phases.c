/* SPDX-License-Identifier: BSD-3-Clause */
/* Models divided into phases, and the processes' visits, which have to be those of an event-by-event walk. */
#include <criterion/criterion.h>

#include "decoder/parts/run_phases.h"
#include "decoder/util/text.h"
#include "tests/unit/support/model_program.h"

#include <string.h>

static void say_meeting(struct program *p, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        program_say(p, "%u sync MPI_Barrier world", i);
}

/* Is the last event of the path in the constructs from one number to another, the second maybe in the next
 * iteration? */
static bool is_in(const struct run_phase *phase, const struct model_path *at)
{
    const uint32_t last = phase->first.n - 1;
    const uint64_t from = phase->first.levels[last].number, number = at->frames[last].at;
    bool in = at->depth >= last && (phase->last < from ? number >= from || number <= phase->last
                                                       : number >= from && number <= phase->last);
    for (uint32_t l = 0; l < last && in; l++)
        in = at->frames[l].at == phase->first.levels[l].number;
    const bool first_time = last > 0 && at->indices[last - 1] == 0;
    return in && !(phase->leads && !first_time) &&
           !(phase->last < from && first_time && number <= phase->last);
}

static uint32_t phase_at(const struct run_phases *p, const struct model_path *at)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < p->items.n; i++) {
        const struct run_phase *phase = &p->items.items[i];
        if (!is_in(phase, at))
            continue;
        const uint32_t in = phase->same != RUN_PHASE_NONE ? phase->same : i;
        cr_assert(found == UINT32_MAX || found == in || p->items.items[found].leads,
                  "an event in two phases");
        found = found == UINT32_MAX ? in : found;
    }
    cr_assert_neq(found, UINT32_MAX, "an event in no phase");
    return found;
}

static void check_visits(const struct run_phases *p, const struct model *m, uint32_t process)
{
    struct phase_walk walk;
    struct phase_visit visit = {0};
    struct model_path at;
    cr_assert_eq(phase_walk_start(&walk, p, process), REFRAIN_OK);
    model_path_start(&at, m->all, process);
    while (model_path_next(&at)) {
        if (visit.events == 0)
            cr_assert(phase_walk_next(&walk, &visit), "too few visits");
        cr_assert_eq(visit.phase, phase_at(p, &at));
        visit.events--;
    }
    cr_assert_eq(visit.events, 0);
    cr_assert_not(phase_walk_next(&walk, &visit), "too many visits");
    phase_walk_stop(&walk);
}

/* "1-2| 3.1 4+": the paths of the phases; "|": all processes meet at its end; "+": in a loop of the top
 * level; ">": leads into a loop; "=": a part of another one. Ends the program. */
static void expect(struct program *program, const char *text)
{
    struct run_phases p;
    struct bytes said = {0};
    program_model(program);
    cr_assert_eq(run_phases_create(&p, &program->model), REFRAIN_OK);
    for (uint32_t i = 0; i < p.items.n; i++) {
        text_put(&said, i > 0 ? " " : "");
        run_phases_put_path(&p, i, i, &said);
        text_put(&said, p.items.items[i].loop ? "+" : "");
        text_put(&said, p.items.items[i].leads ? ">" : "");
        text_put(&said, p.items.items[i].same != RUN_PHASE_NONE ? "=" : "");
        text_put(&said, p.items.items[i].met ? "|" : "");
    }
    text_putc(&said, '\0');
    cr_assert_str_eq((const char *)said.data, text);
    for (uint32_t i = 0; i < program->model.processes.n; i++)
        check_visits(&p, &program->model, i);
    bytes_free(&said);
    run_phases_free(&p);
    program_end(program);
}

Test(run_phases, end_where_all_meet)
{
    struct program p = {0};
    program_say(&p, "0 send 1 a");
    program_say(&p, "1 recv 0 a");
    say_meeting(&p, 3);
    program_say(&p, "0 sync MPI_Barrier pair");
    program_say(&p, "1 sync MPI_Barrier pair");
    program_say(&p, "2 local x");
    say_meeting(&p, 3);
    expect(&p, "1-2| 3-5|");
}

Test(run_phases, a_loop_in_which_all_meet_is_divided)
{
    struct program p = {0};
    program_say(&p, "0 local begin");
    for (int i = 0; i < 10; i++) {
        program_say(&p, "0 send 1 a");
        program_say(&p, "1 recv 0 a");
        say_meeting(&p, 2);
        program_say(&p, "1 local x");
        say_meeting(&p, 2);
        program_say(&p, "0 local y");
    }
    program_say(&p, "1 local end");
    expect(&p, "1 2.1-2+=| 2.3-4+| 2.5-2+| 3");
}

Test(run_phases, a_loop_of_all_is_alone)
{
    struct program p = {0};
    program_say(&p, "0 local begin");
    for (int i = 0; i < 10; i++) {
        program_say(&p, "0 send 1 a");
        program_say(&p, "1 recv 0 a");
    }
    program_say(&p, "0 local middle");
    for (int i = 0; i < 10; i++)
        program_say(&p, "0 local z");
    program_say(&p, "1 local end");
    expect(&p, "1 2+ 3-5");
}

/* Inner loops are longer each time, and only process 1 has them. */
Test(run_phases, visits_differ)
{
    struct program p = {0};
    for (int i = 0; i < 8; i++) {
        program_say(&p, "0 local x");
        program_say(&p, "1 local x");
        say_meeting(&p, 2);
        for (int k = 0; k <= i; k++)
            program_say(&p, "1 local work %d", k);
        program_say(&p, "0 local y");
        say_meeting(&p, 2);
    }
    expect(&p, "1-3| 4 5.1-2>| 5.3-5+| 5.6-2+| 6-7=|");
}

Test(run_phases, a_loop_in_a_loop)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++) {
        program_say(&p, "0 local x");
        program_say(&p, "1 local x");
        for (int k = 0; k < 7; k++) {
            program_say(&p, "0 local y");
            program_say(&p, "1 local y");
            say_meeting(&p, 2);
        }
        program_say(&p, "1 local z");
        program_say(&p, "0 local z");
        say_meeting(&p, 2);
    }
    expect(&p, "1.1-2+ 1.3.1-3+| 1.4-6+|");
}

/* A barrier before the loop makes barriers the begins of its iterations. */
Test(run_phases, a_loop_that_ends_in_the_next_iteration)
{
    struct program p = {0};
    program_say(&p, "0 local begin");
    say_meeting(&p, 2);
    for (int i = 0; i < 5; i++) {
        program_say(&p, "0 send 1 a");
        program_say(&p, "1 recv 0 a");
        say_meeting(&p, 2);
    }
    program_say(&p, "0 local end");
    expect(&p, "1 2.1>| 2.2-1+| 3=| 4");
}
