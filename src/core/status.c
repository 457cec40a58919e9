#include "status.h"

const char *refrain_status_string(enum refrain_status status)
{
    switch (status) {
    case REFRAIN_OK:
        return "success";
    case REFRAIN_ERR_MEMORY:
        return "out of memory";
    case REFRAIN_ERR_IO:
        return "input or output failed";
    case REFRAIN_ERR_FORMAT:
        return "damaged or foreign data";
    case REFRAIN_ERR_USAGE:
        return "no such thing";
    case REFRAIN_ERR_MPI:
        return "the MPI library returned an error";
    case REFRAIN_ERR_CHECK:
        return "check failed";
    }
    return "unknown status";
}
