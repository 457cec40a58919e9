#include "launch.h"

#include "executable.h"
#include "libraries.h"
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRACER "librefrain.so"

/* Where the tracer lies relative to the directory of this command: in the build tree, and installed. */
static const char *const places[] = {"../src/" TRACER, "../lib/" TRACER, "../lib64/" TRACER, TRACER};

#ifdef REFRAIN_LIBDIR /* where `make install` puts it */
static const char installed[] = REFRAIN_LIBDIR "/" TRACER;
#else
static const char installed[] = "";
#endif

/* ---- the program -----------------------------------------------------------------------------------------
 */

static bool is_runnable(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* As execvp looks: the first file in PATH that can be run. NULL if there is none. */
static char *search_path(const char *name)
{
    const char *path = getenv("PATH");
    for (const char *at = path ? path : "/bin:/usr/bin"; at;) {
        const size_t n = strcspn(at, ":");
        char *candidate;
        if (asprintf(&candidate, "%.*s%s%s", (int)n, at, n > 0 ? "/" : "", name) < 0)
            return NULL;
        if (is_runnable(candidate))
            return candidate;
        free(candidate);
        at = at[n] ? at + n + 1 : NULL;
    }
    return NULL;
}

static enum refrain_status find_program(const char *name, char **program)
{
    struct stat info;
    if (!*name) {
        log_error("an empty name is no program");
        return REFRAIN_ERR_USAGE;
    }
    if (!strchr(name, '/')) {
        *program = search_path(name);
        if (!*program)
            log_error("%s: there is no such program in PATH", name);
        return *program ? REFRAIN_OK : REFRAIN_ERR_USAGE;
    }
    if (stat(name, &info) != 0)
        log_error("%s: %m", name);
    else if (S_ISDIR(info.st_mode))
        log_error("%s is a directory, not a program", name);
    else if (!is_runnable(name))
        log_error("%s is not executable", name);
    else if ((*program = strdup(name)))
        return REFRAIN_OK;
    else
        log_error("out of memory: %s", name);
    return REFRAIN_ERR_USAGE;
}

static bool begins_script(const char *path)
{
    char begin[2] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool read_it = fd >= 0 && read(fd, begin, sizeof begin) == (ssize_t)sizeof begin;
    if (fd >= 0)
        close(fd);
    return read_it && begin[0] == '#' && begin[1] == '!';
}

/* ---- the tracer ------------------------------------------------------------------------------------------
 */

static enum refrain_status found(const char *path, char **library)
{
    *library = realpath(path, NULL);
    if (*library)
        return REFRAIN_OK;
    log_error("the tracer %s: %m", path);
    return REFRAIN_ERR_USAGE;
}

static enum refrain_status find_library(char **library)
{
    char own[PATH_MAX], path[PATH_MAX + 64];
    const char *given = getenv("REFRAIN_LIBRARY");
    if (given && *given)
        return found(given, library);

    const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    own[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(own, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%.*s/%s", (int)(slash - own), own, places[i]);
        if (access(path, R_OK) == 0)
            return found(path, library);
    }
    if (*installed && access(installed, R_OK) == 0)
        return found(installed, library);
    log_error("cannot find the tracer " TRACER "; set REFRAIN_LIBRARY to its path");
    return REFRAIN_ERR_USAGE;
}

/* ---- do they fit? ----------------------------------------------------------------------------------------
 */

static enum refrain_status check_mpi(const char *program, const struct elf *e, const char *library)
{
    struct elf tracer = {0};
    struct libraries libraries = {0};
    enum refrain_status status = elf_read(library, &tracer);
    if (status == REFRAIN_OK)
        status = libraries_list(&libraries, e->loader, program);
    if (status != REFRAIN_OK)
        goto out;
    const struct mpi_library *own = mpi_library_among(tracer.needed.items, tracer.needed.n);
    const struct mpi_library *its = mpi_library_among(libraries.items, libraries.n);
    if (!its) {
        log_warning("%s is not linked with an MPI library; if it does not load one, nothing will be recorded",
                    program);
    } else if (own && strcmp(own->mpi, its->mpi) != 0) {
        log_error("%s uses %s (%s), but this tracer was built for %s; build Refrain with the MPI library of "
                  "the program",
                  program, its->mpi, its->soname, own->mpi);
        status = REFRAIN_ERR_USAGE;
    }
out:
    elf_free(&tracer);
    libraries_free(&libraries);
    return status;
}

static enum refrain_status check_program(const struct launch *l)
{
    struct elf e;
    enum refrain_status status = elf_read(l->program, &e);
    if (status != REFRAIN_OK)
        return status;
    if (e.kind == ELF_STATIC) {
        log_error("%s is statically linked, so that nothing can be preloaded; link it with -lrefrain before "
                  "the MPI "
                  "library instead",
                  l->program);
        status = REFRAIN_ERR_USAGE;
    } else if (e.kind == ELF_DYNAMIC && e.loader) {
        status = check_mpi(l->program, &e, l->library);
    }
    elf_free(&e);
    return status;
}

enum refrain_status launch_prepare(struct launch *l, const char *program)
{
    struct launch prepared = {0};
    enum refrain_status status = find_program(program, &prepared.program);
    if (status == REFRAIN_OK)
        status = find_library(&prepared.library);
    if (status == REFRAIN_OK) {
        prepared.script = begins_script(prepared.program);
        if (!prepared.script)
            status = check_program(&prepared);
    }
    if (status == REFRAIN_OK)
        *l = prepared;
    else
        launch_free(&prepared);
    return status;
}

void launch_free(struct launch *l)
{
    free(l->program);
    free(l->library);
    *l = (struct launch){0};
}
