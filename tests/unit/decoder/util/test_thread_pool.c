/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/util/thread_pool.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { TASKS = 1000, INNER = 20 };

struct tally {
    struct thread_pool *pool;
    atomic_uint done[TASKS], inner[TASKS];
    atomic_uint by_thread[8];
    size_t fails; /* tasks from this number on fail */
};

static struct thread_pool *thread_pool_of(const char *threads)
{
    setenv("REFRAIN_THREADS", threads, 1);
    struct thread_pool *c = thread_pool_create();
    cr_assert(c);
    return c;
}

static enum refrain_status count(void *context, size_t number, unsigned thread)
{
    struct tally *t = context;
    cr_assert_lt(thread, thread_pool_size(t->pool));
    atomic_fetch_add(&t->done[number], 1);
    atomic_fetch_add(&t->by_thread[thread], 1);
    return number < t->fails ? REFRAIN_OK : number == t->fails ? REFRAIN_ERR_CHECK : REFRAIN_ERR_FORMAT;
}

static void count_all(const char *threads, unsigned size)
{
    struct tally t = {.pool = thread_pool_of(threads), .fails = TASKS};
    unsigned by_thread = 0;
    cr_assert_eq(thread_pool_size(t.pool), size);
    for (unsigned round = 1; round < 10; round++) {
        cr_assert_eq(thread_pool_run(t.pool, 0, TASKS, count, &t), REFRAIN_OK);
        for (size_t i = 0; i < TASKS; i++)
            cr_assert_eq(t.done[i], round);
    }
    for (unsigned i = 0; i < size; i++)
        by_thread += t.by_thread[i];
    cr_assert_eq(by_thread, 9 * TASKS);
    cr_assert_eq(thread_pool_run(t.pool, 0, 0, count, &t), REFRAIN_OK, "nothing to do");
    thread_pool_free(t.pool);
}

Test(thread_pool, each_task_is_done_once)
{
    count_all("1", 1);
    count_all("2", 2);
    count_all("7", 7);
}

Test(thread_pool, threads_are_as_many_as_processors_unless_it_is_said)
{
    unsetenv("REFRAIN_THREADS");
    struct thread_pool *usual = thread_pool_create(), *wrong = thread_pool_of("no");
    cr_assert_geq(thread_pool_size(usual), 1);
    cr_assert_eq(thread_pool_size(wrong), thread_pool_size(usual));
    thread_pool_free(usual);
    thread_pool_free(wrong);
    thread_pool_free(NULL);
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
    const enum refrain_status status = thread_pool_run(t->pool, thread, INNER, count_inner, &t->inner[first]);
    for (size_t i = first; i < first + INNER; i++)
        cr_assert_eq(t->inner[i], 1, "done when thread_pool_run comes back");
    return status;
}

Test(thread_pool, tasks_have_tasks)
{
    struct tally t = {.pool = thread_pool_of("3")};
    cr_assert_eq(thread_pool_run(t.pool, 0, TASKS / INNER, have_counted, &t), REFRAIN_OK);
    for (size_t i = 0; i < TASKS; i++)
        cr_assert_eq(t.inner[i], 1);
    thread_pool_free(t.pool);
}

Test(thread_pool, the_first_failure_counts_and_no_more_begins)
{
    for (unsigned round = 0; round < 50; round++) {
        struct tally t = {.pool = thread_pool_of(round % 2 ? "1" : "4"), .fails = 10};
        unsigned done = 0;
        cr_assert_eq(thread_pool_run(t.pool, 0, TASKS, count, &t), REFRAIN_ERR_CHECK);
        for (size_t i = 0; i < TASKS; i++)
            done += t.done[i];
        cr_assert(done > 10 && done < 10 + 2 * thread_pool_size(t.pool), "%u", done);
        thread_pool_free(t.pool);
    }
}

/* Jobs under way are ended in another order than begun; a failure is reported when its job ends. */
Test(thread_pool, jobs_are_done_meanwhile)
{
    static const char *const threads[] = {"1", "3"};
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        struct tally t = {.pool = thread_pool_of(threads[k]), .fails = 20};
        struct thread_pool_job jobs[3];
        thread_pool_begin(t.pool, &jobs[0], 1, count, &t);
        thread_pool_begin(t.pool, &jobs[1], INNER, count, &t);
        thread_pool_begin(t.pool, &jobs[2], 0, count, &t);
        cr_assert_eq(thread_pool_run(t.pool, 0, 10, count, &t), REFRAIN_OK);
        for (unsigned i = 0; i < 3; i++)
            cr_assert_eq(thread_pool_end(t.pool, 0, &jobs[i]), REFRAIN_OK);
        cr_assert_eq(t.done[0], 3);
        cr_assert_eq(t.done[INNER - 1], 1);
        t.fails = 1;
        thread_pool_begin(t.pool, &jobs[0], INNER, count, &t);
        cr_assert_eq(thread_pool_end(t.pool, 0, &jobs[0]), REFRAIN_ERR_CHECK);
        thread_pool_free(t.pool);
    }
}

struct line {
    atomic_size_t next;
    atomic_uint wrong;
    size_t fails;
};

/* Task `number` is the next one, and no other runs. */
static enum refrain_status be_next(void *context, size_t number, unsigned thread)
{
    struct line *l = context;
    (void)thread;
    atomic_fetch_add(&l->wrong, atomic_load(&l->next) != number);
    for (volatile unsigned i = 0; i < 1000; i++)
        continue;
    atomic_fetch_add(&l->wrong, atomic_load(&l->next) != number);
    atomic_store(&l->next, number + 1);
    return number == l->fails ? REFRAIN_ERR_CHECK : REFRAIN_OK;
}

Test(thread_pool, a_queue_is_done_in_order_beside_other_jobs)
{
    static const char *const threads[] = {"1", "2", "5"};
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        struct tally t = {.pool = thread_pool_of(threads[k]), .fails = TASKS};
        struct line line = {.fails = TASKS};
        struct thread_pool_job queue, other;
        thread_pool_begin_queue(t.pool, &queue, be_next, &line);
        for (unsigned i = 0; i < TASKS; i++) {
            cr_assert_eq(thread_pool_wait(t.pool, 0, &queue, 4), REFRAIN_OK);
            cr_assert_geq(line.next + 4, i);
            thread_pool_add(t.pool, &queue);
            thread_pool_begin(t.pool, &other, 3, count, &t);
            cr_assert_eq(thread_pool_end(t.pool, 0, &other), REFRAIN_OK);
        }
        cr_assert_eq(thread_pool_end(t.pool, 0, &queue), REFRAIN_OK);
        cr_assert_eq(line.next, TASKS);
        cr_assert_eq(line.wrong, 0);
        cr_assert_eq(t.done[2], TASKS);
        thread_pool_free(t.pool);
    }
}

Test(thread_pool, a_queue_ends_at_a_failure)
{
    for (unsigned round = 0; round < 50; round++) {
        struct line line = {.fails = 10};
        struct thread_pool *pool = thread_pool_of(round % 2 ? "1" : "3");
        struct thread_pool_job queue;
        enum refrain_status status = REFRAIN_OK;
        thread_pool_begin_queue(pool, &queue, be_next, &line);
        for (unsigned i = 0; i < TASKS && status == REFRAIN_OK; i++) {
            thread_pool_add(pool, &queue);
            status = thread_pool_wait(pool, 0, &queue, 3);
        }
        cr_assert_eq(status, REFRAIN_ERR_CHECK);
        cr_assert_eq(thread_pool_end(pool, 0, &queue), REFRAIN_ERR_CHECK);
        cr_assert_eq(line.next, 11);
        cr_assert_eq(line.wrong, 0);
        thread_pool_free(pool);
    }
}
