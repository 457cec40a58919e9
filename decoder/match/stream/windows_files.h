/* SPDX-License-Identifier: BSD-3-Clause */
/* The windows and files that a rank has in use: the collective operation that made each of them, its
 * communicator, and the open epochs of a window. */
#ifndef REFRAIN_WINDOWS_FILES_H
#define REFRAIN_WINDOWS_FILES_H

#include "operation.h"

struct epoch {
    enum role_epoch kind;
    bool exclusive; /* a lock that excludes others */
    int64_t target; /* rank in the run, OPERATION_ANY: all */
    struct call_ref opened;
    uint32_t opened_by; /* the function */
    const struct process_group *partners;
};

/* Threads of a rank reuse the same numbers, in an order that may not be known. If a thread has made an object
 * itself and not freed it, its number means that object: no other object has the number in that time. */
struct window_file {
    uint64_t key;
    uint32_t thread; /* the thread that made it */
    struct group_view members;
    struct operation_scope scope;
    uint64_t collectives; /* number of collective operations on it */
    ARRAY(struct epoch) epochs;
};

/* A plain array, because few objects are in use at a time. */
struct windows_files {
    ARRAY(struct window_file) items;
};

uint64_t window_file_key(bool file, int64_t handle);
/* Returns the object that a thread means by a key: the object that the thread made itself, otherwise the
 * newest object. NULL if there is none. Valid until the next add or remove. */
struct window_file *windows_files_find(struct windows_files *o, uint64_t key, uint32_t thread);
/* Adds an object; it replaces the thread's own object with the same key, if any. Returns false when memory is
 * short. */
bool windows_files_add(struct windows_files *o, const struct window_file *object);
void windows_files_remove(struct windows_files *o, uint64_t key, uint32_t thread);
void windows_files_free(struct windows_files *o);

bool window_file_open(struct window_file *o, const struct epoch *e);
/* Returns the open epoch of this kind and target; NULL if there is none. Valid until the next open or
 * close. */
struct epoch *window_file_epoch(struct window_file *o, enum role_epoch kind, int64_t target);
/* Returns the open epoch that an access to the target belongs to; NULL if there is none. */
const struct epoch *window_file_access(struct window_file *o, int64_t target);
void window_file_close(struct window_file *o, const struct epoch *e);

#endif
