/* SPDX-License-Identifier: BSD-3-Clause */
#include "verify_writer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "definition_records.h"
#include "src/core/base/cancel.h"
#include "src/core/base/log.h"
#include "src/core/base/write.h"
#include "src/core/trace/verify_record.h"
#include "src/settings/config.h"
#include "thread.h"

#define FLUSH_BYTES (64 * 1024)

static atomic_int rank_known = -1;
static atomic_bool failed; /* the failure has been logged */
static atomic_bool held;
static char own_directory[PATH_MAX]; /* of a spawned world */

void verify_init(struct verify_writer *f, uint32_t id)
{
    *f = (struct verify_writer){.id = id, .number = -1};
}

void verify_init_definitions(struct verify_writer *f)
{
    *f = (struct verify_writer){.definitions = true};
}

/* ---- files ----------------------------------------------------------------------------------- */

static const char *directory(void)
{
    return *own_directory ? own_directory : config.verify;
}

static bool path_of_lane(int64_t number, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/rank.%d.lane.%" PRId64 ".raw", directory(), atomic_load(&rank_known),
                    number) < PATH_MAX;
}

static bool path_of(const struct verify_writer *f, char path[PATH_MAX])
{
    const int rank = atomic_load(&rank_known);
    if (!f->definitions && f->number >= 0)
        return path_of_lane(f->number, path);
    return (f->definitions ? snprintf(path, PATH_MAX, "%s/rank.%d.definitions.raw", directory(), rank)
                           : snprintf(path, PATH_MAX, "%s/rank.%d.unnumbered.%" PRIu32 ".raw", directory(),
                                      rank, f->id)) < PATH_MAX;
}

static void release(struct verify_writer *f)
{
    if (f->open)
        close(f->fd);
    f->open = false;
    bytes_free(&f->pending);
}

static void give_up(const char *path)
{
    if (!atomic_exchange(&failed, true))
        log_error("cannot write %s: %m; refrain verify will have no records", path);
}

static void create(struct verify_writer *f)
{
    char path[PATH_MAX];
    errno = ENAMETOOLONG;
    f->fd = path_of(f, path) ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    f->open = f->fd >= 0;
    if (!f->open)
        give_up(path);
}

static void flush(struct verify_writer *f)
{
    const int cancel = cancel_forbid();
    if (f->pending.n > 0 && !f->open)
        create(f);
    if (f->open && !write_all(f->fd, f->pending.data, f->pending.n)) {
        char path[PATH_MAX];
        path_of(f, path);
        give_up(path);
    } else {
        f->pending.n = 0;
    }
    cancel_allow(cancel);
}

static void move(struct verify_writer *f, int64_t number)
{
    char from[PATH_MAX], to[PATH_MAX];
    const bool fits = path_of(f, from);
    f->number = number;
    if (f->open && fits && path_of(f, to) && rename(from, to) != 0)
        give_up(to);
}

/* Rename every file to the number of its lane. Another file may still have that number, so all files that
 * change first give up their names. */
static void number_files(struct thread *first)
{
    for (struct thread *t = first; t; t = t->next) {
        if (t->raw.number != t->number)
            move(&t->raw, -1);
    }
    for (struct thread *t = first; t; t = t->next) {
        if (t->raw.number != t->number && (t->raw.open || t->raw.pending.n > 0))
            move(&t->raw, t->number);
    }
}

/* ---- records --------------------------------------------------------------------------------- */

void verify_writer_put(struct verify_writer *f, uint64_t site_hash, const int64_t *slots, uint32_t n,
                       const struct timestamp *timestamps)
{
    if (!config.verify || atomic_load_explicit(&failed, memory_order_relaxed))
        return;
    if (f->pending.n == 0 && !f->open)
        verify_record_put_header(&f->pending);
    verify_record_put(&f->pending, site_hash, slots, n);
    if (timestamps)
        verify_record_put_times(&f->pending, timestamps, &f->left);
    if (f->pending.failed) {
        errno = ENOMEM;
        give_up(config.verify);
    } else if (f->pending.n >= FLUSH_BYTES && atomic_load(&rank_known) >= 0 && !atomic_load(&held)) {
        flush(f);
    }
}

void verify_hold(bool hold)
{
    atomic_store(&held, hold);
}

void verify_disable(const char *reason)
{
    if (!config.verify || atomic_load(&failed))
        return;
    config_warning("REFRAIN_VERIFY is ignored: %s", reason);
    atomic_store(&failed, true);
}

/* Remove the files of an earlier run, which may have had more threads. */
static void remove_old(void)
{
    char path[PATH_MAX];
    for (int64_t number = 0; path_of_lane(number, path) && unlink(path) == 0; number++)
        ;
}

/* Write down which run the rank's files belong to. */
static void note_run(uint64_t run)
{
    char path[PATH_MAX], line[32];
    const int n = snprintf(line, sizeof line, "%016" PRIx64 "\n", run);
    const bool fits =
        snprintf(path, sizeof path, "%s/rank.%d.run", directory(), atomic_load(&rank_known)) < PATH_MAX;
    const int fd = fits ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (fd < 0 || !write_all(fd, line, (size_t)n))
        give_up(path);
    if (fd >= 0)
        close(fd);
}

void verify_separate(uint64_t run)
{
    if (!config.verify || atomic_load(&failed))
        return;
    if (atomic_load(&rank_known) >= 0)
        verify_disable("a session began before it was known that this process was spawned");
    else if (snprintf(own_directory, sizeof own_directory, "%s/%016" PRIx64, config.verify, run) >= PATH_MAX)
        verify_disable("the name of the directory is too long");
}

static bool make_directory(const char *path)
{
    const bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
    if (!made)
        give_up(path);
    return made;
}

void verify_open(int rank, uint64_t run)
{
    assert(rank >= 0);
    if (!config.verify || atomic_load(&failed))
        return;
    if (!make_directory(config.verify) || !make_directory(directory()))
        return;
    atomic_store(&rank_known, rank);
    remove_old();
    note_run(run);
    if (definition_records_verify_writer()->pending.n == 0)
        verify_record_put_header(&definition_records_verify_writer()->pending);
    create(definition_records_verify_writer());
}

void verify_flush(void)
{
    assert(slow_path_is_required(SLOW_PATH_PAUSED));
    struct thread *const first = atomic_load(&threads.first);
    if (!config.verify || atomic_load(&failed) || atomic_load(&rank_known) < 0)
        return;
    number_files(first);
    for (struct thread *t = first; t && !atomic_load(&failed); t = t->next)
        flush(&t->raw);
    if (!atomic_load(&failed))
        flush(definition_records_verify_writer());
}

void verify_close(uint64_t run)
{
    verify_flush();
    if (config.verify && !atomic_load(&failed) && atomic_load(&rank_known) >= 0)
        note_run(run); /* the number changes if sessions came before MPI_Init */
    for (struct thread *t = atomic_load(&threads.first); t; t = t->next)
        release(&t->raw);
    release(definition_records_verify_writer());
}
