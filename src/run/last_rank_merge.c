/* SPDX-License-Identifier: BSD-3-Clause */
/*     rank 2 writes rank.2.part      1 of 3
 *     rank 0 writes rank.0.part      2 of 3
 *     rank 1 writes rank.1.part      3 of 3:    it merges them into NAME.refrain; the parts go
 *
 * Each rank writes its part, then counts itself in a locked file next to the parts, so that only
 * the last rank reads all parts. A checkpoint, or the part of a rank that did not end well, is not
 * counted as complete, and all parts stay for `refrain merge`. */
#include "last_rank_merge.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "src/part/part.h"
#include "src/part/run_info.h"
#include "src/core/base/log.h"
#include "src/core/parts/assemble.h"
#include "src/record/definition_records.h"
#include "src/record/tracer.h"
#include "src/output/rank_trace.h"
#include "src/output/writer.h"
#include "processor_time.h"

/* Whether the part is the final one of its rank, and belongs to this run. */
static bool is_complete(const struct trace *t)
{
    const char *run = trace_meta(t, "run");
    return trace_meta(t, PART_COMPLETE) && run && strtoull(run, NULL, 16) == run_info_id();
}

/* Open the part of a rank. REFRAIN_ERR_CHECK, without a message: it does not exist yet or is not
 * complete. */
static enum refrain_status open_part(void *context, size_t rank, struct part_file *out)
{
    char path[PATH_MAX];
    struct part_file part;
    (void)context;
    if (!part_path((int)rank, path))
        return REFRAIN_ERR_IO;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return REFRAIN_ERR_CHECK;
    const enum refrain_status status = part_file_open(&part, path, (uint32_t)rank);
    if (status)
        return status;
    if (!is_complete(&part.trace)) {
        part_file_close(&part);
        return REFRAIN_ERR_CHECK;
    }
    *out = part;
    return REFRAIN_OK;
}

static enum refrain_status assemble(void)
{
    const struct part_source parts = {.n = (size_t)tracer.size, .open = open_part};
    struct trace t = {0};
    struct writer w;
    enum refrain_status status = assemble_trace(&parts, &t);
    if (status)
        return status;
    status = writer_begin(&w, &t, false, NULL);
    if (!status && t.annex.length > 0) {
        status = assemble_annex(&parts, &w.file);
        w.length += t.annex.length;
    }
    status = writer_end(&w, status);
    trace_free(&t);
    return status;
}

/* Count this rank in the locked file, and return whether it is the last one of the run. If the
 * count cannot be written, return true: then `assemble` finds out whether all parts exist. */
static bool is_last(int fd)
{
    struct {
        uint64_t run, ranks;
    } count;
    if (pread(fd, &count, sizeof count, 0) != sizeof count || count.run != run_info_id())
        count.ranks = 0;
    count.run = run_info_id();
    count.ranks++;
    return pwrite(fd, &count, sizeof count, 0) != sizeof count || count.ranks >= (uint64_t)tracer.size;
}

static void remove_parts(const char *lock)
{
    char path[PATH_MAX];
    for (int rank = 0; rank < tracer.size; rank++) {
        if (part_path(rank, path))
            unlink(path);
    }
    unlink(lock);
    part_remove_directories();
}

void last_rank_merge(void)
{
    assert(slow_path_is_required(SLOW_PATH_PAUSED));
    char lock[PATH_MAX];
    if (rank_trace_number_lanes())
        return;
    processor_time_end();
    definition_records_end("MPI_Session_finalize", 0);
    if (atomic_load(&tracer.state) != TRACER_RECORDING || part_write_complete() ||
        (size_t)snprintf(lock, sizeof lock, "%s/lock", part_directory()) >= sizeof lock)
        return;
    const int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 && errno == ENOENT)
        /* Without a count, another rank found all parts, including this one, and made the trace. */
        return;
    if (fd < 0 || flock(fd, LOCK_EX) != 0)
        log_error("%s: %m; `refrain merge` builds a trace from the parts", lock);
    else if (is_last(fd) && assemble() == REFRAIN_OK)
        remove_parts(lock);
    else
        log_info("the calls of this rank are in %s", part_directory());
    if (fd >= 0)
        close(fd);
}
