/* SPDX-License-Identifier: BSD-3-Clause */
#define LOG_DOMAIN LOG_LAUNCH
#include "tracers.h"

#include "decoder/util/text.h"
#include "executable.h"
#include "src/core/base/log.h"
#include "src/core/settings/variable.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRACER "*/librefrain.so"

/* Folders of tracers relative to the directory of this command: in the build tree and installed. */
static const char *const places[] = {"../lib/refrain/", "../lib64/refrain/"};

#ifdef REFRAIN_LIBDIR /* the folder of `make install` */
static const char installed[] = REFRAIN_LIBDIR "/refrain/";
#else
static const char installed[] = "";
#endif

static enum refrain_status add(struct tracers *t, const char *path)
{
    struct elf e = {0};
    struct tracer tracer = {.path = realpath(path, NULL)};
    if (!tracer.path) {
        log_error("the tracer %s: %m", path);
        return REFRAIN_ERR_USAGE;
    }
    enum refrain_status status = elf_read(tracer.path, &e);
    if (status == REFRAIN_OK) {
        const struct mpi_library *library = mpi_library_among(e.needed.items, e.needed.n);
        tracer.mpi = library ? library->mpi : NULL;
        log_debug("tracer %s, of %s", tracer.path, library ? library->mpi : "another MPI");
        status = array_push(&t->items, tracer) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    }
    elf_free(&e);
    if (status != REFRAIN_OK)
        free(tracer.path);
    return status;
}

/* Adds the files that match a pattern. No match is not an error. */
static enum refrain_status add_all(struct tracers *t, const char *pattern)
{
    enum refrain_status status = REFRAIN_OK;
    glob_t found;
    const int result = glob(pattern, 0, NULL, &found);
    if (result == GLOB_NOMATCH)
        return REFRAIN_OK;
    if (result != 0) {
        log_error("%s: %m", pattern);
        return REFRAIN_ERR_IO;
    }
    for (size_t i = 0; i < found.gl_pathc && status == REFRAIN_OK; i++)
        status = add(t, found.gl_pathv[i]);
    globfree(&found);
    return status;
}

/* Writes the directory of this command, with wildcards in its name escaped. */
static void put_own_directory(char out[2 * PATH_MAX])
{
    char own[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    own[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(own, '/');
    *(slash ? slash + 1 : own) = '\0';
    size_t at = 0;
    for (const char *c = own; *c; c++) {
        if (strchr("*?[\\", *c))
            out[at++] = '\\';
        out[at++] = *c;
    }
    out[at] = '\0';
}

static enum refrain_status find_all(struct tracers *t)
{
    char own[2 * PATH_MAX], pattern[2 * PATH_MAX + 64];
    enum refrain_status status = REFRAIN_OK;
    put_own_directory(own);
    for (size_t i = 0; i < sizeof places / sizeof places[0] && t->items.n == 0 && !status; i++) {
        snprintf(pattern, sizeof pattern, "%s%s" TRACER, own, places[i]);
        status = add_all(t, pattern);
    }
    if (!status && t->items.n == 0 && *installed) {
        snprintf(pattern, sizeof pattern, "%s" TRACER, installed);
        status = add_all(t, pattern);
    }
    if (!status && t->items.n == 0) {
        log_error("cannot find a tracer, librefrain.so; set REFRAIN_LIBRARY to its path");
        status = REFRAIN_ERR_USAGE;
    }
    return status;
}

enum refrain_status tracers_find(struct tracers *t)
{
    const char *given = getenv(variables[VARIABLE_LIBRARY].name);
    struct tracers found = {0};
    const enum refrain_status status = given && *given ? add(&found, given) : find_all(&found);
    if (status == REFRAIN_OK)
        *t = found;
    else
        tracers_free(&found);
    return status;
}

void tracers_free(struct tracers *t)
{
    for (size_t i = 0; i < t->items.n; i++)
        free(t->items.items[i].path);
    array_free(&t->items);
}

const struct tracer *tracers_for(const struct tracers *t, const char *mpi)
{
    for (size_t i = 0; i < t->items.n; i++) {
        const struct tracer *tracer = &t->items.items[i];
        if (tracer->mpi && strcmp(tracer->mpi, mpi) == 0)
            return tracer;
    }
    return NULL;
}

void tracers_put_names(const struct tracers *t, struct bytes *out)
{
    for (size_t i = 0; i < t->items.n; i++)
        text_printf(out, "%s%s", i ? ", " : "",
                    t->items.items[i].mpi ? t->items.items[i].mpi : "another MPI");
}
