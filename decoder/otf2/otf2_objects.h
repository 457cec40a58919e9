/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects that the events of an archive name by number. They are found while the events are written, by
 * several threads at once. Each kind of object has its own numbers. Equal objects have one number, which is
 * the same on all ranks.
 *
 *     window     made by an operation on a communicator      3rd operation on comm0                -> 0
 *     handle     of a file; made like a window               5th on MPI_COMM_WORLD, path 0         -> 0
 *     path       of a file that the program opens, deletes   "out.dat"                             -> 0
 *     partners   of an epoch, as a list of locations         0 2                                   -> 0
 *     region     of the program, by its name                 "sweep"                               -> 0
 *
 * Cartesian communicators are noted here, too. */
#ifndef REFRAIN_OTF2_OBJECTS_H
#define REFRAIN_OTF2_OBJECTS_H

#include "decoder/match/stream/operation.h"
#include "src/core/base/array.h"

#include <pthread.h>

enum otf2_object_kind { OTF2_WINDOW, OTF2_HANDLE, OTF2_PATH, OTF2_PARTNERS, OTF2_REGION, OTF2_OBJECT_KINDS };

enum { OTF2_SCOPE_COMM, OTF2_SCOPE_OWNER, OTF2_SCOPE_OBJECT, OTF2_SCOPE_WORDS }; /* struct operation_scope */

#define OTF2_NO_PATH UINT32_MAX

struct otf2_object {
    union {
        void *content;       /* owned; one of the following */
        int64_t *scope;      /* of a window or handle: OTF2_SCOPE_WORDS words */
        char *path;          /* of a path, or the name of a region; zero-terminated */
        uint32_t *locations; /* of partners */
    };
    size_t size; /* bytes */
    /* Of a handle: */
    uint32_t path_number; /* OTF2_NO_PATH: the call that opened the file was not recorded */
    bool fleeting;        /* closing deletes the file */
    bool opened;          /* the archive has an event that opens the file */
};

struct otf2_grid {
    int64_t comm; /* handle slot with the number in the run */
    uint32_t n;   /* dimensions */
    struct {
        uint32_t size;
        bool periodic;
    } * dimensions; /* owned */
};

struct otf2_objects {
    pthread_mutex_t lock;
    struct otf2_object_list {
        struct otf2_object *items; /* by number */
        size_t n, cap;
        struct map by_hash; /* of the content -> number */
    } lists[OTF2_OBJECT_KINDS];
    ARRAY(struct otf2_grid) grids;
};

void otf2_objects_create(struct otf2_objects *o);
void otf2_objects_free(struct otf2_objects *o);
/* Sets *number to the number of the object with this content. A new object is added. */
enum refrain_status otf2_objects_number(struct otf2_objects *o, enum otf2_object_kind kind,
                                        const void *content, size_t size, uint32_t *number);
/* Sets all properties of a handle except its scope; `opened` stays true once it is true. otf2_objects_handle
 * returns a copy of the handle. */
void otf2_objects_set_handle(struct otf2_objects *o, uint32_t number, uint32_t path, bool fleeting,
                             bool opened);
struct otf2_object otf2_objects_handle(struct otf2_objects *o, uint32_t number);
/* Adds a grid. Takes ownership of its dimensions, also after an error. */
enum refrain_status otf2_objects_add_grid(struct otf2_objects *o, struct otf2_grid *grid);

#endif
