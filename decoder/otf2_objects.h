/* Windows, files and Cartesian communicators of a run, met while the events of its ranks are written. Windows
 * and files have a number of their kind, the same on all ranks. Several threads may meet them at once. */
#ifndef REFRAIN_OTF2_OBJECTS_H
#define REFRAIN_OTF2_OBJECTS_H

#include "array.h"
#include "operation.h"

#include <pthread.h>

enum otf2_object_kind { OTF2_WINDOW, OTF2_FILE, OTF2_OBJECT_KINDS };

struct otf2_object {
    struct operation_scope scope; /* its name in the run */
    char *name;                   /* of a file; owned */
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
        struct map by_scope; /* hash of the scope -> number */
    } lists[OTF2_OBJECT_KINDS];
    ARRAY(struct otf2_grid) grids;
};

void otf2_objects_create(struct otf2_objects *o);
void otf2_objects_free(struct otf2_objects *o);
/* The number of an object, which is new or not. `name` is that of a file, or "". */
enum refrain_status otf2_objects_number(struct otf2_objects *o, enum otf2_object_kind kind,
                                        const struct operation_scope *scope, const char *name,
                                        uint32_t *number);
/* Adds a grid, whose dimensions it takes over in any case. */
enum refrain_status otf2_objects_add_grid(struct otf2_objects *o, struct otf2_grid *grid);

#endif
