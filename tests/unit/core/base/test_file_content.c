/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading the content of a file: with and without a known size, and its magic. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/core/base/file_content.h"
#include "tests/unit/support/scratch_file.h"

enum { MANY = 300000 };

TestSuite(file_content, .init = scratch_start, .fini = scratch_stop);

static void write_file(size_t n)
{
    FILE *f = fopen(scratch_path, "w");
    cr_assert(f);
    for (size_t i = 0; i < n; i++)
        fputc((int)(i % 251), f);
    cr_assert_eq(fclose(f), 0);
}

static void expect_content(size_t n)
{
    struct file_content c;
    cr_assert_eq(file_content_open(&c, scratch_path, ""), REFRAIN_OK);
    cr_assert_eq(c.n, n);
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(((const uint8_t *)c.data)[i], i % 251, "byte %zu", i);
    file_content_close(&c);
    cr_expect(c.n == 0 && !c.data);
}

Test(file_content, of_files)
{
    static const size_t sizes[] = {MANY, 0, 1, (1 << 16) - 1, 1 << 16, (1 << 16) + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        write_file(sizes[i]);
        expect_content(sizes[i]);
    }
}

static void *feed(void *unused)
{
    write_file(MANY);
    return unused;
}

Test(file_content, of_a_pipe)
{
    pthread_t feeder;
    cr_assert_eq(mkfifo(scratch_path, 0600), 0);
    cr_assert_eq(pthread_create(&feeder, NULL, feed, NULL), 0);
    expect_content(MANY);
    pthread_join(feeder, NULL);
}

Test(file_content, of_none, .init = cr_redirect_stderr)
{
    struct file_content c;
    cr_expect_eq(file_content_open(&c, "/nowhere/at/all", ""), REFRAIN_ERR_IO);
    file_content_close(&c);
    cr_expect_eq(file_content_open(&c, "/", ""), REFRAIN_ERR_IO, "a directory");
    file_content_close(&c);
}

/* A file without an end is not read until memory runs out. */
Test(file_content, without_an_end)
{
    struct file_content c;
    cr_assert_eq(file_content_open(&c, "/dev/zero", "RFRN"), REFRAIN_OK);
    cr_expect_geq(c.n, 4);
    cr_expect_leq(c.n, 1 << 16);
    cr_expect_eq(((const char *)c.data)[0], 0);
    file_content_close(&c);
}

static void *feed_slowly(void *unused)
{
    FILE *f = fopen(scratch_path, "w");
    cr_assert(f);
    for (const char *at = "RFRN and more"; *at; at++) {
        fputc(*at, f);
        fflush(f);
        usleep(1000);
    }
    fclose(f);
    return unused;
}

/* A magic that arrives byte by byte is accepted. */
Test(file_content, that_begins_as_it_should)
{
    pthread_t feeder;
    struct file_content c;
    cr_assert_eq(mkfifo(scratch_path, 0600), 0);
    cr_assert_eq(pthread_create(&feeder, NULL, feed_slowly, NULL), 0);
    cr_assert_eq(file_content_open(&c, scratch_path, "RFRN"), REFRAIN_OK);
    cr_expect_eq(c.n, strlen("RFRN and more"));
    pthread_join(feeder, NULL);
    file_content_close(&c);
}
