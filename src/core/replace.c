#include "replace.h"

#include "log.h"
#include "write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODE 0666 /* less the user's umask */

static enum refrain_status refuse(const char *path)
{
    log_error("cannot write %s: %m", path);
    return REFRAIN_ERR_IO;
}

/* A device or a pipe is written into: what takes its name would be a file that nobody reads. */
static bool is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

/* `fd` is what open() gave; it is closed. `path` is for messages. */
static enum refrain_status write_into(int fd, const struct bytes *image, const char *path)
{
    if (fd < 0)
        return refuse(path);
    enum refrain_status status = write_all(fd, image->data, image->n) ? REFRAIN_OK : refuse(path);
    if (close(fd) != 0 && !status)
        status = refuse(path);
    return status;
}

enum refrain_status replace_file(const char *path, const struct bytes *image)
{
    char temporary[PATH_MAX];
    if (is_special(path))
        return write_into(open(path, O_WRONLY | O_CLOEXEC), image, path);
    if (snprintf(temporary, sizeof temporary, "%s.%ld.tmp", path, (long)getpid()) >= (int)sizeof temporary) {
        errno = ENAMETOOLONG;
        return refuse(path);
    }
    const int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, MODE);
    if (fd < 0)
        return refuse(path);
    enum refrain_status status = write_into(fd, image, path);
    if (!status && rename(temporary, path) != 0)
        status = refuse(path);
    if (status)
        unlink(temporary);
    return status;
}
