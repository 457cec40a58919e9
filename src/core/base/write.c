/* SPDX-License-Identifier: BSD-3-Clause */
#include "write.h"

#include "cancel.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static bool write_rest(int fd, const uint8_t *data, size_t n)
{
    while (n > 0) {
        const ssize_t written = write(fd, data, n);
        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0)
            errno = EIO;
        if (written <= 0)
            return false;
        data += written;
        n -= (size_t)written;
    }
    return true;
}

/* SIGXFSZ goes to the thread that writes. It is blocked during the write and then removed, unless
 * one was pending before. */
bool write_all(int fd, const void *data, size_t n)
{
    sigset_t limit, before, pending;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    sigemptyset(&pending);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    const int cancel = cancel_forbid();
    const bool done = write_rest(fd, data, n);
    const int error = errno;
    if (!done && error == EFBIG && !sigismember(&pending, SIGXFSZ))
        sigtimedwait(&limit, NULL, &(struct timespec){0});
    cancel_allow(cancel);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return done;
}
