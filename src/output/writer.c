/* SPDX-License-Identifier: BSD-3-Clause */
#include "writer.h"

#define XXH_INLINE_ALL
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "src/core/base/log.h"
#include "src/core/base/replace.h"
#include "src/core/base/section.h"
#include "src/core/codec/codec.h"
#include "src/core/merge/merge.h"
#include "src/memory/merge_heap.h"
#include "src/settings/config.h"

#define SUFFIX ".refrain"
#define MODE   0666 /* less the user's umask */

static enum refrain_status refuse(const char *path)
{
    log_error("cannot write %s: %m", path);
    return REFRAIN_ERR_IO;
}

/* A name that does not fit is an error; names are never truncated. */
#define FORMAT_PATH(path, ...) ((size_t)snprintf((path), PATH_MAX, __VA_ARGS__) < PATH_MAX)

/* Create an empty new file, STEM.refrain or STEM.N.refrain, so that no other run uses the name. */
static enum refrain_status reserve(const char *stem, unsigned first, char *path)
{
    for (unsigned n = first; n < UINT_MAX; n++) {
        const bool fits =
            n == 1 ? FORMAT_PATH(path, "%s" SUFFIX, stem) : FORMAT_PATH(path, "%s.%u" SUFFIX, stem, n);
        if (!fits) {
            errno = ENAMETOOLONG;
            return refuse(stem);
        }
        const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, MODE);
        if (fd >= 0) {
            close(fd);
            return REFRAIN_OK;
        }
        if (errno != EEXIST)
            return refuse(path);
    }
    errno = EEXIST;
    return refuse(path);
}

/* Find the place of the trace, and put it into w->path; w->reserved says whether an empty file was made
 * there. */
static enum refrain_status find_place(struct writer *w)
{
    char stem[PATH_MAX];
    const char *name = config.output ? config.output : config.stem;
    w->reserved = w->spawned || !config.output;
    if (!FORMAT_PATH(w->reserved ? stem : w->path, "%s", name)) {
        errno = ENAMETOOLONG;
        return refuse(name);
    }
    if (!w->reserved)
        return REFRAIN_OK;
    const size_t n = strlen(stem), suffix = strlen(SUFFIX);
    if (config.output && n > suffix && strcmp(stem + n - suffix, SUFFIX) == 0)
        stem[n - suffix] = '\0';
    const enum refrain_status status = reserve(stem, w->spawned || config.output ? 2 : 1, w->path);
    w->renamed = !w->spawned && !config.moved && status == REFRAIN_OK && w->path[strlen(stem)] != '\0' &&
                 strcmp(w->path + strlen(stem), SUFFIX) != 0;
    return status;
}

/* Remove the file, under its final or its temporary name. */
static void give_up(struct writer *w)
{
    if (w->open)
        replace_end(&w->file, REFRAIN_ERR_CHECK);
    w->open = false;
    if (w->reserved && w->path[0])
        unlink(w->path);
    w->path[0] = '\0';
}

static enum refrain_status put_there(struct writer *w, const struct bytes *image)
{
    enum refrain_status status = find_place(w);
    if (!status)
        status = replace_begin(&w->file, w->path);
    if (status)
        return status;
    w->open = true;
    return replace_add(&w->file, image->data, image->n);
}

/* Write to the wanted place, or to another place that is writable. */
static enum refrain_status put_image(struct writer *w, const struct bytes *image)
{
    enum refrain_status status;
    int why;
    w->length = image->n;
    w->sum = (uint32_t)XXH64(image->data, image->n < WRITER_HEAD ? image->n : WRITER_HEAD, 0);
    do {
        errno = 0;
        status = put_there(w, image);
        why = errno;
        if (status)
            give_up(w);
    } while (status == REFRAIN_ERR_IO && w->moves && w->moves(why));
    return status;
}

/* A trace without an annex is freed once its sections are made; an annex could still fail. Compressing the
 * sections takes about as much memory as the trace. */
static enum refrain_status put_sections(struct writer *w, struct trace *t)
{
    struct bytes image = {0}, sections[SECTIONS];
    enum refrain_status status = codec_make_sections(t, CODEC_FINAL, sections);
    if (!status && t->annex.length == 0)
        trace_free(t);
    merge_heap_end();
    if (!status)
        status = codec_pack_sections(sections, CODEC_FINAL, &image);
    if (!status)
        status = put_image(w, &image);
    bytes_free(&image);
    return status;
}

enum refrain_status writer_begin(struct writer *w, struct trace *t, bool spawned, bool (*moves)(int why))
{
    *w = (struct writer){.spawned = spawned, .moves = moves};
    enum refrain_status status = merge_finish(t);
    if (!status && config.check)
        status = trace_check(t);
    if (!status)
        status = put_sections(w, t);
    return status;
}

enum refrain_status writer_again(struct writer *w, struct trace *t)
{
    give_up(w);
    return put_sections(w, t);
}

enum refrain_status writer_add(struct writer *w, const void *data, size_t n)
{
    assert(w->open);
    w->length += n;
    return replace_add(&w->file, data, n);
}

enum refrain_status writer_end(struct writer *w, enum refrain_status status)
{
    if (w->open)
        status = replace_end(&w->file, status);
    w->open = false;
    if (status)
        give_up(w);
    if (!status && w->renamed) /* the file with the plain name is from another run */
        log_warning("a trace of that name exists already: this run is in %s", w->path);
    if (!status)
        log_info("%s has %" PRIu64 " bytes", w->path, w->length);
    return status;
}
