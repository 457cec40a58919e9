#include <criterion/criterion.h>

#include "event_file.h"
#include "model_text.h"
#include "random.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A program as lines of events (event_file.h), and its model. */
struct program {
    struct bytes lines;
    struct event_forms forms;
    struct loop_groups groups;
    struct model model;
};

static void say(struct program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct program *p, const char *format, ...)
{
    char line[128];
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    cr_assert(n > 0 && (size_t)n < sizeof line);
    bytes_put(&p->lines, line, (size_t)n);
    bytes_put_u8(&p->lines, '\n');
}

static void make_model(struct program *p)
{
    char path[64];
    const int file = memfd_create("events", 0);
    cr_assert(file >= 0);
    cr_assert_eq(write(file, p->lines.data, p->lines.n), (ssize_t)p->lines.n);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    p->groups.forms = &p->forms;
    cr_assert_eq(event_file_model(path, 0, &p->forms, &p->groups), REFRAIN_OK);
    close(file);
    cr_assert_eq(model_create(&p->model, &p->groups), REFRAIN_OK);
}

static void end_program(struct program *p)
{
    model_free(&p->model);
    loop_groups_free(&p->groups);
    event_forms_free(&p->forms);
    bytes_free(&p->lines);
}

/* ---- what has to hold of every model --------------------------------------------------------------------
 */

/* Expanded, it is each process's own lines. */
static void check_expansion(const struct program *p)
{
    for (uint32_t i = 0; i < p->model.processes.n; i++) {
        struct output out = {0};
        struct bytes own = {0};
        char prefix[16];
        const size_t n = (size_t)snprintf(prefix, sizeof prefix, "%u ", p->model.processes.items[i].rank);
        for (size_t at = 0; at < p->lines.n;) {
            const uint8_t *line = p->lines.data + at, *end = memchr(line, '\n', p->lines.n - at);
            const size_t length = (size_t)(end - line) + 1;
            if (memcmp(line, prefix, n) == 0)
                bytes_put(&own, line, length);
            at += length;
        }
        cr_assert_eq(model_put_events(&p->model, i, &out), REFRAIN_OK);
        cr_assert(own.n == out.text.n && memcmp(own.data, out.text.data, own.n) == 0,
                  "rank %s:\n%.*s\ninstead of\n%.*s", prefix, (int)out.text.n, (char *)out.text.data,
                  (int)own.n, (char *)own.data);
        bytes_free(&own);
        bytes_free(&out.text);
    }
}

#define KEYS_MAX 4096

/* The model as if all processes ran, in its order. */
struct run {
    const struct program *program;
    struct event_forms keys;
    uint64_t counts[KEYS_MAX];
    bool causal; /* nothing may be received before it is sent */
    uint64_t messages, events;
};

/* An act as its end of a channel: "s 0 1 tag5", "r 0 1 tag5", "sync 2 name group"; `partner` is the other
 * end. */
static uint32_t key_of(struct run *r, const struct act *act, uint32_t depth, const uint64_t *indices,
                       bool partner)
{
    const struct event_form *form = &r->program->forms.items.items[act->form];
    const char *text = event_form_text(&r->program->forms, form);
    const size_t head = model_head_end(text, form->n);
    const uint64_t process = affine_value(act->words, depth, indices);
    const bool sends = memcmp(text + 1, " send ", 6) == 0;
    struct bytes key = {0};
    uint32_t out, k = 1;
    if (head > 1) {
        const uint64_t peer = affine_value(act->words + depth + 1, depth, indices);
        text_printf(&key, "%s %d %d", sends == partner ? "r" : "s", (int)(sends ? process : peer),
                    (int)(sends ? peer : process));
        k = 2;
    } else {
        text_printf(&key, "%d", (int)process);
    }
    for (size_t i = head; i < form->n; i++) {
        if (text[i] == EVENT_NUMBER || text[i] == EVENT_RANK)
            text_int(&key, (int64_t)affine_value(act->words + (size_t)k++ * (depth + 1), depth, indices));
        else
            text_putc(&key, text[i]);
    }
    cr_assert_eq(event_forms_intern(&r->keys, (char *)key.data, key.n, &out), REFRAIN_OK);
    cr_assert_lt(out, KEYS_MAX);
    bytes_free(&key);
    return out;
}

static void run_event(struct run *r, const struct construct *c, const uint64_t *indices)
{
    const uint64_t first = r->counts[key_of(r, &c->acts[0], c->depth, indices, false)];
    for (uint32_t k = 0; k < c->n_acts; k++) {
        const struct event_form *form = &r->program->forms.items.items[c->acts[k].form];
        const char *text = event_form_text(&r->program->forms, form);
        const uint64_t number = r->counts[key_of(r, &c->acts[k], c->depth, indices, false)]++;
        cr_assert_eq(number, first, "what is one construct belongs together");
        if (r->causal && memcmp(text + 1, " recv ", 6) == 0)
            cr_assert_lt(number, r->counts[key_of(r, &c->acts[k], c->depth, indices, true)], "it was sent");
    }
    r->messages += c->n_acts == 2;
    r->events += c->n_acts;
}

static void run_system(struct run *r, const struct system *s, uint64_t *indices)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct construct *c = s->items[i];
        if (!construct_is_loop(c)) {
            run_event(r, c, indices);
            continue;
        }
        const int64_t count = (int64_t)affine_value(c->count, c->depth, indices);
        for (int64_t k = 0; k < count; k++) {
            indices[c->depth] = (uint64_t)k;
            run_system(r, c->body, indices);
        }
    }
}

static struct run run_model(const struct program *p, bool causal)
{
    struct run r = {.program = p, .causal = causal};
    uint64_t indices[SYSTEM_DEPTH_MAX] = {0};
    run_system(&r, p->model.all, indices);
    event_forms_free(&r.keys);
    return r;
}

static void expect(struct program *p, const char *text)
{
    struct output out = {0};
    make_model(p);
    check_expansion(p);
    run_model(p, false);
    cr_assert_eq(model_put_text(&p->model, &out), REFRAIN_OK);
    bytes_put_u8(&out.text, '\0');
    cr_assert_str_eq((char *)out.text.data, text);
    bytes_free(&out.text);
    end_program(p);
}

/* ---- two processes --------------------------------------------------------------------------------------
 */

Test(model, loops_that_communicate_become_one)
{
    struct program p = {0};
    for (int i = 0; i < 10; i++) {
        say(&p, "0 send 1 a");
        say(&p, "1 recv 0 a");
        say(&p, "1 local work %d", i);
    }
    expect(&p, "for i0 = 1 to 10   [0-1]\n"
               "  0 -> 1 a\n"
               "  1 local work -1+i0\n"
               "done\n");
}

Test(model, a_loop_is_split_where_its_partner_changes)
{
    struct program p = {0};
    for (int i = 0; i < 10; i++) {
        say(&p, "0 send 1 a");
        if (i == 4)
            say(&p, "1 local x");
        say(&p, "1 recv 0 a");
    }
    expect(&p, "for i0 = 1 to 4   [0-1]\n"
               "  0 -> 1 a\n"
               "done\n"
               "1 local x\n"
               "for i0 = 1 to 6   [0-1]\n"
               "  0 -> 1 a\n"
               "done\n");
}

Test(model, tags_are_channels_of_their_own)
{
    struct program p = {0};
    for (int i = 0; i < 10; i++) {
        say(&p, "0 send 1 a");
        say(&p, "0 send 1 b");
        say(&p, "1 recv 0 b");
        say(&p, "1 recv 0 a");
    }
    expect(&p, "for i0 = 1 to 10   [0-1]\n"
               "  0 send 1 a\n"
               "  0 -> 1 b\n"
               "  1 recv 0 a\n"
               "done\n");
}

Test(model, a_tag_that_counts_is_one_channel)
{
    struct program p = {0};
    for (int i = 0; i < 40; i++) {
        say(&p, "0 send 1 tag%d", 5 + i);
        say(&p, "0 send 1 tag3");
        say(&p, "1 recv 0 tag3");
        say(&p, "1 recv 0 tag%d", 5 + i);
    }
    expect(&p, "for i0 = 1 to 40   [0-1]\n"
               "  0 send 1 tag(4+i0)\n"
               "  0 -> 1 tag3\n"
               "  1 recv 0 tag(4+i0)\n"
               "done\n");
}

Test(model, a_tag_that_counts_another_way_is_many)
{
    struct program p = {0};
    for (int i = 0; i < 4; i++) {
        say(&p, "0 send 1 tag%d", i);
        say(&p, "1 recv 0 tag%d", 3 - i);
    }
    expect(&p, "0 send 1 tag0\n"
               "0 send 1 tag1\n"
               "0 send 1 tag2\n"
               "0 -> 1 tag3\n"
               "1 recv 0 tag2\n"
               "1 recv 0 tag1\n"
               "1 recv 0 tag0\n");
}

Test(model, iterations_are_blocked)
{
    struct program p = {0};
    for (int i = 0; i < 20; i++) {
        say(&p, "0 send 1 a");
        say(&p, "1 recv 0 a");
        if (i % 2 == 1)
            say(&p, "1 local %d", i / 2);
    }
    expect(&p, "for i0 = 1 to 10   [0-1]\n"
               "  0 -> 1, 0 -> 1 a\n"
               "  1 local -1+i0\n"
               "done\n");
}

Test(model, iterations_of_two_and_three_meet_after_six)
{
    struct program p = {0};
    for (int i = 0; i < 18; i++) {
        say(&p, "0 send 1 a");
        say(&p, "1 recv 0 a");
        if (i % 2 == 1)
            say(&p, "0 local s");
        if (i % 3 == 2)
            say(&p, "1 local r");
    }
    expect(&p, "for i0 = 1 to 3   [0-1]\n"
               "  for i1 = 1 to 3   [0]\n"
               "    0 send 1, 0 send 1 a\n"
               "    0 local s\n"
               "  done\n"
               "  for i1 = 1 to 2   [1]\n"
               "    for i2 = 1 to 3   [1]\n"
               "      1 recv 0 a\n"
               "    done\n"
               "    1 local r\n"
               "  done\n"
               "done\n");
}

/* Of process 0's iterations the first message goes to the event, the others in turn to the loop. */
static void say_shifted(struct program *p, const char *first, const char *second)
{
    for (int i = 0; i < 6; i++) {
        say(p, "0 send 1 %s", first);
        say(p, "0 local s");
        say(p, "0 send 1 %s", second);
    }
    say(p, "1 recv 0 %s", first);
    say(p, "1 local x");
    for (int i = 0; i < 5; i++) {
        say(p, "1 recv 0 %s", second);
        say(p, "1 local r");
        say(p, "1 recv 0 %s", first);
    }
    say(p, "1 recv 0 %s", second);
}

Test(model, a_loop_is_shifted_inside_of_an_iteration)
{
    struct program p = {0};
    say_shifted(&p, "a", "a");
    expect(&p, "0 -> 1 a\n"
               "1 local x\n"
               "for i0 = 1 to 5   [0-1]\n"
               "  0 local s\n"
               "  0 -> 1 a\n"
               "  1 local r\n"
               "  0 -> 1 a\n"
               "done\n"
               "0 local s\n"
               "0 -> 1 a\n");
}

Test(model, a_loop_with_two_tags_is_shifted)
{
    struct program p = {0};
    say_shifted(&p, "a", "b");
    expect(&p, "0 -> 1 a\n"
               "1 local x\n"
               "for i0 = 1 to 5   [0-1]\n"
               "  0 local s\n"
               "  0 -> 1 b\n"
               "  1 local r\n"
               "  0 -> 1 a\n"
               "done\n"
               "0 local s\n"
               "0 -> 1 b\n");
}

/* ---- orders that do not go together ---------------------------------------------------------------------
 */

static void say_times(struct program *p, int n, const char *line)
{
    for (int i = 0; i < n; i++)
        say(p, "%s", line);
}

Test(model, loops_in_opposite_order_are_not_both_one)
{
    struct program p = {0};
    say_times(&p, 10, "0 send 1 a");
    say_times(&p, 10, "0 send 1 b");
    say_times(&p, 10, "1 recv 0 b");
    say_times(&p, 10, "1 recv 0 a");
    expect(&p, "for i0 = 1 to 10   [0]\n"
               "  0 send 1 a\n"
               "done\n"
               "for i0 = 1 to 10   [0-1]\n"
               "  0 -> 1 b\n"
               "done\n"
               "for i0 = 1 to 10   [1]\n"
               "  1 recv 0 a\n"
               "done\n");
}

Test(model, both_send_before_they_receive)
{
    struct program p = {0};
    say_times(&p, 10, "0 send 1 a");
    say_times(&p, 10, "0 recv 1 b");
    say_times(&p, 10, "1 send 0 b");
    say_times(&p, 10, "1 recv 0 a");
    expect(&p, "for i0 = 1 to 10   [0]\n"
               "  0 send 1 a\n"
               "done\n"
               "for i0 = 1 to 10   [0-1]\n"
               "  1 -> 0 b\n"
               "done\n"
               "for i0 = 1 to 10   [1]\n"
               "  1 recv 0 a\n"
               "done\n");
}

Test(model, a_way_over_a_third_process_keeps_loops_apart)
{
    struct program p = {0};
    say_times(&p, 10, "0 send 2 a");
    say(&p, "0 send 1 x");
    say(&p, "1 recv 0 x");
    say(&p, "1 send 2 y");
    say(&p, "2 recv 1 y");
    say_times(&p, 10, "2 recv 0 a");
    expect(&p, "for i0 = 1 to 10   [0]\n"
               "  0 send 2 a\n"
               "done\n"
               "0 -> 1 x\n"
               "1 -> 2 y\n"
               "for i0 = 1 to 10   [2]\n"
               "  2 recv 0 a\n"
               "done\n");
}

Test(model, a_set_of_loops_is_divided)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++) {
        say(&p, "1 send 0 a");
        say(&p, "1 send 2 b");
        say(&p, "0 recv 1 a");
    }
    say(&p, "0 send 2 x");
    say(&p, "2 recv 0 x");
    say_times(&p, 5, "2 recv 1 b");
    expect(&p, "for i0 = 1 to 5   [0-1]\n"
               "  1 -> 0 a\n"
               "  1 send 2 b\n"
               "done\n"
               "0 -> 2 x\n"
               "for i0 = 1 to 5   [2]\n"
               "  2 recv 1 b\n"
               "done\n");
}

/* Process 0's first loop could be in one with process 1's, its second with process 2's; these need each
 * other. */
Test(model, loops_that_send_both_ways_come_first)
{
    struct program p = {0};
    say_times(&p, 3, "0 send 1 a");
    say(&p, "0 local x");
    for (int i = 0; i < 3; i++) {
        say(&p, "1 send 2 b");
        say(&p, "2 recv 1 b");
        say(&p, "2 send 1 c");
        say(&p, "1 recv 2 c");
        say(&p, "1 recv 0 a");
        say(&p, "2 recv 0 d");
    }
    say_times(&p, 3, "0 send 2 d");
    expect(&p, "for i0 = 1 to 3   [0]\n"
               "  0 send 1 a\n"
               "done\n"
               "0 local x\n"
               "for i0 = 1 to 3   [0]\n"
               "  0 send 2 d\n"
               "done\n"
               "for i0 = 1 to 3   [1-2]\n"
               "  1 -> 2 b\n"
               "  2 -> 1 c\n"
               "  2 recv 0 d\n"
               "  1 recv 0 a\n"
               "done\n");
}

Test(model, one_iteration_ahead)
{
    struct program p = {0};
    say(&p, "0 send 1 c");
    say(&p, "0 local start");
    for (int i = 0; i < 1000; i++) {
        say(&p, "0 send 1 d");
        say(&p, "0 local w");
        say(&p, "0 send 1 c");
        say(&p, "1 recv 0 d");
        say(&p, "1 recv 0 c");
        say(&p, "1 local v");
    }
    say(&p, "1 recv 0 c");
    expect(&p, "0 send 1 c\n"
               "0 local start\n"
               "for i0 = 1 to 1000   [0-1]\n"
               "  0 -> 1 d\n"
               "  1 recv 0 c\n"
               "  0 local w\n"
               "  1 local v\n"
               "  0 send 1 c\n"
               "done\n"
               "1 recv 0 c\n");
}

/* ---- many processes -------------------------------------------------------------------------------------
 */

Test(model, a_wavefront)
{
    struct program p = {0};
    for (int t = 0; t < 7; t++) {
        for (int k = 0; k < 5; k++) {
            say(&p, "0 send 1 t");
            say(&p, "0 send 2 t");
            say(&p, "1 recv 0 t");
            say(&p, "1 send 3 t");
            say(&p, "2 recv 0 t");
            say(&p, "2 send 3 t");
            say(&p, "3 recv 1 t");
            say(&p, "3 recv 2 t");
        }
        for (int r = 0; r < 4; r++)
            say(&p, "%d sync norm world", r);
    }
    expect(&p, "for i0 = 1 to 7   [0-3]\n"
               "  for i1 = 1 to 5   [0-3]\n"
               "    0 -> 1, 1 -> 3, 0 -> 2, 2 -> 3 t\n"
               "  done\n"
               "  sync norm world   [0-3]\n"
               "done\n");
}

Test(model, groups_that_communicate_among_themselves_have_loops_of_their_own)
{
    struct program p = {0};
    for (int i = 0; i < 20; i++) {
        for (int r = 0; r < 4; r += 2) {
            say(&p, "%d send %d t", r, r + 1);
            say(&p, "%d recv %d t", r + 1, r);
            say(&p, "%d send %d t", r + 1, r);
            say(&p, "%d recv %d t", r, r + 1);
        }
    }
    for (int r = 0; r < 4; r++)
        say(&p, "%d sync barrier world", r);
    expect(&p, "for i0 = 1 to 20   [0-1]\n"
               "  0 -> 1, 1 -> 0 t\n"
               "done\n"
               "for i0 = 1 to 20   [2-3]\n"
               "  2 -> 3, 3 -> 2 t\n"
               "done\n"
               "sync barrier world   [0-3]\n");
}

Test(model, a_ring)
{
    struct program p = {0};
    for (int i = 0; i < 50; i++) {
        say(&p, "0 send 1 t");
        for (int r = 1; r < 4; r++) {
            say(&p, "%d recv %d t", r, r - 1);
            say(&p, "%d send %d t", r, (r + 1) % 4);
        }
        say(&p, "0 recv 3 t");
    }
    expect(&p, "for i0 = 1 to 50   [0-3]\n"
               "  0-2 -> 1-3, 3 -> 0 t\n"
               "done\n");
}

Test(model, receives_that_are_posted_stand_where_they_are)
{
    struct program p = {0};
    for (int i = 0; i < 50; i++) {
        for (int r = 0; r < 4; r++) {
            say(&p, "%d recv %d t", r, (r + 3) % 4);
            say(&p, "%d send %d t", r, (r + 1) % 4);
        }
    }
    expect(&p, "for i0 = 1 to 50   [0-3]\n"
               "  0 recv 3, 1-3 recv 0-2 t\n"
               "  0-2 send 1-3, 3 send 0 t\n"
               "done\n");
}

Test(model, collective_operations_hold_loops_together)
{
    struct program p = {0};
    for (int i = 0; i < 30; i++) {
        for (int r = 0; r < 3; r++) {
            say(&p, "%d local work", r);
            say(&p, "%d sync sum world", r);
        }
    }
    expect(&p, "for i0 = 1 to 30   [0-2]\n"
               "  0-2 local work\n"
               "  sync sum world   [0-2]\n"
               "done\n");
}

Test(model, partners_that_depend_on_an_index_are_unrolled)
{
    struct program p = {0};
    for (int i = 0; i < 20; i++) {
        for (int r = 1; r < 5; r++)
            say(&p, "0 send %d job", r);
        for (int r = 1; r < 5; r++) {
            say(&p, "%d recv 0 job", r);
            say(&p, "%d send 0 done", r);
        }
        for (int r = 1; r < 5; r++)
            say(&p, "0 recv %d done", r);
    }
    expect(&p, "for i0 = 1 to 20   [0-4]\n"
               "  0 -> 1-4 job\n"
               "  1-4 -> 0 done\n"
               "done\n");
}

Test(model, messages_from_anybody_stay_apart)
{
    struct program p = {0};
    say_times(&p, 10, "0 recv any a");
    say_times(&p, 3, "0 send 1 x");
    say_times(&p, 10, "1 send 0 a");
    say_times(&p, 3, "1 recv 0 x");
    expect(&p, "for i0 = 1 to 10   [0]\n"
               "  0 recv any a\n"
               "done\n"
               "for i0 = 1 to 10   [1]\n"
               "  1 send 0 a\n"
               "done\n"
               "for i0 = 1 to 3   [0-1]\n"
               "  0 -> 1 x\n"
               "done\n");
}

Test(model, messages_with_any_tag_stay_apart)
{
    struct program p = {0};
    say(&p, "0 send 1 tag5");
    say(&p, "0 send 1 tag5");
    say(&p, "1 recv 0 tagany");
    say(&p, "1 recv 0 tag5");
    expect(&p, "0 send 1 tag5\n"
               "1 recv 0 tagany\n"
               "0 send 1 tag5\n"
               "1 recv 0 tag5\n");
}

Test(model, what_each_process_numbers_for_itself_is_no_group)
{
    struct program p = {0};
    for (int r = 0; r < 2; r++) {
        say(&p, "%d sync fence win0", r);
        say(&p, "%d sync fence MPI_COMM_SELF", r);
        say(&p, "%d sync fence comm0", r);
    }
    expect(&p, "0, 1 sync fence win0\n"
               "0, 1 sync fence MPI_COMM_SELF\n"
               "sync fence comm0   [0-1]\n");
}

Test(model, messages_that_are_not_received)
{
    struct program p = {0};
    say_times(&p, 10, "0 send 1 a");
    say_times(&p, 7, "1 recv 0 a");
    expect(&p, "for i0 = 1 to 7   [0-1]\n"
               "  0 -> 1 a\n"
               "done\n"
               "for i0 = 1 to 3   [0]\n"
               "  0 send 1 a\n"
               "done\n");
}

Test(model, nobody)
{
    struct program p = {0};
    say(&p, "# no event");
    make_model(&p);
    cr_assert_eq(p.model.processes.n, 0);
    cr_assert_eq(p.model.all->n, 0);
    end_program(&p);
}

/* ---- links ----------------------------------------------------------------------------------------------
 */

Test(model, links_tell_flows)
{
    struct program p = {0};
    for (int i = 0; i < 15; i++) {
        say(&p, "0 send 1 a");
        say(&p, "1 recv 0 a");
        if (i % 3 == 2)
            say(&p, "0 local s");
        if (i % 5 == 4)
            say(&p, "1 local r");
    }
    make_model(&p);
    check_expansion(&p);
    cr_assert_eq(p.model.all->n, 2, "5 and 3 iterations have nothing in common");
    cr_assert_eq(p.model.all->n_links, 1);
    const struct system_link *l = &p.model.all->links[0];
    cr_assert(l->from == 0 && l->to == 1 && l->n == 15 && l->sent_each == 3 && l->received_each == 5);
    end_program(&p);
}

/* A rank with two threads: it is not known which of them meets whom. */
Test(model, threads_that_communicate_stay_apart)
{
    for (int threads = 1; threads <= 2; threads++) {
        struct program p = {0};
        struct event_draft draft = {0};
        struct loop_groups groups = {.forms = &p.forms};
        for (int i = 0; i < 2 + threads; i++) {
            const bool sends = i == 0 || i == 3;
            struct nlr *own = nlr_create(0);
            uint32_t form;
            event_draft_clear(&draft);
            event_draft_rank(&draft, i == 1);
            text_put(&draft.text, i == 2 ? " local" : sends ? " send " : " recv ");
            if (i != 2)
                event_draft_rank(&draft, sends);
            cr_assert_eq(event_forms_intern(&p.forms, (char *)draft.text.data, draft.text.n, &form),
                         REFRAIN_OK);
            cr_assert_eq(nlr_append(own, form, draft.numbers.items, (uint32_t)draft.numbers.n), REFRAIN_OK);
            cr_assert_eq(nlr_finish(own), REFRAIN_OK);
            cr_assert_eq(loop_groups_add(&groups, i == 1, i < 2 ? 0 : (uint32_t)i - 1, own), REFRAIN_OK);
        }
        cr_assert_eq(model_create(&p.model, &groups), REFRAIN_OK);
        cr_assert_eq(p.model.processes.n, 2 + threads);
        cr_assert_eq(p.model.all->n, threads == 1 ? 2 : 4, "the message is one construct or not");
        event_draft_free(&draft);
        loop_groups_free(&groups);
        end_program(&p);
    }
}

Test(model, links_between_loops_that_stay_apart)
{
    struct program p = {0};
    say_times(&p, 10, "0 send 1 a");
    say_times(&p, 10, "0 send 1 b");
    say_times(&p, 10, "1 recv 0 b");
    say_times(&p, 10, "1 recv 0 a");
    make_model(&p);
    cr_assert_eq(p.model.all->n_links, 1);
    const struct system_link *l = &p.model.all->links[0];
    cr_assert(l->from == 0 && l->to == 2 && l->first == 0 && l->n == 10);
    cr_assert(l->sent_each == 1 && l->received_each == 1 && l->sent_before == 0 && l->received_before == 0);
    end_program(&p);
}

/* ---- random programs ------------------------------------------------------------------------------------
 */

enum { PROCESSES_MAX = 5, TAGS = 3 };

struct random_program {
    struct program p;
    uint64_t state;
    uint32_t processes;
    bool causal;
    uint32_t index[8], depth;                       /* of the loops around */
    uint32_t pending[PROCESSES_MAX][PROCESSES_MAX]; /* messages sent with tag "late" and not received */
    size_t steps;
};

static uint32_t below(struct random_program *r, uint32_t n)
{
    return random_below(&r->state, n);
}

/* A message with some tag, which may count iterations. */
static void say_message(struct random_program *r, uint32_t from, uint32_t to, uint32_t tag, bool counts)
{
    const uint32_t number = counts && r->depth > 0 ? 100 * tag + r->index[r->depth - 1] : tag;
    say(&r->p, "%u send %u tag%u", from, to, number);
    say(&r->p, "%u recv %u tag%u", to, from, number);
}

static void say_exchange(struct random_program *r)
{
    for (uint32_t i = 0; i < r->processes; i++)
        say(&r->p, "%u recv %u x", i, (i + 1) % r->processes);
    for (uint32_t i = 0; i < r->processes; i++)
        say(&r->p, "%u send %u x", i, (i + r->processes - 1) % r->processes);
}

static void say_late(struct random_program *r, uint32_t from, uint32_t to)
{
    if (below(r, 2) == 0 || r->pending[from][to] == 0) {
        say(&r->p, "%u send %u late", from, to);
        r->pending[from][to]++;
    } else {
        say(&r->p, "%u recv %u late", to, from);
        r->pending[from][to]--;
    }
}

enum statement_kind { MESSAGE, COUNTED, SYNC, HALF_SYNC, LOCAL, LATE, ALL_TO_ONE, EXCHANGE, LOOP, KINDS };

struct statement {
    enum statement_kind kind;
    uint32_t from, to, tag, times;
    struct statement *body;
    uint32_t n;
};

static void make_body(struct random_program *r, struct statement *s, uint32_t depth)
{
    s->n = 1 + below(r, 4);
    s->body = calloc(s->n, sizeof *s->body);
    for (uint32_t i = 0; i < s->n; i++) {
        struct statement *in = &s->body[i];
        in->kind = (enum statement_kind)below(r, KINDS);
        if (in->kind == EXCHANGE && r->causal)
            in->kind = LOOP;
        if (in->kind == LOOP && depth == 3)
            in->kind = MESSAGE;
        in->from = below(r, r->processes);
        in->to = (in->from + 1 + below(r, r->processes - 1)) % r->processes;
        in->tag = below(r, TAGS);
        in->times = 2 + below(r, 6);
        if (in->kind == LOOP)
            make_body(r, in, depth + 1);
    }
}

static void run_body(struct random_program *r, const struct statement *s)
{
    for (uint32_t i = 0; i < s->n && r->steps < 6000; i++) {
        const struct statement *in = &s->body[i];
        r->steps += r->processes;
        if (in->kind == MESSAGE || in->kind == COUNTED)
            say_message(r, in->from, in->to, in->tag, in->kind == COUNTED);
        else if (in->kind == SYNC || in->kind == HALF_SYNC)
            for (uint32_t k = 0; k < r->processes; k += in->kind == SYNC ? 1 : 2)
                say(&r->p, "%u sync sum %s", k, in->kind == SYNC ? "world" : "even");
        else if (in->kind == LOCAL)
            say(&r->p, "%u local %u", in->from, r->depth > 0 ? 3 * r->index[r->depth - 1] : 0);
        else if (in->kind == LATE)
            say_late(r, in->from, in->to);
        else if (in->kind == ALL_TO_ONE)
            for (uint32_t k = 1; k < r->processes; k++)
                say_message(r, (in->to + k) % r->processes, in->to, in->tag, false);
        else if (in->kind == EXCHANGE)
            say_exchange(r);
        for (uint32_t k = 0; in->kind == LOOP && k < in->times; k++) {
            r->index[r->depth++] = k;
            run_body(r, in);
            r->depth--;
        }
    }
}

static void free_body(struct statement *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        free_body(&s->body[i]);
    free(s->body);
}

Test(model, random_programs)
{
    uint64_t messages = 0, events = 0;
    for (unsigned seed = 0; seed < 400; seed++) {
        struct random_program r = {.state = random_seed(seed), .causal = seed % 3 != 0};
        struct statement all = {0};
        r.processes = 2 + below(&r, PROCESSES_MAX - 1);
        make_body(&r, &all, 0);
        run_body(&r, &all);
        make_model(&r.p);
        check_expansion(&r.p);
        const struct run run = run_model(&r.p, r.causal);
        messages += run.messages;
        events += run.events;
        end_program(&r.p);
        free_body(&all);
    }
    cr_assert_gt(5 * messages, events, "%u of %u", (unsigned)messages, (unsigned)events);
}
