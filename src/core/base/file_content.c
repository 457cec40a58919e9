/* SPDX-License-Identifier: BSD-3-Clause */
#include "file_content.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"

enum { CHUNK = 1 << 16 /* a file of fewer bytes is read: mapping it would take longer */ };

/* Whether the bytes read so far agree with the magic. */
static bool may_begin_with(const struct bytes *b, const char *magic)
{
    const size_t length = strlen(magic);
    return memcmp(b->data, magic, b->n < length ? b->n : length) == 0;
}

static enum refrain_status read_stream(int fd, const char *path, const char *magic, struct bytes *to)
{
    char chunk[CHUNK];
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n == 0)
            return REFRAIN_OK;
        if (n > 0) {
            bytes_put(to, chunk, (size_t)n);
            if (to->failed) {
                log_error("%s: out of memory", path);
                return REFRAIN_ERR_MEMORY;
            }
            if (!may_begin_with(to, magic))
                return REFRAIN_OK;
        } else if (errno != EINTR) {
            log_error("%s: %m", path);
            return REFRAIN_ERR_IO;
        }
    }
}

enum refrain_status file_content_open(struct file_content *c, const char *path, const char *magic)
{
    assert(strlen(magic) <= 16);
    struct stat info;
    enum refrain_status status = REFRAIN_OK;
    *c = (struct file_content){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0) {
        log_error("%s: %m", path);
        status = REFRAIN_ERR_IO;
        goto out;
    }
    if (S_ISREG(info.st_mode) && info.st_size >= CHUNK) {
        void *map = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (map != MAP_FAILED) {
            c->data = c->map = map;
            c->n = (size_t)info.st_size;
            goto out;
        }
    }
    status = read_stream(fd, path, magic, &c->read);
    c->data = c->read.data;
    c->n = c->read.n;
out:
    if (fd >= 0)
        close(fd);
    return status;
}

void file_content_close(struct file_content *c)
{
    if (c->map)
        munmap(c->map, c->n);
    bytes_free(&c->read);
    *c = (struct file_content){0};
}
