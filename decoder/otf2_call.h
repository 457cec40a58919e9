/* Single arguments of a call, looked up by name; for calls that are not frequent, or have few arguments. */
#ifndef REFRAIN_OTF2_CALL_H
#define REFRAIN_OTF2_CALL_H

#include "cursor.h"

/* The argument as it was before the call, or, of one that is only written, after it; false if there is none.
 */
bool otf2_call_argument(const struct reader *r, const struct call *call, const char *name,
                        struct layout_item *out);

/* Who is the root of a collective operation? */
enum otf2_root {
    OTF2_ROOT_NONE,       /* it has none */
    OTF2_ROOT_RANK,       /* *root */
    OTF2_ROOT_SELF,       /* MPI_ROOT */
    OTF2_ROOT_THIS_GROUP, /* MPI_PROC_NULL: another process of this group */
};
enum otf2_root otf2_call_root(const struct reader *r, const struct call *call, int64_t *root);

/* Is the argument that constant; of flags, are these among them? */
bool otf2_call_has(const struct reader *r, const struct call *call, const char *name, const char *constant);

/* A string; "" if there is none. */
void otf2_call_text(const struct reader *r, const struct call *call, const char *name, char *to, size_t size);

#endif
