/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of uncompressed records (verify_record.h):
 *
 *     DIR/rank.3.definitions.raw      what the symbols of rank 3 mean
 *     DIR/rank.3.lane.0.raw           calls of its thread 0
 *     DIR/rank.3.run                  the run that these are of
 *     DIR/1838ff492af19abd/…          files of this run, a world that others spawned */
#ifndef REFRAIN_VERIFY_FILE_H
#define REFRAIN_VERIFY_FILE_H

#include "src/core/trace/verify_record.h"

#include <limits.h>

struct verify_file_name {
    uint32_t rank, number;
    enum lane_kind kind;
};

/* The name without the directory, into `to`. */
#define VERIFY_FILE_NAME_MAX 64
void verify_file_write_name(const struct verify_file_name *name, char to[VERIFY_FILE_NAME_MAX]);
/* False for files of other names. */
bool verify_file_parse_name(const char *file, struct verify_file_name *name);

/* A file in memory, without its header. */
struct verify_file {
    const uint8_t *data; /* NULL when the file does not exist */
    size_t n;
    void *map; /* with the header */
    size_t map_size;
};

/* A file that does not exist is not an error. One that cannot be read, or has another header, is. */
enum refrain_status verify_file_open(struct verify_file *f, const char *directory,
                                     const struct verify_file_name *name);
void verify_file_close(struct verify_file *f);
enum refrain_status verify_file_is_empty(const char *directory, const struct verify_file_name *name,
                                         bool *empty);

/* Puts the directory inside of `directory` that has the files of this run into `to`; `directory` if there is
 * none. Returns false if its name is too long. */
bool verify_files_find(const char *directory, const char *run, char to[PATH_MAX]);
/* Do the files of a rank belong to this run (META)? Yes where nothing says of which they are. */
bool verify_files_are_of_run(const char *directory, uint32_t rank, const char *run);

/* The record at the reader. False when it is cut off. The slots are put into `slots`. */
struct verify_file_record {
    uint64_t site_hash;
    ARRAY(int64_t) slots;
};
bool verify_file_record(struct bytes_reader *at, struct verify_file_record *record);

#endif
