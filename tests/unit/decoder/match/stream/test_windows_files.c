/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/match/stream/windows_files.h"

#include <string.h>

static struct windows_files objects;

static void make(uint32_t thread, int64_t handle, uint64_t collectives)
{
    const struct window_file object = {
        .key = window_file_key(false, handle), .thread = thread, .collectives = collectives};
    cr_assert(windows_files_add(&objects, &object));
}

/* The number of collectives identifies the file or window that was found; 0: none. */
static uint64_t found(uint32_t thread, int64_t handle)
{
    const struct window_file *object = windows_files_find(&objects, window_file_key(false, handle), thread);
    return object ? object->collectives : 0;
}

static void stop(void)
{
    windows_files_free(&objects);
    memset(&objects, 0, sizeof objects);
}

TestSuite(windows_files, .fini = stop);

/* Two threads use one number in turn; lookups come in another order. */
Test(windows_files, a_thread_means_its_own)
{
    make(0, 7, 1);
    make(1, 7, 2);
    cr_expect_eq(found(0, 7), 1);
    cr_expect_eq(found(1, 7), 2);
    cr_expect_eq(found(2, 7), 2, "the last one that was made");
    windows_files_remove(&objects, window_file_key(false, 7), 1);
    cr_expect_eq(found(0, 7), 1);
    cr_expect_eq(found(1, 7), 1, "the only one that is left");
    make(0, 7, 3);
    cr_expect_eq(objects.items.n, 1, "in the place of its own");
    cr_expect_eq(found(0, 7), 3);
    cr_expect_eq(found(0, 8), 0);
}

/* A thread may free what another thread made. */
Test(windows_files, another_thread_frees)
{
    make(0, 7, 1);
    windows_files_remove(&objects, window_file_key(false, 7), 1);
    cr_expect_eq(found(0, 7), 0);
    make(0, 7, 2);
    make(0, 8, 3);
    make(1, 8, 4);
    windows_files_remove(&objects, window_file_key(false, 7), 0);
    cr_expect_eq(found(2, 8), 4, "the order is kept");
}
