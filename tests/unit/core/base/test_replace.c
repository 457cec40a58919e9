/* SPDX-License-Identifier: BSD-3-Clause */
/* Replacing whole files: their content before and after. */
#include <criterion/criterion.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/core/base/replace.h"
#include "tests/unit/support/scratch_file.h"

TestSuite(replace, .init = scratch_start, .fini = scratch_stop);

static enum refrain_status write_text(const char *text)
{
    struct bytes image = {.data = (uint8_t *)text, .n = strlen(text)};
    return replace_file(scratch_path, &image);
}

static void expect_content(int fd, const char *text)
{
    char content[64] = {0};
    cr_expect_eq(read(fd, content, sizeof content - 1), (ssize_t)strlen(text));
    cr_expect_str_eq(content, text);
    close(fd);
}

Test(replace, links_and_modes_stay)
{
    char link[SCRATCH_SIZE + 8];
    struct stat info;
    snprintf(link, sizeof link, "%s/link", scratch_directory);
    cr_assert_eq(write_text("old"), REFRAIN_OK);
    cr_assert_eq(chmod(scratch_path, 0640), 0);
    cr_assert_eq(symlink("file", link), 0);
    const struct bytes image = {.data = (uint8_t *)"new", .n = 3};
    cr_expect_eq(replace_file(link, &image), REFRAIN_OK);
    cr_expect(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
    cr_expect(stat(scratch_path, &info) == 0 && (info.st_mode & 07777) == 0640);
    expect_content(open(scratch_path, O_RDONLY), "new");
    unlink(link);
}

Test(replace, a_file_takes_the_place_of_another)
{
    cr_expect_eq(write_text("a longer text"), REFRAIN_OK);
    cr_expect_eq(write_text("text"), REFRAIN_OK);
    expect_content(open(scratch_path, O_RDONLY), "text");
}

Test(replace, a_pipe_is_written_into)
{
    struct stat info;
    cr_assert_eq(mkfifo(scratch_path, 0600), 0);
    const int fd = open(scratch_path, O_RDONLY | O_NONBLOCK);
    cr_expect_eq(write_text("text"), REFRAIN_OK);
    expect_content(fd, "text");
    cr_expect(stat(scratch_path, &info) == 0 && S_ISFIFO(info.st_mode));
}

Test(replace, a_directory_stays)
{
    struct stat info;
    cr_assert_eq(mkdir(scratch_path, 0700), 0);
    cr_expect_eq(write_text("text"), REFRAIN_ERR_IO);
    cr_expect(stat(scratch_path, &info) == 0 && S_ISDIR(info.st_mode));
    rmdir(scratch_path);
}

/* A process with the same number in another container does this: each has its own temporary file
 * until the end. */
Test(replace, two_at_once)
{
    struct replacement one, two;
    cr_assert_eq(replace_begin(&one, scratch_path), REFRAIN_OK);
    cr_assert_eq(replace_begin(&two, scratch_path), REFRAIN_OK);
    cr_assert_eq(replace_add(&one, "long one", 8), REFRAIN_OK);
    cr_assert_eq(replace_add(&two, "two", 3), REFRAIN_OK);
    cr_expect_eq(replace_end(&one, REFRAIN_OK), REFRAIN_OK);
    expect_content(open(scratch_path, O_RDONLY), "long one");
    cr_expect_eq(replace_end(&two, REFRAIN_OK), REFRAIN_OK);
    expect_content(open(scratch_path, O_RDONLY), "two");
}
