/* SPDX-License-Identifier: BSD-3-Clause */
#include "output_place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "part.h"
#include "src/core/base/log.h"
#include "src/record/tracer.h"
#include "src/settings/config.h"

#define SUFFIX ".refrain"
#define ROOM   64 /* bytes that names of part directories and of temporary files add to the name */
#define DEPTH  96 /* bytes that paths of parts add to the path */

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Whether the folder (the first n bytes of `path`) is writable; if not, errno has the reason. The
 * function creates a file because access(2) is not reliable on network file systems. */
static bool is_writable(const char *path, size_t n)
{
    char probe[PATH_MAX];
    errno = ENAMETOOLONG;
    if (n >= INT_MAX || (size_t)snprintf(probe, sizeof probe, "%.*s/.refrain.XXXXXX", n > 0 ? (int)n : 1,
                                         n > 0 ? path : ".") >= sizeof probe)
        return false;
    /* So no process has this name, on other hosts neither. */
    const int fd = mkostemp(probe, O_CLOEXEC);
    if (fd < 0)
        return false;
    close(fd);
    unlink(probe);
    return true;
}

/* Whether a file of that name can be created, or the path is a writable device or pipe; if not,
 * errno has the reason. */
static bool will_do(const char *path)
{
    struct stat info;
    const char *name = name_in(path);
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return access(path, W_OK) == 0;
    errno = ENAMETOOLONG;
    return strlen(name) < NAME_MAX - ROOM && strlen(path) < PATH_MAX - DEPTH &&
           is_writable(path, name > path + 1 ? (size_t)(name - path) - 1 : (size_t)(name - path));
}

/* The file's name without the suffix; the program's name if the result is empty or too long. */
static const char *name_of(const char *path, size_t *n)
{
    const char *name = name_in(path);
    const size_t suffix = strlen(SUFFIX);
    *n = strlen(name);
    if (*n > suffix && strcmp(name + *n - suffix, SUFFIX) == 0)
        *n -= suffix;
    if (*n == 0 || *n >= NAME_MAX - ROOM) {
        name = program_invocation_short_name;
        *n = strnlen(name, NAME_MAX - ROOM);
    }
    return name;
}

static char temporary[PATH_MAX]; /* $TMPDIR at the start of the run */
static size_t next;              /* the next folder to try */

/* Whether the path is in that folder. A name without a folder is in the working directory. */
static bool is_folder_of(const char *folder, const char *path)
{
    const size_t n = strlen(folder);
    return !strchr(path, '/') ||
           (strncmp(path, folder, n) == 0 && path[n] == '/' && !strchr(path + n + 1, '/'));
}

/* Find the first folder, from `next` on, that is writable; `why` is why `path` is not. */
static bool find_folder(const char *path, char *stem, const char *why)
{
    char here[PATH_MAX];
    const char *const folders[] = {getcwd(here, sizeof here), *temporary ? temporary : NULL, "/tmp"};
    size_t n;
    const char *name = name_of(path, &n);
    while (next < sizeof folders / sizeof folders[0]) {
        const char *folder = folders[next++];
        if (!folder || !is_writable(folder, strlen(folder)) ||
            (size_t)snprintf(stem, PATH_MAX, "%s/%.*s", folder, (int)n, name) >= PATH_MAX - DEPTH)
            continue;
        if (tracer.rank == 0)
            log_warning("cannot write the trace to %s: %s; it is written to %s, as %.*s" SUFFIX
                        " or the next free name",
                        path, why, folder, (int)n, name);
        return true;
    }
    return false;
}

/* The path that the user or the default asks for. Only a path from the user is complete; a default
 * path lacks the suffix. */
static const char *wanted(char path[PATH_MAX])
{
    if (config.output)
        return config.output;
    return snprintf(path, PATH_MAX, "%s" SUFFIX, config.stem) < PATH_MAX ? path : config.stem;
}

bool output_place_find_other(char *stem)
{
    const char *folder = getenv("TMPDIR");
    char path[PATH_MAX];
    snprintf(temporary, sizeof temporary, "%s", folder ? folder : "");
    if (will_do(wanted(path)))
        return false;
    const int why = errno;
    if (find_folder(wanted(path), stem, strerror(why)))
        return true;
    if (tracer.rank == 0)
        log_warning("cannot write the trace to %s: %s", wanted(path), strerror(why));
    return false;
}

bool output_place_has_failed(int why)
{
    char path[PATH_MAX], stem[PATH_MAX], here[PATH_MAX];
    if (why == EFBIG || why == EMFILE || why == ENFILE)
        return false; /* no other folder helps: these limits hold for the process */
    if (next == 0 && getcwd(here, sizeof here) && is_folder_of(here, wanted(path)))
        next = 1;
    if (!find_folder(wanted(path), stem, strerror(why)))
        return false;
    config_move_output(stem);
    return part_start() == REFRAIN_OK;
}

void output_place_check(void)
{
    char path[PATH_MAX];
    if (!will_do(wanted(path)))
        output_place_has_failed(errno);
}
