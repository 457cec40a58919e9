/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_info.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "launcher.h"
#include "output_place.h"
#include "spawner.h"
#include "src/clock/clock.h"
#include "src/clock/clock_sync.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"
#include "src/core/settings/variable.h"
#include "src/record/tracer.h"
#include "src/settings/config.h"

#define COMMAND_MAX (64 * 1024) /* bytes of the command line that are stored */

static struct {
    char command[COMMAND_MAX], library[MPI_MAX_LIBRARY_VERSION_STRING], host[HOST_NAME_MAX + 1];
    char job[64];
    uint64_t id;
} run;

static size_t put(size_t n, const char *text, size_t length)
{
    if (n + length >= COMMAND_MAX)
        return COMMAND_MAX; /* full: the text so far stays */
    memcpy(run.command + n, text, length);
    run.command[n + length] = '\0';
    return n + length;
}

/* Store the command line; a word with unusual characters gets single quotes. */
static void read_command(void)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    static char line[COMMAND_MAX]; /* static, since a stack may be smaller */
    const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : 0;
    size_t end = 0;
    if (fd >= 0)
        close(fd);
    if (n <= 0) {
        put(end, program_invocation_name, strlen(program_invocation_name));
        return;
    }
    line[n] = '\0';
    for (const char *word = line; word < line + n; word += strlen(word) + 1) {
        const bool quote = word[strspn(word, plain)] != '\0' || !*word;
        end = put(end, " ", word > line);
        end = put(end, "'", quote);
        for (const char *c = word; *c; c++)
            end = *c == '\'' ? put(end, "'\\''", 4) : put(end, c, 1);
        end = put(end, "'", quote);
    }
}

/* Collect what each process knows without communication. */
static void describe(void)
{
    int n;
    read_command();
    if (PMPI_Get_library_version(run.library, &n) != MPI_SUCCESS)
        run.library[0] = '\0';
    run.library[strcspn(run.library, "\n")] = '\0';
    for (char *c = run.library; *c; c++)
        *c = *c == '\t' ? ' ' : *c;
    if (gethostname(run.host, sizeof run.host) != 0)
        run.host[0] = '\0';
    /* Gethostname need not terminate a name that it cuts off. */
    run.host[sizeof run.host - 1] = '\0';
    launcher_job(run.job, sizeof run.job);
}

enum refrain_status run_info_start(void)
{
    describe();
    /* All ranks use the values of rank 0. */
    char stem[PATH_MAX] = "";
    struct {
        uint64_t id;
        struct clock_hello clock;
        bool elsewhere;
    } hello = {mix(mix((uint64_t)tracer.start, clock_now()), (uint64_t)getpid()),
               clock_sync_hello(config.timing == CONFIG_TIMING_CALLS),
               tracer.rank == 0 && output_place_find_other(stem)};
    if (PMPI_Bcast(&hello, sizeof hello, MPI_BYTE, 0, tracer.comm) != MPI_SUCCESS ||
        (hello.elsewhere && PMPI_Bcast(stem, sizeof stem, MPI_BYTE, 0, tracer.comm) != MPI_SUCCESS)) {
        log_error("MPI_Bcast failed");
        return REFRAIN_ERR_MPI;
    }
    if (hello.elsewhere)
        config_move_output(stem);
    run.id = hello.id;
    clock_sync_start(tracer.comm, &hello.clock);
    return REFRAIN_OK;
}

void run_info_start_alone(void)
{
    char stem[PATH_MAX];
    if (output_place_find_other(stem))
        config_move_output(stem);
    describe();
    run.id = launcher_run();
    clock_sync_start_alone(config.timing == CONFIG_TIMING_CALLS);
}

uint64_t run_info_id(void)
{
    return run.id;
}

enum refrain_status run_info_describe(struct trace *t)
{
    char start[32], ranks[32], id[32];
    snprintf(start, sizeof start, "%lld", (long long)tracer.start);
    snprintf(ranks, sizeof ranks, "%d", tracer.size);
    snprintf(id, sizeof id, "%016" PRIx64, run.id);

    const struct {
        const char *key, *value;
    } entries[] = {
        {"command", run.command},
        {"mpi", run.library},
        {"ranks", ranks},
        {"start", start},
        {"host", run.host},
        {"job", run.job[0] ? run.job : NULL},
        {"refrain", PACKAGE_VERSION},
        {"run", id},
        {variables[VARIABLE_FUNCTIONS].name, config.functions},
        {variables[VARIABLE_START].name, config.start},
        {"spawner", *spawner_of_world() ? spawner_of_world() : NULL},
    };
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0] && !status; i++) {
        if (entries[i].value)
            status = trace_add_meta(t, entries[i].key, entries[i].value);
    }
    return status;
}
