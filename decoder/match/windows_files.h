/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows and files of a rank that are in use: which collective operation made them, on what, and the epochs
 * of a window that are open. */
#ifndef REFRAIN_WINDOWS_FILES_H
#define REFRAIN_WINDOWS_FILES_H

#include "operation.h"

struct epoch {
    enum role_epoch kind;
    int64_t target; /* rank in the run, OPERATION_ANY: all */
    struct call_ref opened;
    uint32_t opened_by; /* the function */
    const struct process_group *partners;
};

/* Threads of a rank use the same numbers one after the other, in an order that may not be known. What a thread made itself
 * and has not freed is what it means by a number: no other object has it meanwhile. */
struct window_file {
    uint64_t key;
    uint32_t thread; /* that made it */
    struct group_view members;
    struct operation_scope scope;
    uint64_t collectives; /* so far */
    ARRAY(struct epoch) epochs;
};

/* Few at a time. */
struct windows_files {
    ARRAY(struct window_file) items;
};

uint64_t window_file_key(bool file, int64_t handle);
/* What a thread means by a key: its own, or else the last one that was made. NULL if there is none; valid until the next
 * that is added or removed. */
struct window_file *windows_files_find(struct windows_files *o, uint64_t key, uint32_t thread);
/* In the place of the thread's own one with the key, if there is any. False when memory is short. */
bool windows_files_add(struct windows_files *o, const struct window_file *object);
void windows_files_remove(struct windows_files *o, uint64_t key, uint32_t thread);
void windows_files_free(struct windows_files *o);

bool window_file_open(struct window_file *o, const struct epoch *e);
/* The epoch of this kind and target; NULL if there is none. Valid until the next that is opened or closed. */
struct epoch *window_file_epoch(struct window_file *o, enum role_epoch kind, int64_t target);
/* The epoch that an access to the target belongs to; NULL if none is open. */
const struct epoch *window_file_access(struct window_file *o, int64_t target);
void window_file_close(struct window_file *o, const struct epoch *e);

#endif
