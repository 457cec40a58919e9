/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/record/thread.h"
#include "src/record/thread_order.h"

/* Lanes have few fields here: thread_order.c uses a thread's ids, its `taken`, and its `next`.
 * thread.c, which makes them otherwise, needs the whole library. */
struct threads threads;

enum { MANY = 4 };

static void add(struct thread *t, struct thread_id id)
{
    t->id = t->user = id;
    atomic_store(&t->taken, true);
    t->next = atomic_load(&threads.first);
    atomic_store(&threads.first, t);
}

/* ---- numbers --------------------------------------------------------------------------------- */

Test(thread_order, the_main_lane_is_first_the_others_by_time_and_then_by_number)
{
    static struct thread lanes[5]; /* in the order of their numbers */
    static const struct thread_id ids[] = {{70, 300}, {50, 900}, {60, 200}, {60, 201}, {61, 100}};
    static const size_t added[] = {3, 0, 4, 1, 2};
    size_t n;
    for (size_t i = 0; i < 5; i++)
        add(&lanes[added[i]], ids[added[i]]);
    atomic_store(&threads.main, &lanes[0]);
    struct thread **list = thread_order_list(&n);
    cr_assert_eq(n, 5);
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(list[i], &lanes[i], "lane %zu", i);
    free(list);
}

static void *say_who(void *out)
{
    pthread_setname_np(pthread_self(), "a) R 1 (2");
    *(struct thread_id *)out = thread_id_of(gettid());
    return NULL;
}

Test(thread_order, a_threads_name_does_not_hide_when_it_began)
{
    const struct thread_id mine = thread_id_of(getpid());
    struct thread_id id;
    pthread_t thread;
    cr_assert_eq(mine.tid, getpid());
    usleep(50000); /* some ticks of the kernel */
    cr_assert_eq(pthread_create(&thread, NULL, say_who, &id), 0);
    pthread_join(thread, NULL);
    cr_assert_gt(mine.start, 0);
    cr_assert_gt(id.start, mine.start);
    cr_assert_lt(id.start, mine.start + 100 * (uint64_t)sysconf(_SC_CLK_TCK));
    cr_assert_eq(thread_id_of(-1).start, 0, "there is none");
}

/* ---- lanes that are used again --------------------------------------------------------------- */

/* The threads of a round are created one after the other, and register with the tracer when the
 * test lets them. */
struct comer {
    pthread_t thread;
    sem_t come, has_come, go;
    struct thread *lane; /* the lane that it got */
};

static void *come(void *argument)
{
    struct comer *c = argument;
    const struct thread_id id = thread_id_of(gettid());
    sem_post(&c->has_come);
    sem_wait(&c->come);
    c->lane = thread_order_take_over(&id);
    if (!c->lane) {
        c->lane = calloc(1, sizeof *c->lane);
        if (!c->lane)
            abort();
        add(c->lane, id);
    }
    c->lane->user = id;
    atomic_store(&c->lane->taken, true);
    sem_post(&c->has_come);
    sem_wait(&c->go);
    atomic_store(&c->lane->taken, false);
    return NULL;
}

static void create(struct comer *c)
{
    sem_init(&c->come, 0, 0);
    sem_init(&c->has_come, 0, 0);
    sem_init(&c->go, 0, 0);
    cr_assert_eq(pthread_create(&c->thread, NULL, come, c), 0);
    sem_wait(&c->has_come);
}

static void let_come(struct comer *c)
{
    sem_post(&c->come);
    sem_wait(&c->has_come);
}

static void let_go(struct comer *c)
{
    sem_post(&c->go);
    pthread_join(c->thread, NULL);
}

/* The next permutation in lexicographic order; false after the last one. */
static bool next_order(size_t *order, size_t n)
{
    size_t i = n - 1, k = n - 1;
    while (i > 0 && order[i - 1] > order[i])
        i--;
    if (i == 0)
        return false;
    while (order[k] < order[i - 1])
        k--;
    const size_t kept = order[i - 1];
    order[i - 1] = order[k];
    order[k] = kept;
    for (k = n - 1; i < k; i++, k--) {
        const size_t other = order[i];
        order[i] = order[k];
        order[k] = other;
    }
    return true;
}

/* `n` threads, which register in this order. */
static void run_round(struct comer *comers, const size_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++)
        create(&comers[i]);
    for (size_t i = 0; i < n; i++)
        let_come(&comers[order[i]]);
    for (size_t i = 0; i < n; i++)
        let_go(&comers[i]);
}

/* Make the main lane and the lanes of a first round. */
static void first_lanes(struct thread **lanes, size_t n)
{
    static struct thread main_lane;
    struct comer comers[MANY];
    add(&main_lane, thread_id_of(gettid()));
    atomic_store(&threads.main, &main_lane);
    for (size_t i = 0; i < n; i++)
        create(&comers[i]);
    for (size_t i = 0; i < n; i++) {
        let_come(&comers[i]);
        lanes[i] = comers[i].lane;
        for (size_t k = 0; k < i; k++)
            cr_assert_neq(lanes[k], lanes[i], "nobody has a lane that is taken");
    }
    for (size_t i = 0; i < n; i++)
        let_go(&comers[i]);
}

Test(thread_order, threads_get_the_lanes_in_the_order_of_their_creation)
{
    struct thread *lanes[MANY];
    struct comer comers[MANY];
    size_t order[MANY] = {0, 1, 2, 3}, rounds = 0;
    first_lanes(lanes, MANY);
    do {
        run_round(comers, order, MANY);
        for (size_t i = 0; i < MANY; i++)
            cr_assert_eq(comers[i].lane, lanes[i], "thread %zu, round %zu", i, rounds);
        rounds++;
    } while (next_order(order, MANY));
    cr_assert_eq(rounds, 24);
}

Test(thread_order, one_after_the_other_they_share_the_first_lane)
{
    struct thread *lanes[MANY];
    struct comer comer;
    const size_t order[] = {0};
    first_lanes(lanes, MANY);
    for (int i = 0; i < 10; i++) {
        run_round(&comer, order, 1);
        cr_assert_eq(comer.lane, lanes[0]);
    }
}

Test(thread_order, lanes_of_threads_that_live_are_left_out)
{
    struct thread *lanes[MANY];
    struct comer comers[MANY];
    const size_t backwards[] = {1, 0};
    first_lanes(lanes, 3);
    for (size_t i = 0; i < 2; i++)
        create(&comers[i]);
    for (size_t i = 0; i < 2; i++)
        let_come(&comers[i]);
    let_go(&comers[0]); /* lanes 0 and 2 are free now, and the thread of lane 1 is alive */
    run_round(&comers[2], backwards, 2);
    cr_assert_eq(comers[2].lane, lanes[0]);
    cr_assert_eq(comers[3].lane, lanes[2]);
    let_go(&comers[1]);
}

Test(thread_order, who_would_come_too_late_has_a_new_lane_even_if_it_is_first)
{
    struct thread *lanes[MANY];
    struct comer comers[MANY];
    const size_t backwards[] = {2, 1, 0};
    first_lanes(lanes, 2);
    run_round(comers, backwards, 3);
    cr_assert_eq(comers[0].lane, lanes[0]);
    cr_assert_eq(comers[1].lane, lanes[1]);
    for (size_t i = 0; i < 2; i++)
        cr_assert_neq(comers[2].lane, lanes[i]);
}

Test(thread_order, a_thread_without_mpi_that_is_older_than_the_last_one_is_not_waited_for)
{
    static struct thread main_lane;
    struct comer comers[3], never;
    const size_t order[] = {0};
    add(&main_lane, thread_id_of(gettid()));
    create(&comers[0]);
    create(&never);
    create(&comers[1]);
    for (size_t i = 0; i < 2; i++)
        let_come(&comers[i]);
    struct thread *const first = comers[0].lane;
    for (size_t i = 0; i < 2; i++)
        let_go(&comers[i]);
    run_round(&comers[2], order, 1);
    cr_assert_eq(comers[2].lane, first);
    let_come(&never);
    let_go(&never);
}

Test(thread_order, numbers_begin_again)
{
    const struct thread_id last = {.start = 17, .tid = 32767}, first = {.start = 17, .tid = 301};
    const struct thread_id next = {.start = 17, .tid = 302}, later = {.start = 18, .tid = 300};
    cr_expect_lt(thread_id_compare(&last, &first), 0);
    cr_expect_gt(thread_id_compare(&first, &last), 0);
    cr_expect_lt(thread_id_compare(&first, &next), 0);
    cr_expect_lt(thread_id_compare(&next, &later), 0);
    cr_expect_eq(thread_id_compare(&next, &next), 0);
}
