#include "verify.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "log.h"
#include "raw.h"

#define FLUSH_BYTES (64 * 1024)

static struct raw_file {
    char path[PATH_MAX];
    int fd; /* valid while `open` */
    bool open;
    struct bytes pending; /* not yet written */
} files[] = {[LANE_DEFINITIONS] = {.fd = -1}, [LANE_THREAD] = {.fd = -1}};

#define N_FILES (sizeof files / sizeof files[0])

static bool failed; /* it has been said */

static void release(struct raw_file *f)
{
    if (f->open)
        close(f->fd);
    f->open = false;
    bytes_free(&f->pending);
}

static void give_up(const char *path)
{
    log_error("cannot write %s: %m; there will be nothing to verify", path);
    failed = true;
    for (size_t i = 0; i < N_FILES; i++)
        release(&files[i]);
}

static void flush(struct raw_file *f)
{
    size_t done = 0;
    while (done < f->pending.n) {
        ssize_t n = write(f->fd, f->pending.data + done, f->pending.n - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            give_up(f->path);
            return;
        }
        done += (size_t)n;
    }
    f->pending.n = 0;
}

void verify_record(enum lane_kind kind, uint64_t site_hash, const int64_t *slots, uint32_t n)
{
    if (!config.verify || failed)
        return;
    struct raw_file *f = &files[kind];
    if (f->pending.n == 0 && !f->open)
        raw_put_header(&f->pending);
    raw_put_record(&f->pending, site_hash, slots, n);
    if (f->pending.failed) {
        errno = ENOMEM;
        give_up(f->open ? f->path : config.verify);
    } else if (f->open && f->pending.n >= FLUSH_BYTES) {
        flush(f);
    }
}

void verify_disable(const char *reason)
{
    if (!config.verify || failed)
        return;
    log_warning("REFRAIN_VERIFY is ignored: %s", reason);
    failed = true;
    verify_close();
}

void verify_open(int rank)
{
    if (!config.verify || failed)
        return;
    if (mkdir(config.verify, 0777) != 0 && errno != EEXIST) {
        give_up(config.verify);
        return;
    }
    for (size_t i = 0; i < N_FILES; i++) {
        struct raw_file *f = &files[i];
        int n = i == LANE_DEFINITIONS
                    ? snprintf(f->path, sizeof f->path, "%s/rank.%d.definitions.raw", config.verify, rank)
                    : snprintf(f->path, sizeof f->path, "%s/rank.%d.lane.0.raw", config.verify, rank);
        if (n < 0 || (size_t)n >= sizeof f->path)
            errno = ENAMETOOLONG;
        else
            f->fd = open(f->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (n < 0 || (size_t)n >= sizeof f->path || f->fd < 0) {
            give_up(f->path);
            return;
        }
        if (f->pending.n == 0)
            raw_put_header(&f->pending);
        f->open = true;
    }
}

void verify_flush(void)
{
    for (size_t i = 0; i < N_FILES && !failed; i++) {
        if (files[i].open)
            flush(&files[i]);
    }
}

void verify_close(void)
{
    verify_flush();
    for (size_t i = 0; i < N_FILES; i++)
        release(&files[i]);
}
