/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of files. */
#include "otf2_events_impl.h"

#include "decoder/render/call_argument.h"

#include <string.h>

/* ---- opening, closing, deleting -------------------------------------------------------------- */

static bool has_mode(const struct otf2_context *c, const char *mode)
{
    return call_argument_is(c->x->reader, c->call, "amode", mode);
}

static enum refrain_status number_of_path(const struct otf2_context *c, uint32_t *path)
{
    char name[4096];
    call_argument_text(c->x->reader, c->call, "filename", name, sizeof name);
    return otf2_objects_number(c->x->objects, OTF2_PATH, name, strlen(name) + 1, path);
}

enum refrain_status otf2_note_file(struct otf2_context *c, const struct operation *op, uint32_t *handle)
{
    const struct operation_scope scope = otf2_made_by(op);
    uint32_t path;
    enum refrain_status status = number_of_path(c, &path);
    if (status == REFRAIN_OK && (status = otf2_number_of(c, OTF2_HANDLE, &scope, handle)) == REFRAIN_OK)
        otf2_objects_set_handle(c->x->objects, *handle, path, has_mode(c, "MPI_MODE_DELETE_ON_CLOSE"), false);
    return status;
}

static enum refrain_status put_open(struct otf2_context *c, const struct operation *op)
{
    uint32_t handle;
    if (otf2_comm(&c->x->ranks, otf2_made_by(op).comm) == OTF2_NOBODY)
        return REFRAIN_OK;
    const enum refrain_status status = otf2_note_file(c, op, &handle);
    if (status != REFRAIN_OK)
        return status;
    const struct otf2_object object = otf2_objects_handle(c->x->objects, handle);
    otf2_objects_set_handle(c->x->objects, handle, object.path_number, object.fleeting, true);
    const OTF2_IoAccessMode mode = has_mode(c, "MPI_MODE_RDWR")     ? OTF2_IO_ACCESS_MODE_READ_WRITE
                                   : has_mode(c, "MPI_MODE_WRONLY") ? OTF2_IO_ACCESS_MODE_WRITE_ONLY
                                                                    : OTF2_IO_ACCESS_MODE_READ_ONLY;
    OTF2_IoCreationFlag creation = OTF2_IO_CREATION_FLAG_NONE;
    if (has_mode(c, "MPI_MODE_CREATE"))
        creation |= OTF2_IO_CREATION_FLAG_CREATE;
    if (has_mode(c, "MPI_MODE_EXCL"))
        creation |= OTF2_IO_CREATION_FLAG_EXCLUSIVE;
    return RECORD(c, IoCreateHandle, handle, mode, creation,
                  has_mode(c, "MPI_MODE_APPEND") ? OTF2_IO_STATUS_FLAG_APPEND : OTF2_IO_STATUS_FLAG_NONE);
}

static enum refrain_status put_close(struct otf2_context *c, const struct operation *op)
{
    uint32_t handle;
    enum refrain_status status = otf2_number_of(c, OTF2_HANDLE, &op->scope, &handle);
    if (status != REFRAIN_OK)
        return status;
    const struct otf2_object object = otf2_objects_handle(c->x->objects, handle);
    if (object.fleeting)
        status = RECORD(c, IoDeleteFile, OTF2_IO_PARADIGM, object.path_number);
    return status == REFRAIN_OK ? RECORD(c, IoDestroyHandle, handle) : status;
}

enum refrain_status otf2_put_file_collective(struct otf2_context *c, const struct operation *op)
{
    const struct role *role = otf2_role(c->x, op->function);
    const uint32_t actions = role->actions;
    if (role->region != REGION_FILE_METADATA)
        return REFRAIN_OK;
    if (actions & ROLE_MAKES)
        return put_open(c, op);
    return actions & ROLE_ENDS && otf2_has_object(c, op) ? put_close(c, op) : REFRAIN_OK;
}

enum refrain_status otf2_delete_file(struct otf2_context *c)
{
    uint32_t path;
    if (!call_succeeded(c->x->reader, c->call))
        return REFRAIN_OK;
    const enum refrain_status status = number_of_path(c, &path);
    return status == REFRAIN_OK ? RECORD(c, IoDeleteFile, OTF2_IO_PARADIGM, path) : status;
}

/* ---- reading, writing and the like ----------------------------------------------------------- */

/* Returns the size of the requested transfer. */
static uint64_t bytes_wanted(const struct otf2_context *c)
{
    struct layout_item count, type;
    if (!call_argument(c->x->reader, c->call, "count", &count) ||
        !call_argument(c->x->reader, c->call, "datatype", &type))
        return 0;
    const int64_t size = definitions_type_size(c->x->definitions, c->call->rank, type.slots[0]);
    return size > 0 && count.slots[0] > 0 ? (uint64_t)size * (uint64_t)count.slots[0] : 0;
}

static OTF2_IoOperationMode mode_of(const struct role *role)
{
    return role->transfer == TRANSFER_WRITE  ? OTF2_IO_OPERATION_MODE_WRITE
           : role->transfer == TRANSFER_READ ? OTF2_IO_OPERATION_MODE_READ
                                             : OTF2_IO_OPERATION_MODE_FLUSH;
}

static bool is_operation(const struct role *role)
{
    return role->transfer == TRANSFER_READ || role->transfer == TRANSFER_WRITE ||
           role->transfer == TRANSFER_FLUSH;
}

enum refrain_status otf2_begin_file_operation(struct otf2_context *c, const struct operation *op)
{
    const struct role *role = otf2_role(c->x, op->function);
    OTF2_IoOperationFlag flags = OTF2_IO_OPERATION_FLAG_NONE;
    struct otf2_pending *p = NULL;
    uint32_t handle;
    if (!otf2_has_object(c, op) || !is_operation(role) || role->variant == VARIANT_END)
        return REFRAIN_OK;
    enum refrain_status status = otf2_number_of(c, OTF2_HANDLE, &op->scope, &handle);
    if (status != REFRAIN_OK)
        return status;
    if (!op->done && !(p = otf2_open_request(c->f, op)))
        return REFRAIN_ERR_MEMORY;
    if (p)
        p->object = handle;
    if (p || role->variant == VARIANT_BEGIN)
        flags |= OTF2_IO_OPERATION_FLAG_NON_BLOCKING;
    if (role->actions & ROLE_COLLECTIVE)
        flags |= OTF2_IO_OPERATION_FLAG_COLLECTIVE;
    c->file_operation = p ? p->id : c->f->requests++;
    c->file_bytes = role->transfer == TRANSFER_FLUSH ? OTF2_UNDEFINED_UINT64 : bytes_wanted(c);
    return RECORD(c, IoOperationBegin, handle, mode_of(role), flags, c->file_bytes, c->file_operation);
}

/* Returns the split operation on a handle; NULL if there is none. */
static struct otf2_begun *find_begun(struct otf2_flight *f, uint32_t handle)
{
    for (size_t i = 0; i < f->begun.n; i++) {
        if (f->begun.items[i].handle == handle)
            return &f->begun.items[i];
    }
    return NULL;
}

static enum refrain_status put_issued(struct otf2_context *c, const struct role *role, uint32_t handle)
{
    if (role->variant == VARIANT_BEGIN) {
        const struct otf2_begun begun = {handle, c->file_operation, c->file_bytes};
        struct otf2_begun *left_over = find_begun(c->f, handle);
        if (left_over)
            *left_over = begun;
        else if (!array_push(&c->f->begun, begun))
            return REFRAIN_ERR_MEMORY;
    }
    return RECORD(c, IoOperationIssued, handle, c->file_operation);
}

static enum refrain_status put_second_half(struct otf2_context *c, const struct operation *op,
                                           const struct role *role, uint32_t handle)
{
    struct otf2_begun *found = find_begun(c->f, handle);
    if (!found) /* it began before the archive */
        return REFRAIN_OK;
    const struct otf2_begun begun = *found;
    *found = c->f->begun.items[--c->f->begun.n];
    return RECORD(c, IoOperationComplete, handle,
                  role->transfer == TRANSFER_WRITE ? begun.bytes : op->received, begun.id);
}

/* The resulting position is known only relative to the beginning of the file. */
static enum refrain_status put_seek(struct otf2_context *c, uint32_t handle)
{
    struct layout_item offset;
    if (!call_argument(c->x->reader, c->call, "offset", &offset))
        return REFRAIN_OK;
    const bool start = call_argument_is(c->x->reader, c->call, "whence", "MPI_SEEK_SET");
    const bool end = call_argument_is(c->x->reader, c->call, "whence", "MPI_SEEK_END");
    return RECORD(c, IoSeek, handle, offset.slots[0],
                  start ? OTF2_IO_SEEK_FROM_START
                  : end ? OTF2_IO_SEEK_FROM_END
                        : OTF2_IO_SEEK_FROM_CURRENT,
                  start ? (uint64_t)offset.slots[0] : OTF2_UNDEFINED_UINT64);
}

enum refrain_status otf2_end_file_operation(struct otf2_context *c, const struct operation *op)
{
    const struct role *role = otf2_role(c->x, op->function);
    uint32_t handle;
    if (!otf2_has_object(c, op))
        return REFRAIN_OK;
    const enum refrain_status status = otf2_number_of(c, OTF2_HANDLE, &op->scope, &handle);
    if (status != REFRAIN_OK)
        return status;
    if (role->transfer == TRANSFER_SEEK)
        return put_seek(c, handle);
    if (!is_operation(role))
        return REFRAIN_OK;
    if (role->variant == VARIANT_END)
        return put_second_half(c, op, role, handle);
    if (!op->done || role->variant == VARIANT_BEGIN)
        return put_issued(c, role, handle);
    return RECORD(c, IoOperationComplete, handle,
                  role->transfer == TRANSFER_READ ? op->received : c->file_bytes, c->file_operation);
}
