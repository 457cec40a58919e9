/* Files. */
#include "otf2_events_impl.h"

#include "otf2_call.h"

static enum refrain_status put_open_file(struct otf2_context *c, const struct operation *op)
{
    const struct operation_scope scope = otf2_made_by(op);
    char name[1024];
    uint32_t file;
    OTF2_IoAccessMode mode = OTF2_IO_ACCESS_MODE_READ_ONLY;
    OTF2_IoCreationFlag creation = OTF2_IO_CREATION_FLAG_NONE;
    OTF2_IoStatusFlag flags = OTF2_IO_STATUS_FLAG_NONE;
    if (otf2_comm(&c->x->ranks, scope.comm) == OTF2_NOBODY)
        return REFRAIN_OK;
    otf2_call_text(c->x->reader, c->call, "filename", name, sizeof name);
    enum refrain_status status = otf2_number_of(c, OTF2_FILE, &scope, name, &file);
    if (status != REFRAIN_OK)
        return status;
    if (otf2_call_has(c->x->reader, c->call, "amode", "MPI_MODE_RDWR"))
        mode = OTF2_IO_ACCESS_MODE_READ_WRITE;
    else if (otf2_call_has(c->x->reader, c->call, "amode", "MPI_MODE_WRONLY"))
        mode = OTF2_IO_ACCESS_MODE_WRITE_ONLY;
    if (otf2_call_has(c->x->reader, c->call, "amode", "MPI_MODE_CREATE"))
        creation |= OTF2_IO_CREATION_FLAG_CREATE;
    if (otf2_call_has(c->x->reader, c->call, "amode", "MPI_MODE_EXCL"))
        creation |= OTF2_IO_CREATION_FLAG_EXCLUSIVE;
    if (otf2_call_has(c->x->reader, c->call, "amode", "MPI_MODE_APPEND"))
        flags |= OTF2_IO_STATUS_FLAG_APPEND;
    return RECORD(c, IoCreateHandle, file, mode, creation, flags);
}

/* The end of a collective operation that opens or closes a file. */
enum refrain_status otf2_put_file_collective(struct otf2_context *c, const struct operation *op)
{
    const struct otf2_function *f = &c->x->functions[op->function];
    const uint32_t actions = c->x->source.roles[op->function].actions;
    uint32_t file;
    if (f->role != OTF2_REGION_ROLE_FILE_IO_METADATA)
        return REFRAIN_OK;
    if (actions & ROLE_MAKES)
        return put_open_file(c, op);
    if (!(actions & ROLE_ENDS) || !otf2_has_object(c, op))
        return REFRAIN_OK;
    const enum refrain_status status = otf2_number_of(c, OTF2_FILE, &op->scope, "", &file);
    return status == REFRAIN_OK ? RECORD(c, IoDestroyHandle, file) : status;
}

enum refrain_status otf2_begin_file_operation(struct otf2_context *c, const struct operation *op)
{
    const struct otf2_function *f = &c->x->functions[op->function];
    const bool collective = c->x->source.roles[op->function].actions & ROLE_COLLECTIVE;
    struct otf2_pending *p = NULL;
    uint32_t file;
    if (!otf2_has_object(c, op))
        return REFRAIN_OK;
    enum refrain_status status = otf2_number_of(c, OTF2_FILE, &op->scope, "", &file);
    if (status != REFRAIN_OK)
        return status;
    if (!op->done && !(p = otf2_open_request(c->f, op)))
        return REFRAIN_ERR_MEMORY;
    if (p)
        p->object = file;
    c->file_operation = p ? p->id : c->f->requests++;
    return RECORD(c, IoOperationBegin, file,
                  f->writes ? OTF2_IO_OPERATION_MODE_WRITE : OTF2_IO_OPERATION_MODE_READ,
                  (op->done ? OTF2_IO_OPERATION_FLAG_NONE : OTF2_IO_OPERATION_FLAG_NON_BLOCKING) |
                      (collective ? OTF2_IO_OPERATION_FLAG_COLLECTIVE : OTF2_IO_OPERATION_FLAG_NONE),
                  f->writes ? op->sent : op->received, c->file_operation);
}

enum refrain_status otf2_end_file_operation(struct otf2_context *c, const struct operation *op)
{
    const struct otf2_function *f = &c->x->functions[op->function];
    uint32_t file;
    if (!otf2_has_object(c, op))
        return REFRAIN_OK;
    const enum refrain_status status = otf2_number_of(c, OTF2_FILE, &op->scope, "", &file);
    if (status != REFRAIN_OK)
        return status;
    if (!op->done)
        return RECORD(c, IoOperationIssued, file, c->file_operation);
    return RECORD(c, IoOperationComplete, file, f->writes ? op->sent : op->received, c->file_operation);
}
