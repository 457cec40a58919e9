/* SPDX-License-Identifier: BSD-3-Clause */
#define LOG_DOMAIN LOG_ENDING
#include "part.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_limits.h"
#include "output_place.h"
#include "run_info.h"
#include "src/clock/clock.h"
#include "src/core/base/log.h"
#include "src/core/base/replace.h"
#include "src/core/codec/codec.h"
#include "src/core/parts/part_file.h"
#include "src/output/rank_trace.h"
#include "src/record/checkpoint_due.h"
#include "src/record/tracer.h"
#include "src/record/verify_writer.h"
#include "src/settings/config.h"

#define SUFFIX    ".refrain"
#define SHARE_MAX 20 /* checkpoints take at most one SHARE_MAXth of the time */

#define TRIES 10 /* attempts to create a directory inside one that other runs may remove */

static char runs[PATH_MAX], directory[PATH_MAX], path[PATH_MAX];
static bool written;
/* Time of the next checkpoint at the earliest, in nanoseconds. */
static atomic_uint_fast64_t earliest;

/* Paths are absolute since the program may change its working directory before the part is written
 * or removed. */
bool part_absolute(const char *name, char *out)
{
    char here[PATH_MAX] = "";
    if (name[0] != '/' && !getcwd(here, sizeof here))
        return false;
    const bool fits = (size_t)snprintf(out, PATH_MAX, "%s%s%s", here, *here ? "/" : "", name) < PATH_MAX;
    errno = ENAMETOOLONG;
    return fits;
}

enum refrain_status part_start(void)
{
    char name[PATH_MAX], id[32] = "";
    const char *stem = config.output ? config.output : config.stem;
    size_t n = strlen(stem);
    /* Each spawned world has a rank 0, so its parts need a name of their own. */
    if (tracer.spawned)
        snprintf(id, sizeof id, ".%016" PRIx64, run_info_id());
    const bool has_suffix = n > strlen(SUFFIX) && strcmp(stem + n - strlen(SUFFIX), SUFFIX) == 0;
    if (has_suffix)
        n -= strlen(SUFFIX);
    const char *suffix = has_suffix || !config.output ? SUFFIX : "";
    errno = ENAMETOOLONG;
    if ((size_t)snprintf(name, sizeof name, "%.*s%s%s.parts", (int)n, stem, id, suffix) >= sizeof name ||
        !part_absolute(name, runs) ||
        (size_t)snprintf(directory, sizeof directory, "%s/%016" PRIx64, runs, run_info_id()) >=
            sizeof directory ||
        !part_path(tracer.rank, path)) {
        log_error("%s.parts: %m", stem);
        path[0] = '\0';
        return REFRAIN_ERR_IO;
    }
    return REFRAIN_OK;
}

const char *part_directory(void)
{
    return directory;
}

bool part_path(int rank, char *out)
{
    assert(rank >= 0);
    return (size_t)snprintf(out, PATH_MAX, "%s/" PART_FILE_NAME, directory, (uint32_t)rank) < PATH_MAX;
}

/* Another run may remove the upper directory at any time, after its last part is gone: hence the
 * attempts. */
static bool make_directories(void)
{
    for (int i = 0; i < TRIES; i++) {
        if (mkdir(directory, 0777) == 0 || errno == EEXIST)
            return true;
        if (errno != ENOENT || (mkdir(runs, 0777) != 0 && errno != EEXIST))
            return false;
    }
    return false;
}

/* The path of a file which shows that a rank has printed the message. A file works between nodes,
 * and after the rank has ended. */
static bool told_path(char *out)
{
    return (size_t)snprintf(out, PATH_MAX, "%s/told", directory) < PATH_MAX;
}

void part_announce(void)
{
    char told[PATH_MAX];
    const int fd = told_path(told) ? open(told, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (fd < 0)
        return;
    close(fd);
    log_warning("the run ended without a trace; `refrain merge %s` builds one from the recorded calls", runs);
}

void part_remove_directories(void)
{
    char told[PATH_MAX];
    if (told_path(told))
        unlink(told);
    if (rmdir(directory) == 0)
        rmdir(runs);
}

/* Image and pieces are written separately: pieces may be large, and a copy of both in one buffer
 * could exceed the memory. */
static enum refrain_status write_there(const struct bytes *image, const struct bytes *pieces)
{
    struct replacement file;
    if (!make_directories()) {
        log_error("cannot create %s: %m", directory);
        return REFRAIN_ERR_IO;
    }
    enum refrain_status status = replace_begin(&file, path);
    if (status)
        return status;
    status = replace_add(&file, image->data, image->n);
    if (!status)
        status = replace_add(&file, pieces->data, pieces->n);
    return replace_end(&file, status);
}

/* Write the part to its directory or, if that fails, to the next place that is writable. */
static enum refrain_status write_file(const struct bytes *image, const struct bytes *pieces)
{
    struct file_limits limits;
    enum refrain_status status;
    int why;
    file_limits_lift(&limits);
    do {
        status = write_there(image, pieces);
        why = errno;
        if (status && rmdir(directory) == 0)
            rmdir(runs);
    } while (status && output_place_has_failed(why));
    file_limits_restore(&limits);
    written = written || !status;
    return status;
}

/* Write the part; META gets the entry `key` = 1. */
static enum refrain_status write_part(unsigned flags, const char *key)
{
    struct trace t = {0};
    struct bytes image = {0}, pieces = {0};
    if (!path[0])
        return REFRAIN_ERR_IO; /* part_start has reported it */
    enum refrain_status status = rank_trace_make(&t, flags & CODEC_STORED, &pieces);
    if (!status)
        status = run_info_describe(&t);
    if (!status)
        status = trace_add_meta(&t, key, "1");
    if (!status)
        status = codec_encode(&t, flags, &image);
    if (!status)
        status = write_file(&image, &pieces);
    bytes_free(&image);
    bytes_free(&pieces);
    trace_free(&t);
    return status;
}

enum refrain_status part_write(unsigned flags)
{
    assert(slow_path_is_required(SLOW_PATH_PAUSED));
    return write_part(flags, "parts");
}

enum refrain_status part_write_complete(void)
{
    return write_part(0, PART_COMPLETE);
}

void part_remove(void)
{
    if (!written)
        return;
    unlink(path);
    part_remove_directories(); /* succeeds only for the last rank */
    written = false;
}

void part_took(uint64_t nanoseconds)
{
    atomic_store(&earliest, clock_now() + SHARE_MAX * nanoseconds);
}

uint64_t part_checkpoint(void)
{
    const uint64_t start = clock_now();
    const enum refrain_status status = rank_trace_number_lanes();
    verify_flush(); /* the records must cover at least the calls of the part */
    if (status || part_write(0)) {
        log_error("this rank writes no more checkpoints");
        atomic_store(&earliest, CHECKPOINT_NEVER);
        return CHECKPOINT_NEVER;
    }
    if (config.checkpoint == 0) /* a single checkpoint was requested */
        return CHECKPOINT_NEVER;
    const uint64_t now = clock_now(), pause = SHARE_MAX * (now - start);
    part_took(now - start);
    log_debug("a checkpoint took %.3f ms", (double)(now - start) * 1e-6);
    return now + (pause > config.checkpoint ? pause : config.checkpoint);
}

bool part_may_checkpoint(void)
{
    return clock_now() >= atomic_load(&earliest);
}
