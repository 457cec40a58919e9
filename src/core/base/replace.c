/* SPDX-License-Identifier: BSD-3-Clause */
#include "replace.h"

#include "log.h"
#include "write.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODE             0666 /* masked by the user's umask */
#define TEMPORARIES_MOST 1000 /* temporary files of one name: left over, or of other hosts */

static enum refrain_status refuse(const char *path)
{
    log_error("cannot write %s: %m", path);
    return REFRAIN_ERR_IO;
}

/* A device or a pipe is written directly: a regular file in its place would have no reader. */
static bool is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

/* Return the target of a symbolic link: the target is replaced, not the link. */
static const char *behind(const char *path, char target[PATH_MAX])
{
    struct stat info;
    const bool link = lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
    return link && realpath(path, target) ? target : path;
}

/* Give the new file the mode of the existing one. */
static void keep_mode(const struct replacement *r)
{
    struct stat info;
    if (stat(r->path, &info) == 0 && S_ISREG(info.st_mode))
        (void)!fchmod(r->fd, info.st_mode & 07777);
}

/* Create a file with a name that no process uses; a process of another host or container may have
 * the same process id. */
static void make_temporary(struct replacement *r)
{
    r->fd = -1;
    errno = EEXIST;
    for (unsigned n = 0; n < TEMPORARIES_MOST && r->fd < 0 && errno == EEXIST; n++) {
        const int length = snprintf(r->temporary, PATH_MAX, "%s.%ld.%u.tmp", r->path, (long)getpid(), n);
        errno = ENAMETOOLONG;
        if (length < PATH_MAX)
            r->fd = open(r->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, MODE);
    }
}

enum refrain_status replace_begin(struct replacement *r, const char *path)
{
    char target[PATH_MAX];
    path = behind(path, target);
    errno = ENAMETOOLONG;
    if (snprintf(r->path, PATH_MAX, "%s", path) >= PATH_MAX)
        return refuse(path);
    if (is_special(path)) {
        r->temporary[0] = '\0';
        r->fd = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        make_temporary(r);
    }
    if (r->fd < 0)
        return refuse(path);
    if (r->temporary[0])
        keep_mode(r);
    return REFRAIN_OK;
}

enum refrain_status replace_add(struct replacement *r, const void *data, size_t n)
{
    assert(r->fd >= 0);
    return write_all(r->fd, data, n) ? REFRAIN_OK : refuse(r->path);
}

enum refrain_status replace_end(struct replacement *r, enum refrain_status status)
{
    assert(r->fd >= 0);
    if (close(r->fd) != 0 && !status)
        status = refuse(r->path);
    if (!r->temporary[0])
        return status;
    if (!status && rename(r->temporary, r->path) != 0)
        status = refuse(r->path);
    if (status)
        unlink(r->temporary);
    return status;
}

enum refrain_status replace_file(const char *path, const struct bytes *image)
{
    struct replacement r;
    const enum refrain_status status = replace_begin(&r, path);
    return status ? status : replace_end(&r, replace_add(&r, image->data, image->n));
}
