/* The files of uncompressed records (raw.h):
 *
 *     DIR/rank.3.definitions.raw      what the symbols of rank 3 mean
 *     DIR/rank.3.lane.0.raw           calls of its thread 0 */
#ifndef REFRAIN_RAWFILE_H
#define REFRAIN_RAWFILE_H

#include "src/core/trace/raw.h"

struct rawfile_name {
    uint32_t rank, number;
    enum lane_kind kind;
};

/* The name without the directory, into `to`. */
#define RAWFILE_NAME_MAX 64
void rawfile_write_name(const struct rawfile_name *name, char to[RAWFILE_NAME_MAX]);
/* False for files of other names. */
bool rawfile_parse_name(const char *file, struct rawfile_name *name);

/* A file in memory, without its header. */
struct rawfile {
    const uint8_t *data; /* NULL when the file does not exist */
    size_t n;
    void *map; /* with the header */
    size_t map_size;
};

/* A file that does not exist is no error. One that cannot be read, or has another header, is. */
enum refrain_status rawfile_open(struct rawfile *f, const char *directory, const struct rawfile_name *name);
void rawfile_close(struct rawfile *f);
enum refrain_status rawfile_is_empty(const char *directory, const struct rawfile_name *name, bool *empty);

/* The record at the reader. False when it is cut off. The slots are put into `slots`. */
struct rawfile_record {
    uint64_t site_hash;
    ARRAY(int64_t) slots;
};
bool rawfile_record(struct bytes_reader *at, struct rawfile_record *record);

#endif
