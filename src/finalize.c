/* MPI_Finalize: the last call that is recorded; then the trace is merged and written. */
#include "finalize.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "codec.h"
#include "config.h"
#include "gather.h"
#include "log.h"
#include "merge.h"
#include "tracer.h"
#include "used.h"
#include "verify.h"
#include "writer.h"

/* ---- this rank's trace ----------------------------------------------------------------------------------
 */

static enum refrain_status store_times(struct trace *t, const uint32_t *to)
{
    for (uint32_t f = 0; tracer.busy && f < FUNCTION_COUNT; f++) {
        if (to[f] == UINT32_MAX || tracer.n_calls[f] == 0)
            continue;
        struct rank_time time = {to[f], series_create(), series_create()};
        enum refrain_status status = REFRAIN_ERR_MEMORY;
        if (time.ranks && time.sums)
            status = series_append(time.ranks, tracer.rank);
        if (!status)
            status = series_append(time.sums, (int64_t)tracer.busy[f]);
        if (!status && !array_push(&t->rank_times, time))
            status = REFRAIN_ERR_MEMORY;
        if (status) {
            series_free(time.ranks);
            series_free(time.sums);
            return status;
        }
    }
    return REFRAIN_OK;
}

static enum refrain_status store(struct trace *t)
{
    enum refrain_status status = REFRAIN_OK;
    uint32_t *to = malloc(FUNCTION_COUNT * sizeof *to);
    if (!to) {
        log_error("no memory for the numbers of functions");
        return REFRAIN_ERR_MEMORY;
    }
    t->first_rank = (uint32_t)tracer.rank;
    t->n_ranks = 1;
    for (size_t i = 0; i < tracer.sites.modules.names.n && !status; i++) {
        uint32_t index; /* = i: no name is there twice */
        status = trace_intern_module(t, tracer.sites.modules.names.items[i], &index);
    }
    for (size_t i = 0; i < tracer.sites.modules.files.n && !status; i++) {
        const struct meta *file = &tracer.sites.modules.files.items[i];
        status = trace_add_meta(t, file->key, file->value);
    }
    if (!status)
        status = lane_store(tracer.definitions, t->first_rank, t);
    if (!status)
        status = lane_store(tracer.calls, t->first_rank, t);
    if (!status)
        status = used_select(t, to);
    if (!status)
        status = store_times(t, to);
    if (!status && config.check)
        status = trace_check(t);
    free(to);
    return status;
}

/* ---- what is said of the run ----------------------------------------------------------------------------
 */

/* The words of the command line; one with anything but the usual characters in single quotes. */
static enum refrain_status put_command(struct bytes *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    char line[64 * 1024];
    const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : 0;
    if (fd >= 0)
        close(fd);
    if (n <= 0) {
        bytes_put(out, program_invocation_name, strlen(program_invocation_name));
    } else {
        line[n] = '\0';
        for (const char *word = line; word < line + n; word += strlen(word) + 1) {
            const bool quote = word[strspn(word, plain)] != '\0' || !*word;
            bytes_put(out, " ", word > line);
            bytes_put(out, "'", quote);
            for (const char *c = word; *c; c++) {
                if (*c == '\'')
                    bytes_put(out, "'\\''", 4);
                else
                    bytes_put_u8(out, (uint8_t)*c);
            }
            bytes_put(out, "'", quote);
        }
    }
    bytes_put_u8(out, 0);
    return out->failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

static enum refrain_status describe_run(struct trace *t)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "", host[HOST_NAME_MAX + 1] = "", start[32], ranks[32];
    int n;
    struct bytes command = {0};
    enum refrain_status status = put_command(&command);
    if (PMPI_Get_library_version(library, &n) != MPI_SUCCESS)
        library[0] = '\0';
    library[strcspn(library, "\n")] = '\0';
    for (char *c = library; *c; c++)
        *c = *c == '\t' ? ' ' : *c;
    gethostname(host, sizeof host);
    host[sizeof host - 1] = '\0';
    snprintf(start, sizeof start, "%lld", (long long)tracer.start);
    snprintf(ranks, sizeof ranks, "%d", tracer.size);

    const struct meta entries[] = {
        {"command", (char *)command.data},
        {"mpi", library},
        {"ranks", ranks},
        {"start", start},
        {"host", host},
        {"refrain", PACKAGE_VERSION},
    };
    for (size_t i = 0; i < sizeof entries / sizeof entries[0] && !status; i++)
        status = trace_add_meta(t, entries[i].key, entries[i].value);
    bytes_free(&command);
    return status;
}

/* ---- the end --------------------------------------------------------------------------------------------
 */

static enum refrain_status write_trace(struct trace *t)
{
    struct bytes image = {0};
    enum refrain_status status = merge_finish(t);
    if (!status && config.check)
        status = trace_check(t);
    if (!status)
        status = codec_encode(t, CODEC_FINAL, &image);
    if (!status)
        status = writer_write(&image, tracer.spawned);
    bytes_free(&image);
    return status;
}

/* All ranks come here that have been in MPI_Init, whatever has become of their recording. */
static void finish(void)
{
    struct trace t = {0};
    enum refrain_status status = REFRAIN_ERR_CHECK; /* recording has stopped, and said why */
    pthread_mutex_lock(&tracer.lock);
    if (tracer.calls) {
        status = store(&t);
        if (!status && tracer.rank == 0)
            status = describe_run(&t);
    }
    atomic_store(&tracer.state, TRACER_FINISHED);
    verify_close();
    tracer_clear();

    status = gather_traces(tracer.comm, tracer.rank, tracer.size, &t, status);
    if (tracer.rank == 0) {
        if (!status)
            status = write_trace(&t);
        if (status)
            log_error("there is no trace of this run");
    }
    trace_free(&t);
    tracer.up = false;
    PMPI_Group_free(&tracer.world);
    PMPI_Comm_free(&tracer.comm);
    pthread_mutex_unlock(&tracer.lock);
}

void finalize_begin(const void *return_address)
{
    struct call call;
    if (tracer.up)
        guard_depth =
            0; /* no callback may finalise: a call was left by a jump; the other ranks count on us */
    if (call_begin(&call, FUNCTION_MPI_Finalize, return_address)) {
        call_enter(&call);
        call_leave(&call);
        call_int(&call, MPI_SUCCESS); /* it is over before the result is known */
        call_end(&call);
    }
    if (guard_depth == 0 && tracer.up) {
        const int saved_errno = errno;
        guard_depth++;
        finish();
        guard_depth--;
        errno = saved_errno;
    }
    guard_depth++;
}

void finalize_end(void)
{
    guard_depth--;
}

GUARD_EXPORT int MPI_Finalize(void)
{
    finalize_begin(__builtin_return_address(0));
    const int result = PMPI_Finalize();
    finalize_end();
    return result;
}
