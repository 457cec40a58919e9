/* SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"

#include "src/core/base/log.h"

#include "text_wrap.h"

#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define OUTPUT_BUFFER ((size_t)1 << 17)
#define LEAST_WIDTH   40 /* a narrower terminal is left alone */

enum refrain_status output_open(struct output *o, const char *path)
{
    *o = (struct output){.path = path};
    return replace_begin(&o->file, path);
}

static void wrap(struct output *o)
{
    struct winsize size;
    struct bytes wrapped = {0};
    if (!o->wraps || o->path || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < LEAST_WIDTH)
        return;
    text_wrap(&wrapped, (const char *)o->text.data, o->text.n, size.ws_col);
    wrapped.failed = wrapped.failed || o->text.failed;
    bytes_free(&o->text);
    o->text = wrapped;
}

/* A closed pipe must give EPIPE instead of a signal that kills. SIGPIPE is ignored only from here
 * on, because `refrain record`, which prints nothing, passes its signal settings to the program. */
static enum refrain_status write_out(struct output *o)
{
    enum refrain_status status = REFRAIN_OK;
    wrap(o);
    if (o->text.failed)
        status = REFRAIN_ERR_MEMORY; /* reported where the allocation failed */
    if (o->text.n > 0)
        signal(SIGPIPE, SIG_IGN);
    for (size_t at = 0; status == REFRAIN_OK && !o->closed && at < o->text.n;) {
        ssize_t n = write(o->path ? o->file.fd : STDOUT_FILENO, o->text.data + at, o->text.n - at);
        if (n >= 0) {
            at += (size_t)n;
        } else if (errno == EPIPE) {
            o->closed = true;
        } else if (errno != EINTR) {
            log_error("cannot write to %s: %m", o->path ? o->path : "the standard output");
            status = REFRAIN_ERR_IO;
        }
    }
    o->text.n = 0;
    return status;
}

enum refrain_status output_drain(struct output *o)
{
    if (o->kept && o->most > 0 && o->text.n >= o->most)
        o->closed = true;
    if (o->text.n < OUTPUT_BUFFER && !o->text.failed)
        return REFRAIN_OK;
    if (o->kept)
        return o->text.failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
    return write_out(o);
}

enum refrain_status output_end(struct output *o, enum refrain_status status)
{
    const enum refrain_status written = write_out(o);
    if (status == REFRAIN_OK)
        status = written;
    bytes_free(&o->text);
    return o->path ? replace_end(&o->file, status) : status;
}

enum refrain_status output_close(struct output *o)
{
    return output_end(o, REFRAIN_OK);
}
