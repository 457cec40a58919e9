/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields: the parameters by which a call says what it is about. */
#ifndef REFRAIN_FIELD_H
#define REFRAIN_FIELD_H

#include "src/core/trace/functable.h"

enum role_field {
    /* Of calls, also after them: */
    FIELD_COMM,
    FIELD_REQUESTS,
    FIELD_STATUSES,
    FIELD_FLAG,
    FIELD_INDICES,
    FIELD_MESSAGE,
    FIELD_WINDOW,
    FIELD_FILE,
    FIELD_GROUP,
    FIELDS_AFTER, /* how many these are */
    /* and only before them: */
    FIELD_DEST = FIELDS_AFTER,
    FIELD_SOURCE,
    FIELD_TAG, /* of a function that sends or receives; of one that does both: */
    FIELD_SEND_TAG,
    FIELD_RECEIVE_TAG,
    FIELD_TARGET,
    FIELD_ASSERT,
    FIELD_LOCK_TYPE,
    FIELD_PARTITIONS,
    FIELD_PARTITION, /* one, several, or the first one … */
    FIELD_LAST_PARTITION,
    FIELD_ROOT,
    FIELD_OPERATOR,
    /* What the volume is made of. */
    FIELD_SENT_BUFFER,
    FIELD_SENT_COUNT,
    FIELD_SENT_TYPE,
    FIELD_RECEIVED_BUFFER,
    FIELD_RECEIVED_COUNT,
    FIELD_RECEIVED_TYPE,
    FIELDS
};

/* A set: bit 1 << field. One parameter may be several fields: MPI_Bcast sends or receives what `buffer` is. */
typedef uint32_t field_set;

/* Returns the fields of a parameter that follow from its kind and name. Fields of the volume do not. */
field_set fields_of(const struct functable *t, const struct param *p);

#endif
