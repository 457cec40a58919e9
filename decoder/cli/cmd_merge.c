/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain merge: makes one trace of the parts of a run that ended without MPI_Finalize, or one
 * file of the traces of several worlds. */
#include "commands.h"

#include "decoder/trace/endings.h"
#include "decoder/trace/parts.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"
#include "src/core/base/replace.h"
#include "world_select.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".parts"

/* NAME.refrain.parts becomes NAME.refrain. An existing file is replaced only with an explicit
 * option. */
static enum refrain_status name_output(const struct options *o, char path[PATH_MAX])
{
    const char *wanted = options_value(o, OPTION_OUTPUT), *directory = o->operands[0];
    size_t n = strlen(directory);
    while (n > 1 && directory[n - 1] == '/')
        n--;
    const bool fits = wanted ? snprintf(path, PATH_MAX, "%s", wanted) < PATH_MAX
                             : snprintf(path, PATH_MAX, "%.*s", (int)n, directory) < PATH_MAX;
    if (!fits) {
        log_error("%s: the name is too long", wanted ? wanted : directory);
        return REFRAIN_ERR_USAGE;
    }
    if (wanted)
        return REFRAIN_OK;
    const size_t suffix = strlen(SUFFIX);
    if (n <= suffix || strcmp(path + n - suffix, SUFFIX) != 0) {
        log_error("%s does not end in " SUFFIX ": add --output FILE.refrain", directory);
        return REFRAIN_ERR_USAGE;
    }
    path[n - suffix] = '\0';
    if (access(path, F_OK) == 0) {
        log_error("%s exists already: add --output with another name", path);
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

/* Prints "app.refrain: 3 of 4 ranks" and how they ended. */
static enum refrain_status tell(const char *path, size_t n_parts)
{
    struct reader r;
    struct endings endings = {0};
    struct output out = {0};
    enum refrain_status status = reader_open(&r, path);
    if (status != REFRAIN_OK)
        return status;
    if ((status = endings_read(&endings, &r)) == REFRAIN_OK) {
        text_put_name(&out.text, path);
        text_printf(&out.text, ": %zu of %" PRIu32 " ranks\n", n_parts, r.trace.n_ranks);
        for (size_t i = 0; i < endings.items.n; i++) {
            text_put(&out.text, endings.items.items[i].ranks.n == 1 ? "  rank " : "  ranks ");
            ending_put_ranks(&endings.items.items[i], &out.text);
            text_put(&out.text, ": ");
            ending_put(&endings.items.items[i], &out.text);
            text_putc(&out.text, '\n');
        }
    }
    const enum refrain_status written = output_close(&out);
    endings_free(&endings);
    reader_close(&r);
    return status != REFRAIN_OK ? status : written;
}

/* Joins several worlds, each in its own file, into one file. */
static enum refrain_status join(const struct options *o)
{
    const char *path = options_value(o, OPTION_OUTPUT);
    struct bytes image = {0};
    if (!path) {
        log_error("missing option: --output FILE.refrain");
        return REFRAIN_ERR_USAGE;
    }
    enum refrain_status status = world_join(o->operands, o->n_operands, &image);
    if (status == REFRAIN_OK)
        status = replace_file(path, &image);
    bytes_free(&image);
    return status;
}

enum refrain_status cmd_merge(const struct options *o)
{
    struct stat info;
    if (stat(o->operands[0], &info) != 0) {
        log_error("%s: %m", o->operands[0]);
        return REFRAIN_ERR_IO;
    }
    if (o->n_operands > 1 || !S_ISDIR(info.st_mode))
        return join(o);
    char path[PATH_MAX];
    struct parts parts = {0};
    struct trace t = {0};
    enum refrain_status status = name_output(o, path);
    if (status == REFRAIN_OK)
        status = parts_find(&parts, o->operands[0]);
    if (status == REFRAIN_OK)
        status = parts_merge(&parts, &t);
    if (status == REFRAIN_OK)
        status = parts_write(&parts, &t, path);
    if (status == REFRAIN_OK)
        status = tell(path, parts.items.n);
    trace_free(&t);
    parts_free(&parts);
    return status;
}
