/* SPDX-License-Identifier: BSD-3-Clause */
#define LOG_DOMAIN LOG_LAUNCH
#include "launch.h"

#include "executable.h"
#include "fortran_names.h"
#include "libraries.h"
#include "src/core/base/log.h"
#include "tracers.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the program ----------------------------------------------------------------------------- */

static bool is_runnable(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* Returns the first executable file in PATH, as execvp does; NULL if there is none. */
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
        log_error("the name of the program is empty");
        return REFRAIN_ERR_USAGE;
    }
    if (!strchr(name, '/')) {
        *program = search_path(name);
        if (!*program && is_runnable(name))
            log_error("%s: not found in PATH; to run the program in this directory, write ./%s", name, name);
        else if (!*program)
            log_error("%s: not found in PATH", name);
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

/* ---- the tracer ------------------------------------------------------------------------------ */

/* Programs that start others, which are to be traced. They are recognized by a prefix of the file
 * name. */
static const struct launcher {
    const char *name, *mpi;
} launchers[] = {
    {"orterun", "Open MPI"},
    {"prte", "Open MPI"},
    {"mpirun.openmpi", "Open MPI"},
    {"mpiexec.openmpi", "Open MPI"},
    {"mpiexec.hydra", "MPICH"},
    {"mpirun.mpich", "MPICH"},
    {"mpiexec.mpich", "MPICH"},
    {"mpirun", NULL},
    {"mpiexec", NULL},
    {"srun", NULL},
};

/* Returns NULL if it is not a launcher. */
static const struct launcher *launcher_find(const char *path)
{
    char *real = realpath(path, NULL); /* on some systems mpirun is a link to one of many */
    const char *slash = real ? strrchr(real, '/') : NULL;
    const struct launcher *found = NULL;
    for (size_t i = 0; slash && !found && i < sizeof launchers / sizeof launchers[0]; i++) {
        if (strncmp(slash + 1, launchers[i].name, strlen(launchers[i].name)) == 0)
            found = &launchers[i];
    }
    free(real);
    return found;
}

/* Variables that a launcher sets in the environment of the processes that it starts. */
static const struct {
    const char *variable, *mpi;
} launched[] = {
    {"OMPI_COMM_WORLD_SIZE", "Open MPI"},
    {"PMI_SIZE", "MPICH"}, /* also MVAPICH and Intel MPI, which have MPICH's interface */
    /* from srun; other libraries can use it, but are rarely built for it */
    {"PMIX_NAMESPACE", "Open MPI"},
};

static const char *launchers_mpi(const struct launch *l)
{
    const struct launcher *launcher = launcher_find(l->program);
    if (launcher && launcher->mpi)
        return launcher->mpi;
    for (size_t i = 0; i < sizeof launched / sizeof launched[0]; i++) {
        if (getenv(launched[i].variable)) {
            log_debug("%s is set: started by the launcher of %s", launched[i].variable, launched[i].mpi);
            return launched[i].mpi;
        }
    }
    return NULL;
}

/* Returns "Open MPI, MPICH" for a message; NULL if memory is short. */
static char *names_of(const struct tracers *t)
{
    struct bytes text = {0};
    tracers_put_names(t, &text);
    bytes_put_u8(&text, '\0');
    char *names = text.failed ? NULL : strdup((const char *)text.data);
    bytes_free(&text);
    return names;
}

static enum refrain_status take(struct launch *l, const struct tracer *tracer,
                                const struct libraries *libraries)
{
    const enum refrain_status status = fortran_names_choose(tracer->path, l->program, libraries, &l->library);
    if (status == REFRAIN_OK)
        log_info("%s is traced by %s%s%s", l->program, l->library, tracer->mpi ? ", of " : "",
                 tracer->mpi ? tracer->mpi : "");
    return status;
}

/* The program's linked MPI library determines the tracer. A tracer for an unknown library, or one
 * that the user chose, is accepted without a check. */
static enum refrain_status choose_linked(struct launch *l, const struct tracers *t,
                                         const struct mpi_library *its, const struct libraries *libraries)
{
    const struct tracer *tracer = tracers_for(t, its->mpi);
    if (!tracer && t->items.n == 1 && !t->items.items[0].mpi)
        tracer = &t->items.items[0];
    if (tracer)
        return take(l, tracer, libraries);
    char *names = names_of(t);
    log_error("%s uses %s (%s), but there is a tracer for %s only; build Refrain with the MPI library of the "
              "program",
              l->program, its->mpi, its->soname, names ? names : "others");
    free(names);
    return REFRAIN_ERR_USAGE;
}

/* It is not known which MPI library the program will load, so the launcher's library is assumed.
 * If there is only one tracer, that one is used: otherwise nothing would be recorded. */
static enum refrain_status choose_unlinked(struct launch *l, const struct tracers *t,
                                           const struct libraries *libraries)
{
    const char *mpi = launchers_mpi(l);
    const struct tracer *tracer = mpi ? tracers_for(t, mpi) : NULL;
    if (!tracer && t->items.n == 1)
        tracer = &t->items.items[0];
    if (tracer)
        return take(l, tracer, libraries);
    char *names = names_of(t);
    log_error("cannot find out which MPI library %s uses; there are tracers for %s: start it with the mpirun "
              "of its MPI library, or set REFRAIN_LIBRARY to the path of a tracer",
              l->program, names ? names : "several");
    free(names);
    return REFRAIN_ERR_USAGE;
}

/* A sanitizer's run-time library refuses to run after a preloaded library, so it is preloaded,
 * too, before the tracer. */
static enum refrain_status find_first(struct launch *l, const struct libraries *libraries)
{
    static const char name[] = "libasan.so";
    for (size_t i = 0; i < libraries->names.n && !l->first; i++) {
        if (strncmp(libraries->names.items[i], name, sizeof name - 1) != 0)
            continue;
        l->first = strdup(libraries->names.items[i]);
        if (!l->first) {
            log_error("out of memory: %s", libraries->names.items[i]);
            return REFRAIN_ERR_MEMORY;
        }
    }
    return REFRAIN_OK;
}

static enum refrain_status choose_by_libraries(struct launch *l, const struct tracers *t, const char *loader)
{
    struct libraries libraries = {0};
    enum refrain_status status = libraries_list(&libraries, loader, l->program);
    if (status != REFRAIN_OK)
        return status;
    const struct mpi_library *its = mpi_library_among(libraries.names.items, libraries.names.n);
    status = find_first(l, &libraries);
    if (status) {
        /* The error has been reported. */
    } else if (its) {
        status = choose_linked(l, t, its, &libraries);
    } else {
        status = choose_unlinked(l, t, &libraries);
    }
    libraries_free(&libraries);
    return status;
}

static enum refrain_status choose(struct launch *l, const struct tracers *t)
{
    struct elf e;
    enum refrain_status status = elf_read(l->program, &e);
    if (status != REFRAIN_OK)
        return status;
    if (e.kind == ELF_STATIC) {
        log_error("%s is statically linked, and preloading does not work for statically linked programs; "
                  "link it with -lrefrain before the MPI library (see refrain-record(1))",
                  l->program);
        status = REFRAIN_ERR_USAGE;
    } else if (e.kind == ELF_DYNAMIC && e.loader) {
        status = choose_by_libraries(l, t, e.loader);
    } else {
        const struct libraries none = {0};
        status = choose_unlinked(l, t, &none);
    }
    elf_free(&e);
    return status;
}

enum refrain_status launch_prepare(struct launch *l, const char *program)
{
    struct launch prepared = {0};
    struct tracers tracers = {0};
    enum refrain_status status = find_program(program, &prepared.program);
    if (status == REFRAIN_OK)
        status = tracers_find(&tracers);
    if (status == REFRAIN_OK) {
        prepared.script = begins_script(prepared.program) || launcher_find(prepared.program);
        status = choose(&prepared, &tracers);
    }
    tracers_free(&tracers);
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
    free(l->first);
    *l = (struct launch){0};
}
