#include "output.h"

#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#define OUTPUT_BUFFER ((size_t)1 << 17)

enum refrain_status output_open(struct output *o, const char *path)
{
    *o = (struct output){.path = path, .fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (o->fd >= 0)
        return REFRAIN_OK;
    log_error("%s: %m", path);
    return REFRAIN_ERR_IO;
}

/* A closed pipe shall show as EPIPE, not kill. SIGPIPE is set no earlier than here, since `refrain record`,
 * which prints nothing, hands its signals down to the program. */
static enum refrain_status write_out(struct output *o)
{
    enum refrain_status status = REFRAIN_OK;
    if (o->text.failed)
        status = REFRAIN_ERR_MEMORY; /* logged where the allocation failed */
    if (o->text.n > 0)
        signal(SIGPIPE, SIG_IGN);
    for (size_t at = 0; status == REFRAIN_OK && !o->closed && at < o->text.n;) {
        ssize_t n = write(o->path ? o->fd : STDOUT_FILENO, o->text.data + at, o->text.n - at);
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
    return o->text.n >= OUTPUT_BUFFER || o->text.failed ? write_out(o) : REFRAIN_OK;
}

enum refrain_status output_close(struct output *o)
{
    enum refrain_status status = write_out(o);
    bytes_free(&o->text);
    if (o->path && close(o->fd) != 0 && status == REFRAIN_OK) {
        log_error("cannot write to %s: %m", o->path);
        status = REFRAIN_ERR_IO;
    }
    return status;
}
