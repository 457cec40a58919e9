#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "codec.h"
#include "config.h"
#include "log.h"
#include "merge.h"
#include "replace.h"

#define SUFFIX ".refrain"
#define MODE   0666 /* less the user's umask */

static enum refrain_status refuse(const char *path)
{
    log_error("cannot write %s: %m", path);
    return REFRAIN_ERR_IO;
}

/* Names are cut off nowhere: one that does not fit is an error. */
#define FORMAT_PATH(path, ...) ((size_t)snprintf((path), PATH_MAX, __VA_ARGS__) < PATH_MAX)

/* Creates an empty file that nobody had, STEM.refrain or STEM.N.refrain, so that no other run takes the name.
 */
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

static enum refrain_status write_image(const struct bytes *image, bool spawned)
{
    char path[PATH_MAX], stem[PATH_MAX];
    const bool named = config.output && !spawned;
    enum refrain_status status = REFRAIN_OK;
    const char *name = config.output ? config.output : program_invocation_short_name;
    if (!FORMAT_PATH(named ? path : stem, "%s", name)) {
        errno = ENAMETOOLONG;
        return refuse(name);
    }
    if (!named) {
        const size_t n = strlen(stem), suffix = strlen(SUFFIX);
        if (config.output && n > suffix && strcmp(stem + n - suffix, SUFFIX) == 0)
            stem[n - suffix] = '\0';
        status = reserve(stem, spawned || config.output ? 2 : 1, path);
    }
    if (status)
        return status;
    status = replace_file(path, image);
    if (status && !named)
        unlink(path);
    if (!status)
        log_info("%s has %zu bytes", path, image->n);
    return status;
}

enum refrain_status writer_write(struct trace *t, bool spawned)
{
    struct bytes image = {0};
    enum refrain_status status = merge_finish(t);
    if (!status && config.check)
        status = trace_check(t);
    if (!status)
        status = codec_encode(t, CODEC_FINAL, &image);
    if (!status)
        status = write_image(&image, spawned);
    bytes_free(&image);
    return status;
}
