/* SPDX-License-Identifier: BSD-3-Clause */
#include "write_collective.h"

#define XXH_INLINE_ALL
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "src/part/part.h"
#include "src/part/output_place.h"
#include "src/core/base/log.h"
#include "src/core/base/write.h"
#include "src/output/gather.h"
#include "src/output/writer.h"
#include "src/record/tracer.h"

/* Rank 0's verdict. A rank that does not receive it assumes that there is no file. */
enum verdict { FAILED, WRITTEN, WRITE_THERE, SEND };

/* ---- a rank's pieces, at their place --------------------------------------------------------- */

/* Whether this is the file that rank 0 has begun: a file of that name may be on another disk. */
static bool is_the_file(int fd, const struct gather_word *word)
{
    uint8_t head[WRITER_HEAD];
    size_t n = 0;
    ssize_t got = 1;
    while (n < sizeof head && got > 0) {
        got = pread(fd, head + n, sizeof head - n, (off_t)n);
        n += got > 0 ? (size_t)got : 0;
    }
    return (uint32_t)XXH64(head, n < word->length ? n : word->length, 0) == word->sum;
}

/* The pieces of a rank, and their positions in its bytes. */
struct own {
    struct annex annex;
    const struct bytes *bytes;
};

/* Return the next of this rank's pieces to write, and its bytes. A rank writes all its pieces except those
 * that an earlier rank also has; they come first in the rank's part of the index. */
static const struct annex_piece *next_piece(const struct annex *index, const struct own *own, size_t *next,
                                            const uint8_t **data)
{
    const uint32_t rank = (uint32_t)tracer.rank;
    if (*next >= index->pieces.n || index->pieces.items[*next].rank != rank)
        return NULL;
    const struct annex_piece *p = &index->pieces.items[(*next)++];
    *data = own->bytes->data + annex_find(&own->annex, rank, p->kind, p->lane)->at;
    return p;
}

static bool write_pieces(const struct gather_word *word, const struct annex *index, const struct own *own)
{
    const uint8_t *data;
    size_t next = 0;
    const struct annex_piece *p = next_piece(index, own, &next, &data);
    if (!p)
        return true;
    const int fd = open(word->path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool fine = is_the_file(fd, word) && lseek(fd, (off_t)(word->at + p->at), SEEK_SET) >= 0;
    for (; p && fine; p = next_piece(index, own, &next, &data))
        fine = write_all(fd, data, p->length);
    return close(fd) == 0 && fine;
}

/* ---- by way of rank 0 ------------------------------------------------------------------------ */

/* Ask for all pieces of the other ranks even after an error, since the ranks wait for that. */
static enum refrain_status collect(struct writer *w, const struct annex *a, const struct own *own,
                                   enum refrain_status status)
{
    const struct annex_piece *p;
    const uint8_t *mine;
    size_t next = 0;
    while ((p = next_piece(a, own, &next, &mine)) && !status)
        status = writer_add(w, mine, p->length);
    for (size_t i = 0; i < a->pieces.n; i++) {
        uint8_t *data = NULL;
        p = &a->pieces.items[i];
        if (p->rank == 0)
            continue;
        const enum refrain_status taken = gather_take(tracer.comm, (int)p->rank, p->length, !status, &data);
        if (!status)
            status = taken ? taken : writer_add(w, data, p->length);
        free(data);
    }
    return status;
}

static void give_pieces(const struct annex *index, const struct own *own)
{
    const struct annex_piece *p;
    const uint8_t *data;
    for (size_t next = 0; (p = next_piece(index, own, &next, &data));)
        gather_give(tracer.comm, data, p->length);
}

/* ---- rank 0, and the others ------------------------------------------------------------------ */

static bool say(struct gather_word *word, enum verdict verdict, struct annex *index)
{
    word->verdict = (uint8_t)verdict;
    return gather_tell(tracer.comm, 0, tracer.size, word, index);
}

/* Add the annex in one of the two ways. REFRAIN_OK if it is in the file. */
static enum refrain_status add_annex(struct writer *w, struct trace *t, const struct own *own,
                                     struct gather_word *word)
{
    *word = (struct gather_word){.sum = w->sum, .length = w->length, .at = w->length};
    if (w->file.temporary[0] && part_absolute(w->file.temporary, word->path)) {
        const bool said = say(word, WRITE_THERE, &t->annex);
        const bool written = said && write_pieces(word, &t->annex, own);
        if (gather_agree(tracer.comm, 0, tracer.size, written)) {
            w->length += t->annex.length;
            return REFRAIN_OK;
        }
        log_info("not all ranks can write %s: rank 0 writes for them", word->path);
    }
    const bool said = say(word, SEND, &t->annex);
    const bool heard = gather_agree(tracer.comm, 0, tracer.size, said);
    return collect(w, &t->annex, own, heard ? REFRAIN_OK : REFRAIN_ERR_MEMORY);
}

/* Rewrite the file without the annex; possible only if the annex contains nothing but times. */
static enum refrain_status leave_out(struct writer *w, struct trace *t)
{
    if (t->away.n > 0)
        return REFRAIN_ERR_IO;
    log_warning("the trace is written without the times of single calls");
    annex_free(&t->annex);
    return writer_again(w, t);
}

/* Print "refrain: app.2.refrain (1.7 kB, 8 ranks, 2.4 s): see refrain report app.2.refrain" */
static void tell_written(const struct writer *w)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double size = (double)w->length;
    size_t unit = 0;
    for (; size >= 999.5 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        size /= 1000;
    log_notice("%s (%.*f %s, %d rank%s, %.*f s): see refrain report %s", w->path, unit > 0 && size < 99.95,
               size, units[unit], tracer.size, tracer.size == 1 ? "" : "s",
               tracer.ended - tracer.began < 10000000 ? 3 : 1, (double)(tracer.ended - tracer.began) * 1e-9,
               w->path);
}

static bool deliver_all(struct trace *t, const struct own *own, enum refrain_status status)
{
    struct writer w = {0};
    struct gather_word word = {0};
    if (!status) {
        output_place_check();
        status = writer_begin(&w, t, tracer.spawned, output_place_has_failed);
        if (!status && t->annex.length > 0 && add_annex(&w, t, own, &word))
            status = leave_out(&w, t);
        status = writer_end(&w, status);
        if (!status)
            tell_written(&w);
    }
    say(&word, status ? FAILED : WRITTEN, &(struct annex){0});
    return !status;
}

static bool follow(const struct own *own)
{
    for (;;) {
        struct gather_word word;
        struct annex index = {0};
        const bool heard = gather_tell(tracer.comm, tracer.rank, tracer.size, &word, &index);
        const enum verdict verdict = word.verdict;
        if (verdict == WRITE_THERE) {
            const bool written = heard && write_pieces(&word, &index, own);
            gather_agree(tracer.comm, tracer.rank, tracer.size, written);
        } else if (verdict == SEND) {
            gather_agree(tracer.comm, tracer.rank, tracer.size, heard);
            give_pieces(&index, own);
        }
        annex_free(&index);
        if (verdict == FAILED || verdict == WRITTEN)
            return verdict == WRITTEN;
    }
}

bool write_collective(struct trace *t, const struct bytes *pieces, enum refrain_status own_status)
{
    const uint32_t rank = (uint32_t)tracer.rank;
    struct own own = {.bytes = pieces};
    enum refrain_status status = own_status;
    if (!status)
        status = annex_slice(&t->annex, rank, rank + 1, &own.annex);
    status = gather_traces(tracer.comm, tracer.rank, tracer.size, t, status);
    const bool written = tracer.rank == 0 ? deliver_all(t, &own, status) : follow(&own);
    annex_free(&own.annex);
    trace_free(t);
    return written;
}
