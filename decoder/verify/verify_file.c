/* SPDX-License-Identifier: BSD-3-Clause */
#include "verify_file.h"

#include "src/core/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFINITIONS_NAME "rank.%" PRIu32 ".definitions.raw"
#define LANE_NAME        "rank.%" PRIu32 ".lane.%" PRIu32 ".raw"

void verify_file_write_name(const struct verify_file_name *name, char to[VERIFY_FILE_NAME_MAX])
{
    if (name->kind == LANE_DEFINITIONS)
        snprintf(to, VERIFY_FILE_NAME_MAX, DEFINITIONS_NAME, name->rank);
    else
        snprintf(to, VERIFY_FILE_NAME_MAX, LANE_NAME, name->rank, name->number);
}

/* A name is valid if formatting the parsed fields gives the same name. */
bool verify_file_parse_name(const char *file, struct verify_file_name *name)
{
    char again[VERIFY_FILE_NAME_MAX];
    *name = (struct verify_file_name){.kind = LANE_THREAD};
    if (sscanf(file, "rank.%" SCNu32 ".lane.%" SCNu32 ".raw", &name->rank, &name->number) != 2) {
        *name = (struct verify_file_name){.kind = LANE_DEFINITIONS};
        if (sscanf(file, "rank.%" SCNu32 ".definitions.raw", &name->rank) != 1)
            return false;
    }
    verify_file_write_name(name, again);
    return strcmp(again, file) == 0;
}

static enum refrain_status check_header(struct verify_file *f, const char *path)
{
    struct bytes header = {0};
    enum refrain_status status = REFRAIN_OK;
    verify_record_put_header(&header);
    if (header.failed) {
        status = REFRAIN_ERR_MEMORY;
    } else if (f->map_size < header.n || memcmp(f->map, header.data, header.n) != 0) {
        log_error("%s is not a file of records of version %d", path, VERIFY_RECORD_VERSION);
        status = REFRAIN_ERR_FORMAT;
    } else {
        f->data = (const uint8_t *)f->map + header.n;
        f->n = f->map_size - header.n;
    }
    bytes_free(&header);
    return status;
}

enum refrain_status verify_file_open(struct verify_file *f, const char *directory,
                                     const struct verify_file_name *name)
{
    char file[VERIFY_FILE_NAME_MAX], path[PATH_MAX];
    struct stat info;
    enum refrain_status status = REFRAIN_OK;
    *f = (struct verify_file){0};
    verify_file_write_name(name, file);
    if (snprintf(path, sizeof path, "%s/%s", directory, file) >= (int)sizeof path) {
        log_error("%s: %s", directory, strerror(ENAMETOOLONG));
        return REFRAIN_ERR_USAGE;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return REFRAIN_OK;
    if (fd < 0 || fstat(fd, &info) != 0) {
        log_error("%s: %m", path);
        status = REFRAIN_ERR_IO;
        goto out;
    }
    if (info.st_size > 0) { /* an empty file cannot be mapped and has no header */
        f->map = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (f->map == MAP_FAILED) {
            log_error("%s: %m", path);
            f->map = NULL;
            status = REFRAIN_ERR_IO;
            goto out;
        }
        f->map_size = (size_t)info.st_size;
    }
    status = check_header(f, path);
out:
    if (fd >= 0)
        close(fd);
    if (status != REFRAIN_OK)
        verify_file_close(f);
    return status;
}

void verify_file_close(struct verify_file *f)
{
    if (f->map)
        munmap(f->map, f->map_size);
    *f = (struct verify_file){0};
}

enum refrain_status verify_file_is_empty(const char *directory, const struct verify_file_name *name,
                                         bool *empty)
{
    struct verify_file f;
    enum refrain_status status = verify_file_open(&f, directory, name);
    if (status == REFRAIN_OK)
        *empty = f.n == 0;
    verify_file_close(&f);
    return status;
}

bool verify_files_find(const char *directory, const char *run, char to[PATH_MAX])
{
    struct stat about;
    const int n = snprintf(to, PATH_MAX, "%s/%s", directory, run);
    if (*run && n < PATH_MAX && stat(to, &about) == 0 && S_ISDIR(about.st_mode))
        return true;
    return snprintf(to, PATH_MAX, "%s", directory) < PATH_MAX;
}

bool verify_files_are_of_run(const char *directory, uint32_t rank, const char *run)
{
    char path[PATH_MAX], noted[32] = "";
    if (snprintf(path, sizeof path, "%s/rank.%" PRIu32 ".run", directory, rank) >= (int)sizeof path)
        return true;
    FILE *file = fopen(path, "re");
    const bool known = file && fscanf(file, "%31s", noted) == 1;
    if (file)
        fclose(file);
    return !known || strcmp(noted, run) == 0;
}

bool verify_file_record(struct bytes_reader *at, struct verify_file_record *record)
{
    record->slots.n = 0;
    record->site_hash = bytes_get_u64(at);
    const size_t n = bytes_get_count(at, 1);
    if (!array_reserve(&record->slots, n + 1))
        return false;
    for (size_t i = 0; i < n; i++)
        record->slots.items[record->slots.n++] = bytes_get_int(at);
    return !at->failed;
}
