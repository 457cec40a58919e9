/* SPDX-License-Identifier: BSD-3-Clause */
/*     rank 2 writes rank.2.part      1 of 3
 *     rank 0 writes rank.0.part      2 of 3
 *     rank 1 writes rank.1.part      3 of 3:    it merges them into NAME.refrain; the parts go
 *
 * Ranks count themselves in a file beside the parts, one at a time under a lock on it, after they have
 * written their own: so only the last looks for those of all. A part that is a checkpoint, or of a rank that
 * did not end well, is not counted, does not say that it is complete, and all stay for `refrain merge`. */
#include "last_rank_merge.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "part.h"
#include "run_info.h"
#include "src/core/base/log.h"
#include "src/core/codec/codec.h"
#include "src/core/merge/merge_tree.h"
#include "src/output/rank_trace.h"
#include "src/output/writer.h"
#include "src/record/definition_records.h"
#include "src/record/tracer.h"

/* A file's bytes; REFRAIN_ERR_CHECK if there is none, without a word. */
static enum refrain_status read_file(const char *path, struct bytes *out)
{
    struct stat info;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return REFRAIN_ERR_CHECK;
    enum refrain_status status = REFRAIN_ERR_IO;
    if (fd < 0 || fstat(fd, &info) != 0)
        goto failed;
    uint8_t *data = malloc((size_t)info.st_size + 1);
    if (!data)
        goto failed;
    *out = (struct bytes){.data = data, .cap = (size_t)info.st_size + 1};
    for (ssize_t n = 1; n > 0;) {
        n = read(fd, data + out->n, out->cap - out->n);
        if (n < 0 && errno != EINTR)
            goto failed;
        out->n += n > 0 ? (size_t)n : 0;
    }
    status = REFRAIN_OK;
failed:
    if (status)
        log_error("%s: %m", path);
    if (fd >= 0)
        close(fd);
    return status;
}

/* Is it the last part of its rank, and of this run? */
static bool is_complete(const struct trace *t)
{
    const char *run = trace_meta(t, "run");
    return trace_meta(t, PART_COMPLETE) && run && strtoull(run, NULL, 16) == run_info_id();
}

/* The part of a rank. REFRAIN_ERR_CHECK: it is not there yet. *pieces: its annex, the caller's to free; NULL:
 * not wanted. */
static enum refrain_status read_part(int rank, struct trace *out, struct bytes *pieces)
{
    char path[PATH_MAX];
    struct bytes image = {0};
    struct trace t = {0};
    if (!part_path(rank, path))
        return REFRAIN_ERR_IO;
    enum refrain_status status = read_file(path, &image);
    if (!status)
        status = codec_decode(path, image.data, image.n, &t, NULL);
    if (!status && !is_complete(&t))
        status = REFRAIN_ERR_CHECK;
    if (!status && pieces) {
        bytes_put(pieces, image.data + image.n - t.annex.length, t.annex.length);
        status = pieces->failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
    }
    if (!status)
        *out = t;
    else
        trace_free(&t);
    bytes_free(&image);
    return status;
}

/* The annexes of all parts, one behind the other. */
static enum refrain_status add_pieces(struct writer *w)
{
    enum refrain_status status = REFRAIN_OK;
    for (int rank = 0; rank < tracer.size && !status; rank++) {
        struct trace t = {0};
        struct bytes pieces = {0};
        status = read_part(rank, &t, &pieces);
        if (!status)
            status = writer_add(w, pieces.data, pieces.n);
        bytes_free(&pieces);
        trace_free(&t);
    }
    return status;
}

static enum refrain_status assemble(void)
{
    struct merge_tree tree = {0};
    struct trace t = {0};
    struct writer w = {0};
    enum refrain_status status = REFRAIN_OK;
    for (int rank = 0; rank < tracer.size && !status; rank++) {
        status = read_part(rank, &t, NULL);
        if (!status)
            status = merge_tree_add(&tree, &t);
    }
    if (!status)
        status = merge_tree_finish(&tree, &t);
    if (!status) {
        status = writer_begin(&w, &t, false);
        if (!status && t.annex.length > 0)
            status = add_pieces(&w);
        status = writer_end(&w, status);
    }
    trace_free(&t);
    merge_tree_free(&tree);
    return status;
}

/* Is this rank the last one of the run? The file, which is locked, says how many have been here. If it cannot
 * be kept, the parts themselves tell. */
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
    rmdir(part_directory());
}

void last_rank_merge(void)
{
    char lock[PATH_MAX];
    if (rank_trace_number_lanes())
        return;
    definition_records_end("MPI_Session_finalize", 0);
    if (atomic_load(&tracer.state) != TRACER_RECORDING || part_write_complete() ||
        (size_t)snprintf(lock, sizeof lock, "%s/lock", part_directory()) >= sizeof lock)
        return;
    const int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 && errno == ENOENT)
        return; /* without a count, another rank has found all parts, this one's too, and made the trace */
    if (fd < 0 || flock(fd, LOCK_EX) != 0)
        log_error("%s: %m; `refrain merge` makes a trace of the parts", lock);
    else if (is_last(fd) && assemble() == REFRAIN_OK)
        remove_parts(lock);
    else
        log_info("the calls of this rank are in %s", part_directory());
    if (fd >= 0)
        close(fd);
}
