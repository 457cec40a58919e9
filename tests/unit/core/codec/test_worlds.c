/* SPDX-License-Identifier: BSD-3-Clause */
/* Several worlds in one file: they come back as they were written, and a damaged length is an
 * error. */
#include <criterion/criterion.h>
#include <string.h>

#include "src/core/base/log.h"
#include "src/core/base/section.h"
#include "src/core/codec/worlds.h"

/* A file whose section META is a text: this test does not need sections with a meaning. */
static struct bytes file_of(const char *text)
{
    struct bytes raw[SECTIONS] = {0}, out = {0};
    bytes_put(&raw[SECTION_META], text, strlen(text));
    cr_assert_eq(section_write(raw, SECTION_FINAL, 3, &out), REFRAIN_OK);
    bytes_free(&raw[SECTION_META]);
    return out;
}

static void expect_meta(const struct bytes *file, const char *text)
{
    struct section_file parts;
    cr_assert_eq(section_read("test", file->data, file->n, &parts), REFRAIN_OK);
    const struct bytes_reader *meta = &parts.parts[SECTION_META].content;
    cr_assert_eq(bytes_left(meta), strlen(text));
    cr_assert_eq(memcmp(meta->at, text, strlen(text)), 0);
    cr_assert_eq(parts.flags, SECTION_FINAL);
    section_file_free(&parts);
}

Test(worlds, a_file_of_one_has_no_others)
{
    struct bytes file = file_of("alone");
    struct worlds worlds = {0};
    cr_assert_eq(worlds_split("test", file.data, file.n, &worlds), REFRAIN_OK);
    cr_assert_eq(worlds.images.n, 0);
    bytes_free(&file);
}

Test(worlds, joined_and_split)
{
    struct bytes first = file_of("first"), file = {0};
    struct worlds others = {0}, again = {0};
    cr_assert(array_push(&others.images, file_of("second")));
    cr_assert(array_push(&others.images, file_of("third")));
    cr_assert_eq(worlds_join("test", first.data, first.n, &others, &file), REFRAIN_OK);
    expect_meta(&file, "first");
    cr_assert_eq(worlds_split("test", file.data, file.n, &again), REFRAIN_OK);
    cr_assert_eq(again.images.n, 2);
    expect_meta(&again.images.items[0], "second");
    expect_meta(&again.images.items[1], "third");

    /* Joined with no worlds, a file is a single trace again. */
    struct bytes alone = {0};
    struct worlds none = {0};
    cr_assert_eq(worlds_join("test", file.data, file.n, &none, &alone), REFRAIN_OK);
    cr_assert_eq(worlds_split("test", alone.data, alone.n, &none), REFRAIN_OK);
    cr_assert_eq(none.images.n, 0);
    expect_meta(&alone, "first");
    worlds_free(&others);
    worlds_free(&again);
    bytes_free(&first);
    bytes_free(&file);
    bytes_free(&alone);
}

/* Contents of WRLD that are wrong although the checksums are right. */
Test(worlds, damaged)
{
    static const char *const contents[] = {"\x01",
                                           "\x01\x05"
                                           "abcd",
                                           "\x02\x01"
                                           "a",
                                           "\x01\x01"
                                           "ab"};
    for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++) {
        struct bytes raw[SECTIONS] = {0}, file = {0};
        struct worlds worlds = {0};
        bytes_put(&raw[SECTION_META], "x", 1);
        bytes_put(&raw[SECTION_WRLD], contents[i], strlen(contents[i]));
        cr_assert_eq(section_write(raw, SECTION_FINAL, 3, &file), REFRAIN_OK);
        const unsigned before = log_error_count();
        cr_assert_eq(worlds_split("test", file.data, file.n, &worlds), REFRAIN_ERR_FORMAT, "content %zu", i);
        cr_assert_eq(log_error_count(), before + 1, "content %zu", i);
        cr_assert_eq(worlds.images.n, 0);
        bytes_free(&raw[SECTION_META]);
        bytes_free(&raw[SECTION_WRLD]);
        bytes_free(&file);
    }
}
