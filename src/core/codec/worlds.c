/* SPDX-License-Identifier: BSD-3-Clause */
#include "worlds.h"

#include "src/core/base/log.h"
#include "src/core/base/section.h"

/* Level of the first world's sections; those of other worlds are already compressed. */
#define LEVEL      19
#define LENGTH_MIN 2 /* least bytes of a world, which bounds the number of worlds */

static enum refrain_status take(const char *name, struct bytes_reader *in, struct worlds *out)
{
    const uint64_t length = bytes_get_uint(in);
    struct bytes image = {0};
    if (in->failed || length > bytes_left(in)) {
        log_error("%s: section WRLD: world %zu is cut off", name, out->images.n + 1);
        return REFRAIN_ERR_FORMAT;
    }
    bytes_put(&image, bytes_get(in, length), length);
    if (!image.failed && array_push(&out->images, image))
        return REFRAIN_OK;
    bytes_free(&image);
    return REFRAIN_ERR_MEMORY;
}

static enum refrain_status take_all(const char *name, struct bytes_reader *in, struct worlds *out)
{
    enum refrain_status status = REFRAIN_OK;
    const size_t n = bytes_get_count(in, LENGTH_MIN);
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = take(name, in, out);
    if (status == REFRAIN_OK && (in->failed || bytes_left(in) > 0)) {
        log_error("%s: section WRLD: its length is wrong", name);
        status = REFRAIN_ERR_FORMAT;
    }
    return status;
}

enum refrain_status worlds_split(const char *name, const void *data, size_t n, struct worlds *out)
{
    struct section_file file;
    struct worlds worlds = {0};
    enum refrain_status status = section_read(name, data, n, &file);
    if (status != REFRAIN_OK)
        return status;
    if (file.parts[SECTION_WRLD].content.at)
        status = take_all(name, &file.parts[SECTION_WRLD].content, &worlds);
    section_file_free(&file);
    if (status == REFRAIN_OK)
        *out = worlds;
    else
        worlds_free(&worlds);
    return status;
}

enum refrain_status worlds_join(const char *name, const void *data, size_t n, const struct worlds *others,
                                struct bytes *out)
{
    struct section_file file;
    struct bytes raw[SECTIONS] = {0};
    enum refrain_status status = section_read(name, data, n, &file);
    if (status != REFRAIN_OK)
        return status;
    for (unsigned i = 0; i < SECTIONS; i++) {
        const struct section_part *part = &file.parts[i];
        if (i != SECTION_WRLD)
            bytes_put(&raw[i], part->content.at, part->raw);
    }
    struct bytes *section = &raw[SECTION_WRLD];
    if (others->images.n > 0)
        bytes_put_uint(section, others->images.n);
    for (size_t i = 0; i < others->images.n; i++) {
        bytes_put_uint(section, others->images.items[i].n);
        bytes_put(section, others->images.items[i].data, others->images.items[i].n);
    }
    for (unsigned i = 0; i < SECTIONS && status == REFRAIN_OK; i++)
        status = raw[i].failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
    if (status == REFRAIN_OK)
        status = section_write(raw, file.flags, LEVEL, out);
    bytes_put(out, file.annex.at, bytes_left(&file.annex));
    if (status == REFRAIN_OK && out->failed)
        status = REFRAIN_ERR_MEMORY;
    for (unsigned i = 0; i < SECTIONS; i++)
        bytes_free(&raw[i]);
    section_file_free(&file);
    return status;
}

void worlds_free(struct worlds *w)
{
    for (size_t i = 0; i < w->images.n; i++)
        bytes_free(&w->images.items[i]);
    array_free(&w->images);
}
