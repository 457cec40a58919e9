/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows, files and their handles. */
#include "otf2_global_impl.h"

#include <inttypes.h>

/* Returns "window 3 of comm0": the third one created on that communicator. */
static OTF2_StringRef object_name(struct global *g, const struct otf2_object *o, const char *what)
{
    const int64_t comm = o->scope[OTF2_SCOPE_COMM], number = o->scope[OTF2_SCOPE_OBJECT];
    if (comm & 1)
        return global_string_printf(g, "%s %" PRId64 " of %s", what, number,
                                    comm == g->x->ranks.self ? "MPI_COMM_SELF" : "MPI_COMM_WORLD");
    return global_string_printf(g, "%s %" PRId64 " of comm%" PRId64, what, number, comm >> 1);
}

static void windows(struct global *g)
{
    const struct otf2_object_list *list = &g->x->objects->lists[OTF2_WINDOW];
    for (uint32_t i = 0; i < list->n; i++) {
        const OTF2_StringRef name = object_name(g, &list->items[i], "window");
        DEFINE(g, RmaWin, i, name, otf2_comm(&g->x->ranks, list->items[i].scope[OTF2_SCOPE_COMM]),
               OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
    }
}

/* Writes a file for each path, and one without a name for handles whose file is unknown. */
static void files(struct global *g)
{
    const struct otf2_object_list *paths = &g->x->objects->lists[OTF2_PATH],
                                  *handles = &g->x->objects->lists[OTF2_HANDLE];
    const OTF2_StringRef identification = global_string(g, "MPI-IO"), paradigm = global_string(g, "MPI I/O"),
                         names = g->n_strings;
    const uint32_t nameless = (uint32_t)paths->n;
    bool has_nameless = false;
    if (paths->n + handles->n > 0)
        DEFINE(g, IoParadigm, OTF2_IO_PARADIGM, identification, paradigm, OTF2_IO_PARADIGM_CLASS_PARALLEL,
               OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL);
    for (uint32_t i = 0; i < paths->n; i++) {
        const OTF2_StringRef name = global_string(g, paths->items[i].path);
        DEFINE(g, IoRegularFile, i, name, OTF2_MACHINE);
    }
    for (uint32_t i = 0; i < handles->n; i++)
        has_nameless = has_nameless || handles->items[i].path_number == OTF2_NO_PATH;
    if (has_nameless)
        DEFINE(g, IoRegularFile, nameless, OTF2_STRING_EMPTY, OTF2_MACHINE);
    for (uint32_t i = 0; i < handles->n; i++) {
        const struct otf2_object *h = &handles->items[i];
        const bool named = h->path_number != OTF2_NO_PATH;
        DEFINE(g, IoHandle, i, named ? names + h->path_number : OTF2_STRING_EMPTY,
               named ? h->path_number : nameless, OTF2_IO_PARADIGM,
               h->opened ? OTF2_IO_HANDLE_FLAG_NONE : OTF2_IO_HANDLE_FLAG_PRE_CREATED,
               otf2_comm(&g->x->ranks, h->scope[OTF2_SCOPE_COMM]), OTF2_UNDEFINED_IO_HANDLE);
    }
}

void global_put_objects(struct global *g)
{
    windows(g);
    files(g);
}
