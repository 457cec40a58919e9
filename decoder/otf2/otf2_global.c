/* SPDX-License-Identifier: BSD-3-Clause */
#include "otf2_global_impl.h"

#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

OTF2_StringRef global_string(struct global *g, const char *text)
{
    if (g->only_strings && g->status == REFRAIN_OK)
        g->status = otf2_check(OTF2_GlobalDefWriter_WriteString(g->writer, g->n_strings, text));
    return g->n_strings++;
}

OTF2_StringRef global_string_printf(struct global *g, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return global_string(g, text);
}

/* ---- strings with fixed numbers -------------------------------------------------------------- */

/* Returns "app" for "./build/app -n 3". */
static OTF2_StringRef program(struct global *g)
{
    const char *command = trace_meta(&g->x->reader->trace, "command");
    const size_t n = command ? strcspn(command, " ") : 0;
    size_t start = n;
    while (start > 0 && command[start - 1] != '/')
        start--;
    return n > start ? global_string_printf(g, "%.*s", (int)(n - start), command + start)
                     : global_string(g, "program");
}

static void fixed_strings(struct global *g)
{
    const struct trace *t = &g->x->reader->trace;
    struct bytes text = {0};
    global_string(g, "");
    program(g);
    for (uint32_t i = 0; i < t->sites.n; i++) {
        text.n = 0;
        site_put_text(t, g->x->symbols, i, &text);
        bytes_put_u8(&text, '\0');
        if (text.failed && g->status == REFRAIN_OK)
            g->status = REFRAIN_ERR_MEMORY;
        global_string(g, text.failed ? "" : (const char *)text.data);
    }
    bytes_free(&text);
}

/* ---- clock, paradigms, attributes ------------------------------------------------------------ */

#define NANOSECONDS UINT64_C(1000000000) /* per second */

static void clock_properties(struct global *g)
{
    const char *start = trace_meta(&g->x->reader->trace, "start");
    const uint64_t seconds = start ? strtoull(start, NULL, 10) : 0, from = g->x->from;
    uint64_t last = from;
    for (size_t i = 0; i < g->locations->n; i++)
        last = g->locations->items[i].last > last ? g->locations->items[i].last : last;
    const uint64_t real = seconds ? seconds * NANOSECONDS + from : OTF2_UNDEFINED_TIMESTAMP;
    DEFINE(g, ClockProperties, NANOSECONDS, from, last - from + 1, real);
}

/* Does the trace have regions or other data of the program itself? */
static bool has_own_words(const struct otf2_shared *x)
{
    bool has = x->objects->lists[OTF2_REGION].n > 0;
    for (uint32_t i = 0; i < x->reader->trace.functions.functions.n; i++)
        has = has || otf2_role(x, i)->word == WORD_OTHER;
    return has;
}

static void paradigms(struct global *g)
{
    const OTF2_StringRef mpi = global_string(g, "MPI"), refrain = global_string(g, "Refrain");
    const OTF2_AttributeValue comm = {.stringRef = global_string(g, "MPI Communicator ${id}")};
    const OTF2_AttributeValue window = {.stringRef = global_string(g, "MPI Window ${id}")};
    DEFINE(g, Paradigm, OTF2_PARADIGM_MPI, mpi, OTF2_PARADIGM_CLASS_PROCESS);
    DEFINE(g, ParadigmProperty, OTF2_PARADIGM_MPI, OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE,
           OTF2_TYPE_STRING, comm);
    DEFINE(g, ParadigmProperty, OTF2_PARADIGM_MPI, OTF2_PARADIGM_PROPERTY_RMA_WIN_NAME_TEMPLATE,
           OTF2_TYPE_STRING, window);
    DEFINE(g, Paradigm, OTF2_PARADIGM_MEASUREMENT_SYSTEM, refrain, OTF2_PARADIGM_CLASS_PROCESS);
    if (has_own_words(g->x)) {
        const OTF2_StringRef user = global_string(g, "USER");
        DEFINE(g, Paradigm, OTF2_PARADIGM_USER, user, OTF2_PARADIGM_CLASS_PROCESS);
    }
}

static void attributes(struct global *g)
{
    const OTF2_StringRef path = global_string(g, "callers"),
                         path_help = global_string(g, "who made the call, innermost first");
    const OTF2_StringRef source = global_string(g, "call site"),
                         source_help = global_string(g, "file and line of the call");
    DEFINE(g, Attribute, OTF2_ATTRIBUTE_PATH, path, path_help, OTF2_TYPE_STRING);
    DEFINE(g, Attribute, OTF2_ATTRIBUTE_SOURCE, source, source_help, OTF2_TYPE_SOURCE_CODE_LOCATION);
}

/* Sites of one file usually follow each other, so the last file's string is kept. */
static void source_locations(struct global *g)
{
    const struct trace *t = &g->x->reader->trace;
    const char *last = NULL;
    OTF2_StringRef file = OTF2_STRING_EMPTY;
    for (uint32_t i = 0; i < t->sites.n; i++) {
        if (g->x->sources[i] == OTF2_UNDEFINED_SOURCE_CODE_LOCATION)
            continue;
        const struct source_location place =
            symbols_find(g->x->symbols, &t->sites.items[i].frames[0]).items[0];
        if (!last || strcmp(last, place.file) != 0)
            file = global_string(g, place.file);
        last = place.file;
        DEFINE(g, SourceCodeLocation, g->x->sources[i], file, (uint32_t)place.line);
    }
}

/* ---- regions --------------------------------------------------------------------------------- */

static void regions(struct global *g)
{
    const struct functable *t = &g->x->reader->trace.functions;
    const struct otf2_object_list *own = &g->x->objects->lists[OTF2_REGION];
    DEFINE(g, Region, OTF2_REGION_PROGRAM, OTF2_STRING_PROGRAM, OTF2_STRING_PROGRAM, OTF2_STRING_EMPTY,
           OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_MEASUREMENT_SYSTEM, OTF2_REGION_FLAG_NONE,
           OTF2_UNDEFINED_STRING, 0, 0);
    for (uint32_t i = 0; i < t->functions.n; i++) {
        const char *name = t->functions.items[i].name;
        if (g->x->regions[i] == OTF2_UNDEFINED_REGION)
            continue;
        const OTF2_StringRef text = global_string(g, name);
        DEFINE(g, Region, g->x->regions[i], text, text, OTF2_STRING_EMPTY,
               otf2_region_role(otf2_role(g->x, i)->region),
               otf2_role(g->x, i)->word == WORD_OTHER ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI,
               OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0);
    }
    for (uint32_t i = 0; i < own->n; i++) {
        const OTF2_StringRef text = global_string(g, own->items[i].path);
        DEFINE(g, Region, g->x->first_own_region + i, text, text, OTF2_STRING_EMPTY, OTF2_REGION_ROLE_CODE,
               OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static enum refrain_status define(struct global *g, bool only_strings)
{
    g->only_strings = only_strings;
    g->n_strings = 0;
    if (!only_strings)
        clock_properties(g);
    fixed_strings(g);
    paradigms(g);
    attributes(g);
    global_put_system_tree(g);
    regions(g);
    source_locations(g);
    global_put_comms(g);
    global_put_objects(g);
    global_put_topologies(g);
    return g->status;
}

static enum refrain_status set_properties(const struct otf2_shared *x)
{
    const char *command = trace_meta(&x->reader->trace, "command"),
               *host = trace_meta(&x->reader->trace, "host");
    OTF2_ErrorCode code = OTF2_SUCCESS;
    if (host)
        code = OTF2_Archive_SetMachineName(x->archive, host);
    if (code == OTF2_SUCCESS && command)
        code = OTF2_Archive_SetDescription(x->archive, command);
    if (code == OTF2_SUCCESS && x->synthetic)
        code = OTF2_Archive_SetProperty(x->archive, "REFRAIN::TIME_STAMPS", "synthetic: means of equal calls",
                                        true);
    return otf2_check(code);
}

/* These files are empty, because all numbers are those of the global definitions, but readers
 * require them. */
static enum refrain_status write_local(const struct otf2_shared *x, const struct otf2_locations *locations)
{
    enum refrain_status status = otf2_check(OTF2_Archive_OpenDefFiles(x->archive));
    for (size_t i = 0; status == REFRAIN_OK && i < locations->n; i++) {
        const struct otf2_location *l = &locations->items[i];
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(x->archive, otf2_location_id(l->rank, l->thread));
        status = writer ? OTF2_CLOSE(OTF2_Archive_CloseDefWriter(x->archive, writer)) : otf2_missing();
    }
    return status == REFRAIN_OK ? OTF2_CLOSE(OTF2_Archive_CloseDefFiles(x->archive)) : status;
}

enum refrain_status otf2_global_write(const struct otf2_shared *x, const struct otf2_locations *locations)
{
    struct global g = {.x = x, .locations = locations};
    enum refrain_status status = set_properties(x);
    if (status == REFRAIN_OK)
        status = write_local(x, locations);
    if (status == REFRAIN_OK)
        status = hosts_read(&g.hosts, x->reader);
    if (status != REFRAIN_OK)
        return status;
    g.writer = OTF2_Archive_GetGlobalDefWriter(x->archive);
    status = g.writer ? define(&g, true) : otf2_missing();
    if (status == REFRAIN_OK)
        status = define(&g, false);
    if (status == REFRAIN_OK)
        status = OTF2_CLOSE(OTF2_Archive_CloseGlobalDefWriter(x->archive, g.writer));
    hosts_free(&g.hosts);
    return status;
}
