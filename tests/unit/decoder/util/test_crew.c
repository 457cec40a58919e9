#include <criterion/criterion.h>

#include "decoder/util/crew.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { TASKS = 1000, INNER = 20 };

struct tally {
    struct crew *crew;
    atomic_uint done[TASKS], inner[TASKS];
    atomic_uint by_thread[8];
    size_t fails; /* tasks from this number on fail */
};

static struct crew *crew_of(const char *threads)
{
    setenv("REFRAIN_THREADS", threads, 1);
    struct crew *c = crew_create();
    cr_assert(c);
    return c;
}

static enum refrain_status count(void *context, size_t number, unsigned thread)
{
    struct tally *t = context;
    cr_assert_lt(thread, crew_size(t->crew));
    atomic_fetch_add(&t->done[number], 1);
    atomic_fetch_add(&t->by_thread[thread], 1);
    return number < t->fails ? REFRAIN_OK : number == t->fails ? REFRAIN_ERR_CHECK : REFRAIN_ERR_FORMAT;
}

static void count_all(const char *threads, unsigned size)
{
    struct tally t = {.crew = crew_of(threads), .fails = TASKS};
    unsigned by_thread = 0;
    cr_assert_eq(crew_size(t.crew), size);
    for (unsigned round = 1; round < 10; round++) {
        cr_assert_eq(crew_run(t.crew, 0, TASKS, count, &t), REFRAIN_OK);
        for (size_t i = 0; i < TASKS; i++)
            cr_assert_eq(t.done[i], round);
    }
    for (unsigned i = 0; i < size; i++)
        by_thread += t.by_thread[i];
    cr_assert_eq(by_thread, 9 * TASKS);
    cr_assert_eq(crew_run(t.crew, 0, 0, count, &t), REFRAIN_OK, "nothing to do");
    crew_free(t.crew);
}

Test(crew, each_task_is_done_once)
{
    count_all("1", 1);
    count_all("2", 2);
    count_all("7", 7);
}

Test(crew, threads_are_as_many_as_processors_unless_it_is_said)
{
    unsetenv("REFRAIN_THREADS");
    struct crew *usual = crew_create(), *wrong = crew_of("no");
    cr_assert_geq(crew_size(usual), 1);
    cr_assert_eq(crew_size(wrong), crew_size(usual));
    crew_free(usual);
    crew_free(wrong);
    crew_free(NULL);
}

static enum refrain_status count_inner(void *context, size_t number, unsigned thread)
{
    (void)thread;
    atomic_fetch_add((atomic_uint *)context + number, 1);
    return REFRAIN_OK;
}

static enum refrain_status have_counted(void *context, size_t number, unsigned thread)
{
    struct tally *t = context;
    const size_t first = number * INNER;
    const enum refrain_status status = crew_run(t->crew, thread, INNER, count_inner, &t->inner[first]);
    for (size_t i = first; i < first + INNER; i++)
        cr_assert_eq(t->inner[i], 1, "done when crew_run comes back");
    return status;
}

Test(crew, tasks_have_tasks)
{
    struct tally t = {.crew = crew_of("3")};
    cr_assert_eq(crew_run(t.crew, 0, TASKS / INNER, have_counted, &t), REFRAIN_OK);
    for (size_t i = 0; i < TASKS; i++)
        cr_assert_eq(t.inner[i], 1);
    crew_free(t.crew);
}

Test(crew, the_first_failure_counts_and_no_more_begins)
{
    for (unsigned round = 0; round < 50; round++) {
        struct tally t = {.crew = crew_of(round % 2 ? "1" : "4"), .fails = 10};
        unsigned done = 0;
        cr_assert_eq(crew_run(t.crew, 0, TASKS, count, &t), REFRAIN_ERR_CHECK);
        for (size_t i = 0; i < TASKS; i++)
            done += t.done[i];
        cr_assert(done > 10 && done < 10 + 2 * crew_size(t.crew), "%u", done);
        crew_free(t.crew);
    }
}
