#include "otf2_global.h"

#include "hosts.h"
#include "log.h"
#include "site.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All definitions are gone through twice: first their strings are written, then the definitions themselves,
 * as readers want to have strings first. Strings get the same numbers both times. */
struct global {
    const struct otf2_shared *x;
    const struct otf2_locations *locations;
    OTF2_GlobalDefWriter *writer;
    bool only_strings;
    uint32_t n_strings; /* so far */
    struct hosts hosts;
    enum refrain_status status; /* of what was done so far */
};

/* Say a definition, the second time; errors stay in g->status. */
#define DEFINE(g, what, ...)                                                                                 \
    do {                                                                                                     \
        if (!(g)->only_strings && (g)->status == REFRAIN_OK)                                                 \
            (g)->status = otf2_check(OTF2_GlobalDefWriter_Write##what((g)->writer, __VA_ARGS__));            \
    } while (0)

/* The number of a new string. */
static OTF2_StringRef string(struct global *g, const char *text)
{
    if (g->only_strings && g->status == REFRAIN_OK)
        g->status = otf2_check(OTF2_GlobalDefWriter_WriteString(g->writer, g->n_strings, text));
    return g->n_strings++;
}

static OTF2_StringRef string_printf(struct global *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static OTF2_StringRef string_printf(struct global *g, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return string(g, text);
}

/* ---- strings with fixed numbers ------------------------------------------------------------------------ */

/* "app" of "/home/me/app -n 3" */
static OTF2_StringRef program(struct global *g)
{
    const char *command = trace_meta(&g->x->reader->trace, "command");
    const size_t n = command ? strcspn(command, " ") : 0;
    size_t start = n;
    while (start > 0 && command[start - 1] != '/')
        start--;
    return n > start ? string_printf(g, "%.*s", (int)(n - start), command + start) : string(g, "program");
}

static void fixed_strings(struct global *g)
{
    const struct trace *t = &g->x->reader->trace;
    struct bytes text = {0};
    string(g, "");
    program(g);
    for (uint32_t i = 0; i < t->sites.n; i++) {
        text.n = 0;
        site_put_text(t, g->x->symbols, i, &text);
        bytes_put_u8(&text, '\0');
        if (text.failed && g->status == REFRAIN_OK)
            g->status = REFRAIN_ERR_MEMORY;
        string(g, text.failed ? "" : (const char *)text.data);
    }
    bytes_free(&text);
}

/* ---- clock, paradigms, attributes ---------------------------------------------------------------------- */

#define NANOSECONDS UINT64_C(1000000000) /* in a second */

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

static void paradigms(struct global *g)
{
    const OTF2_StringRef mpi = string(g, "MPI"), refrain = string(g, "Refrain");
    const OTF2_AttributeValue comm = {.stringRef = string(g, "MPI Communicator ${id}")};
    const OTF2_AttributeValue window = {.stringRef = string(g, "MPI Window ${id}")};
    DEFINE(g, Paradigm, OTF2_PARADIGM_MPI, mpi, OTF2_PARADIGM_CLASS_PROCESS);
    DEFINE(g, ParadigmProperty, OTF2_PARADIGM_MPI, OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE,
           OTF2_TYPE_STRING, comm);
    DEFINE(g, ParadigmProperty, OTF2_PARADIGM_MPI, OTF2_PARADIGM_PROPERTY_RMA_WIN_NAME_TEMPLATE,
           OTF2_TYPE_STRING, window);
    DEFINE(g, Paradigm, OTF2_PARADIGM_MEASUREMENT_SYSTEM, refrain, OTF2_PARADIGM_CLASS_PROCESS);
}

static void attributes(struct global *g)
{
    const OTF2_StringRef path = string(g, "callers"),
                         path_help = string(g, "who made the call, innermost first");
    const OTF2_StringRef source = string(g, "call site"),
                         source_help = string(g, "file and line of the call");
    DEFINE(g, Attribute, OTF2_ATTRIBUTE_PATH, path, path_help, OTF2_TYPE_STRING);
    DEFINE(g, Attribute, OTF2_ATTRIBUTE_SOURCE, source, source_help, OTF2_TYPE_SOURCE_CODE_LOCATION);
}

/* Sites of one file mostly follow each other. */
static void source_locations(struct global *g)
{
    const struct trace *t = &g->x->reader->trace;
    const char *last = NULL;
    OTF2_StringRef file = OTF2_STRING_EMPTY;
    for (uint32_t i = 0; i < t->sites.n; i++) {
        if (g->x->sources[i] == OTF2_UNDEFINED_SOURCE_CODE_LOCATION)
            continue;
        const struct place place = symbols_find(g->x->symbols, &t->sites.items[i].frames[0]).items[0];
        if (!last || strcmp(last, place.file) != 0)
            file = string(g, place.file);
        last = place.file;
        DEFINE(g, SourceCodeLocation, g->x->sources[i], file, (uint32_t)place.line);
    }
}

/* ---- system tree --------------------------------------------------------------------------------------- */

enum { MACHINE, FIRST_NODE };

static void system_tree(struct global *g)
{
    const char *host = trace_meta(&g->x->reader->trace, "host");
    const OTF2_StringRef machine = string(g, host ? host : "machine");
    const OTF2_StringRef machine_class = string(g, "machine"), node_class = string(g, "node");
    DEFINE(g, SystemTreeNode, MACHINE, machine, machine_class, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    DEFINE(g, SystemTreeNodeDomain, MACHINE, OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
    for (uint32_t i = 0; i < g->hosts.names.n; i++) {
        const OTF2_StringRef name = string(g, g->hosts.names.items[i]);
        DEFINE(g, SystemTreeNode, FIRST_NODE + i, name, node_class, MACHINE);
        DEFINE(g, SystemTreeNodeDomain, FIRST_NODE + i, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
    }
}

static void location_groups(struct global *g)
{
    const struct otf2_ranks *ranks = &g->x->ranks;
    for (uint32_t i = 0; i < ranks->n; i++) {
        const uint32_t rank = ranks->ranks[i];
        const OTF2_StringRef name = string_printf(g, "MPI Rank %" PRIu32, rank);
        DEFINE(g, LocationGroup, i, name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
               FIRST_NODE + g->hosts.of_rank[rank - g->x->reader->trace.first_rank],
               OTF2_UNDEFINED_LOCATION_GROUP);
    }
}

static void locations(struct global *g)
{
    const OTF2_StringRef master = string(g, "Master thread");
    for (size_t i = 0; i < g->locations->n; i++) {
        const struct otf2_location *l = &g->locations->items[i];
        const OTF2_StringRef name = l->thread == 0 ? master : string_printf(g, "Thread %" PRIu32, l->thread);
        DEFINE(g, Location, otf2_location_id(l->rank, l->thread), name, OTF2_LOCATION_TYPE_CPU_THREAD,
               l->events, otf2_location(&g->x->ranks, l->rank));
    }
}

/* ---- regions ------------------------------------------------------------------------------------------- */

static void regions(struct global *g)
{
    const struct functable *t = &g->x->reader->trace.functions;
    DEFINE(g, Region, OTF2_REGION_PROGRAM, OTF2_STRING_PROGRAM, OTF2_STRING_PROGRAM, OTF2_STRING_EMPTY,
           OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_MEASUREMENT_SYSTEM, OTF2_REGION_FLAG_NONE,
           OTF2_UNDEFINED_STRING, 0, 0);
    for (uint32_t i = 0; i < t->functions.n; i++) {
        const char *name = t->functions.items[i].name;
        if (g->x->regions[i] == OTF2_UNDEFINED_REGION)
            continue;
        const OTF2_StringRef text = string(g, name);
        DEFINE(g, Region, g->x->regions[i], text, text, OTF2_STRING_EMPTY, g->x->functions[i].role,
               OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0);
    }
}

/* ---- communicators ------------------------------------------------------------------------------------- */

/* Groups come before communicators, the locations first of all. A communicator of the program has the number
 * of its group. */
enum { GROUP_LOCATIONS, GROUP_SELF };
_Static_assert(GROUP_SELF + 1 == OTF2_COMM_FIRST, "group and communicator have the same number");

static OTF2_GroupRef group_of_world(const struct otf2_ranks *ranks)
{
    return OTF2_COMM_FIRST + ranks->n_ids;
}

static void put_group(struct global *g, OTF2_GroupRef id, OTF2_StringRef name, OTF2_GroupType type,
                      const uint64_t *members, uint32_t n)
{
    DEFINE(g, Group, id, name, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n, members);
}

/* A rank's location is its first one. */
static void group_of_locations(struct global *g, OTF2_StringRef name, uint64_t *members)
{
    uint32_t n = 0;
    for (size_t i = 0; i < g->locations->n; i++) {
        const struct otf2_location *l = &g->locations->items[i];
        if (i == 0 || l->rank != l[-1].rank)
            members[n++] = otf2_location_id(l->rank, l->thread);
    }
    put_group(g, GROUP_LOCATIONS, name, OTF2_GROUP_TYPE_COMM_LOCATIONS, members, n);
}

/* `names`: the first of the communicators' names, one behind the other. */
static void groups(struct global *g, OTF2_StringRef self, OTF2_StringRef world, OTF2_StringRef names,
                   uint64_t *members)
{
    const struct otf2_ranks *ranks = &g->x->ranks;
    put_group(g, GROUP_SELF, self, OTF2_GROUP_TYPE_COMM_SELF, NULL, 0);
    for (uint32_t i = 0; i < ranks->n_ids; i++) {
        const struct otf2_comm *c = &ranks->comms[ranks->numbers[i]];
        for (uint32_t k = 0; k < c->n; k++)
            members[k] = c->members[k];
        put_group(g, c->id, names + i, OTF2_GROUP_TYPE_COMM_GROUP, members, c->n);
    }
    for (uint32_t i = 0; i < ranks->n; i++)
        members[i] = i;
    put_group(g, group_of_world(ranks), world, OTF2_GROUP_TYPE_COMM_GROUP, members, ranks->n);
}

static void communicators(struct global *g)
{
    const struct otf2_ranks *ranks = &g->x->ranks;
    const OTF2_StringRef all = string(g, "MPI locations"), world = string(g, "MPI_COMM_WORLD"),
                         self = string(g, "MPI_COMM_SELF"), names = g->n_strings;
    uint64_t *members = malloc((ranks->n + (size_t)1) * sizeof *members);
    if (!members) {
        log_error("out of memory: %" PRIu32 " ranks", ranks->n);
        g->status = REFRAIN_ERR_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < ranks->n_ids; i++)
        string_printf(g, "comm%" PRIu32, ranks->numbers[i]);
    group_of_locations(g, all, members);
    groups(g, self, world, names, members);
    DEFINE(g, Comm, OTF2_COMM_WORLD, world, group_of_world(ranks), OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    DEFINE(g, Comm, OTF2_COMM_SELF, self, GROUP_SELF, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    for (uint32_t i = 0; i < ranks->n_ids; i++) {
        const struct otf2_comm *c = &ranks->comms[ranks->numbers[i]];
        DEFINE(g, Comm, c->id, names + i, c->id, c->parent == OTF2_NOBODY ? OTF2_UNDEFINED_COMM : c->parent,
               OTF2_COMM_FLAG_NONE);
    }
    free(members);
}

/* ---- windows, files, Cartesian communicators ----------------------------------------------------------- */

/* "window 3 of comm0": what the third operation on it made */
static OTF2_StringRef object_name(struct global *g, const struct otf2_object *o, const char *what)
{
    const int64_t comm = o->scope.comm;
    if (comm & 1)
        return string_printf(g, "%s %" PRIu64 " of %s", what, o->scope.object,
                             comm == g->x->ranks.self ? "MPI_COMM_SELF" : "MPI_COMM_WORLD");
    return string_printf(g, "%s %" PRIu64 " of comm%" PRId64, what, o->scope.object, comm >> 1);
}

static void windows(struct global *g)
{
    const struct otf2_object_list *list = &g->x->objects->lists[OTF2_WINDOW];
    for (uint32_t i = 0; i < list->n; i++) {
        const OTF2_StringRef name = object_name(g, &list->items[i], "window");
        DEFINE(g, RmaWin, i, name, otf2_comm(&g->x->ranks, list->items[i].scope.comm),
               OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
    }
}

#define IO_PARADIGM 0

static void files(struct global *g)
{
    const struct otf2_object_list *list = &g->x->objects->lists[OTF2_FILE];
    const OTF2_StringRef identification = string(g, "MPI-IO"), paradigm = string(g, "MPI I/O");
    if (list->n > 0)
        DEFINE(g, IoParadigm, IO_PARADIGM, identification, paradigm, OTF2_IO_PARADIGM_CLASS_PARALLEL,
               OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL);
    for (uint32_t i = 0; i < list->n; i++) {
        const OTF2_StringRef name = string(g, list->items[i].name);
        DEFINE(g, IoRegularFile, i, name, MACHINE);
        DEFINE(g, IoHandle, i, name, i, IO_PARADIGM, OTF2_IO_HANDLE_FLAG_NONE,
               otf2_comm(&g->x->ranks, list->items[i].scope.comm), OTF2_UNDEFINED_IO_HANDLE);
    }
}

/* Ranks of a grid are numbered row by row (MPI 5.0, section "Virtual Topologies"). */
static void coordinates(struct global *g, OTF2_CartTopologyRef topology, const struct otf2_grid *grid,
                        uint32_t n)
{
    uint32_t at[UINT8_MAX];
    for (uint32_t rank = 0; rank < n; rank++) {
        uint32_t rest = rank;
        for (uint32_t i = grid->n; i-- > 0;) {
            at[i] = rest % grid->dimensions[i].size;
            rest /= grid->dimensions[i].size;
        }
        DEFINE(g, CartCoordinate, topology, rank, (uint8_t)grid->n, at);
    }
}

/* Are all of the grid's members in the archive? */
static bool is_whole(const struct otf2_grid *grid, const struct otf2_comm *c)
{
    uint64_t n = 1;
    for (uint32_t i = 0; i < grid->n && n <= c->n_all; i++)
        n *= grid->dimensions[i].size;
    return c->id != OTF2_NOBODY && grid->n <= UINT8_MAX && n == c->n_all && c->n == c->n_all;
}

static void topologies(struct global *g)
{
    const struct otf2_objects *objects = g->x->objects;
    OTF2_CartTopologyRef topology = 0;
    OTF2_CartDimensionRef dimension = 0, dimensions[UINT8_MAX];
    for (size_t k = 0; k < objects->grids.n; k++) {
        const struct otf2_grid *grid = &objects->grids.items[k];
        const struct otf2_comm *c = &g->x->ranks.comms[grid->comm >> 1];
        if (!is_whole(grid, c))
            continue;
        const OTF2_StringRef name = string_printf(g, "comm%" PRId64, grid->comm >> 1);
        for (uint32_t i = 0; i < grid->n; i++) {
            const OTF2_StringRef axis = string_printf(g, "dimension %" PRIu32, i);
            dimensions[i] = dimension++;
            DEFINE(g, CartDimension, dimensions[i], axis, grid->dimensions[i].size,
                   grid->dimensions[i].periodic ? OTF2_CART_PERIODIC_TRUE : OTF2_CART_PERIODIC_FALSE);
        }
        DEFINE(g, CartTopology, topology, name, c->id, (uint8_t)grid->n, dimensions);
        coordinates(g, topology++, grid, c->n);
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static enum refrain_status define(struct global *g, bool only_strings)
{
    g->only_strings = only_strings;
    g->n_strings = 0;
    if (!only_strings)
        clock_properties(g);
    fixed_strings(g);
    paradigms(g);
    attributes(g);
    system_tree(g);
    location_groups(g);
    locations(g);
    regions(g);
    source_locations(g);
    communicators(g);
    windows(g);
    files(g);
    topologies(g);
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

/* Nothing is to be said there, as all numbers are those of the global definitions; readers want the file. */
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
