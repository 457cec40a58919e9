/* SPDX-License-Identifier: BSD-3-Clause */
#include "log.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "mix.h"
#include "write.h"

#define LINE_MAX_BYTES 2048

static const char *const marks[] = {[LOG_ERROR] = "",
                                    [LOG_WARNING] = "warning: ",
                                    [LOG_NOTICE] = "",
                                    [LOG_INFO] = "",
                                    [LOG_DEBUG] = "debug: "};

#define THRESHOLD_UNREAD 0u
#define THRESHOLD_BITS   3 /* bits of a level */

static _Atomic(const char *) context;
static _Thread_local const char *subject_file, *subject_section;
static atomic_uint errors;
static atomic_uint share; /* milliseconds; 0: each process prints its messages */
/* The level of domain i is in bits 3 i to 3 i + 2. A bit above all levels says that REFRAIN_LOG has
 * been read. */
static atomic_uint thresholds = THRESHOLD_UNREAD;
#define THRESHOLD_READ (1u << THRESHOLD_BITS * LOG_DOMAINS)

void log_set_context(const char *text)
{
    atomic_store(&context, text);
}

void log_set_subject(const char *file, const char *section)
{
    subject_file = file;
    subject_section = section;
}

void log_share(unsigned milliseconds)
{
    atomic_store(&share, milliseconds);
}

/* Whether this process may print the line: the first of its siblings to bind an abstract socket,
 * named after the parent process and the line, may do so. The socket is closed when the process
 * ends. */
static bool may_say(const char *line, size_t n)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    uint64_t hash = (uint64_t)getppid();
    for (size_t i = 0; i < n; i++)
        hash = mix(hash, (uint8_t)line[i]);
    snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "refrain.%016" PRIx64, hash);
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return fd < 0 || bind(fd, (const struct sockaddr *)&name, sizeof name) == 0 || errno != EADDRINUSE;
}

unsigned log_error_count(void)
{
    return atomic_load(&errors);
}

static unsigned read_thresholds(void)
{
    struct log_levels levels;
    const char *wanted = getenv("REFRAIN_LOG");
    unsigned read = THRESHOLD_READ;
    if (!wanted || !log_levels_parse(wanted, &levels))
        log_levels_parse("notice", &levels);
    for (unsigned d = 0; d < LOG_DOMAINS; d++)
        read |= (unsigned)levels.of[d] << THRESHOLD_BITS * d;
    return read;
}

/* Two threads may read the environment at once; both get the same result. */
static bool is_printed(enum log_domain domain, enum log_level level)
{
    unsigned known = atomic_load(&thresholds);
    if (known == THRESHOLD_UNREAD) {
        known = read_thresholds();
        atomic_store(&thresholds, known);
    }
    return level <= (known >> THRESHOLD_BITS * domain & ((1u << THRESHOLD_BITS) - 1));
}

/* The number of bytes that snprintf has written, without the NUL; `room` includes one byte for the
 * NUL. */
static size_t kept(int wanted, size_t room)
{
    if (wanted < 0)
        return 0;
    return (size_t)wanted < room ? (size_t)wanted : room - 1;
}

void log_message(enum log_domain domain, enum log_level level, const char *format, ...)
{
    assert(domain < LOG_DOMAINS && level <= LOG_DEBUG);
    int saved = errno;
    if (level == LOG_ERROR)
        atomic_fetch_add(&errors, 1);
    if (!is_printed(domain, level))
        return;

    char line[LINE_MAX_BYTES];
    const size_t room = sizeof line - 1; /* the last byte is for the newline */
    const char *where = level == LOG_NOTICE ? NULL : atomic_load(&context);
    size_t n = kept(snprintf(line, room, "refrain%s: %s", where ? where : "", marks[level]), room);
    if (level == LOG_DEBUG && domain != LOG_GENERAL)
        n += kept(snprintf(line + n, room - n, "%s: ", log_domain_name(domain)), room - n);
    if (subject_file)
        n += kept(snprintf(line + n, room - n, "%s: section %s: ", subject_file, subject_section), room - n);

    va_list arguments;
    va_start(arguments, format);
    errno = saved; /* for %m */
    n += kept(vsnprintf(line + n, room - n, format, arguments), room - n);
    va_end(arguments);

    for (size_t i = 0; i < n; i++) /* a message is one line, but a name may contain any character */
        line[i] = (unsigned char)line[i] < ' ' ? '?' : line[i];
    line[n++] = '\n';
    const long wait = atomic_load(&share);
    if (wait == 0 || may_say(line, n))
        write_all(STDERR_FILENO, line, n);
    if (wait > 0)
        nanosleep(&(struct timespec){.tv_sec = wait / 1000, .tv_nsec = wait % 1000 * 1000000}, NULL);
    errno = saved;
}
