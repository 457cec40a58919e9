#include "deliver.h"

#define XXH_INLINE_ALL
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "gather.h"
#include "log.h"
#include "part.h"
#include "tracer.h"
#include "write.h"
#include "writer.h"

/* What rank 0 says. Where it does not arrive, the file is not there. */
enum verdict { FAILED, WRITTEN, WRITE_THERE, SEND };

/* ---- a rank's pieces, at their place ----------------------------------------------------------------------
 */

/* Is it the file that rank 0 has begun, and not one of that name on another disk? */
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

static bool write_pieces(const struct gather_word *word, const struct bytes *pieces)
{
    if (pieces->n == 0)
        return true;
    const int fd = open(word->path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool fine = is_the_file(fd, word) && lseek(fd, (off_t)word->at, SEEK_SET) >= 0 &&
                write_all(fd, pieces->data, pieces->n);
    return close(fd) == 0 && fine;
}

/* ---- by way of rank 0 -------------------------------------------------------------------------------------
 */

static uint64_t length_of(const struct annex *a, uint32_t rank, size_t *next)
{
    uint64_t n = 0;
    for (; *next < a->pieces.n && a->pieces.items[*next].rank == rank; ++*next)
        n += a->pieces.items[*next].length;
    return n;
}

/* On rank 0. All that have pieces are asked, whatever goes wrong meanwhile: they wait for it. */
static enum refrain_status collect(struct writer *w, const struct annex *a, const struct bytes *pieces)
{
    size_t next = 0;
    uint64_t n = length_of(a, 0, &next);
    enum refrain_status status = writer_add(w, pieces->data, n);
    for (int rank = 1; rank < tracer.size; rank++) {
        uint8_t *data = NULL;
        if ((n = length_of(a, (uint32_t)rank, &next)) == 0)
            continue;
        const enum refrain_status taken = gather_take(tracer.comm, rank, n, !status, &data);
        if (!status)
            status = taken ? taken : writer_add(w, data, n);
        free(data);
    }
    return status;
}

/* ---- rank 0, and the others -------------------------------------------------------------------------------
 */

static void say(const struct gather_sizes *sizes, struct gather_word *word, enum verdict verdict)
{
    word->verdict = (uint8_t)verdict;
    gather_tell(tracer.comm, 0, tracer.size, sizes, word);
}

/* The annex, in one way or the other; REFRAIN_OK: it is in the file. */
static enum refrain_status add_annex(struct writer *w, const struct trace *t, const struct bytes *pieces,
                                     const struct gather_sizes *sizes, struct gather_word *word)
{
    *word = (struct gather_word){.sum = w->sum, .length = w->length, .at = w->length};
    if (w->file.temporary[0] && part_absolute(w->file.temporary, word->path)) {
        say(sizes, word, WRITE_THERE);
        if (gather_agree(tracer.comm, 0, tracer.size, write_pieces(word, pieces))) {
            w->length += t->annex.length;
            return REFRAIN_OK;
        }
        log_info("not all ranks reach %s: what they have goes by way of rank 0", word->path);
    }
    say(sizes, word, SEND);
    return collect(w, &t->annex, pieces);
}

static bool deliver_all(struct trace *t, const struct bytes *pieces, const struct gather_sizes *sizes,
                        enum refrain_status status)
{
    struct writer w = {0};
    struct gather_word word = {0};
    if (!status) {
        status = writer_begin(&w, t, tracer.spawned);
        if (!status && t->annex.length > 0 && add_annex(&w, t, pieces, sizes, &word)) {
            log_warning("the times of the calls are left out");
            annex_free(&t->annex);
            status = writer_again(&w, t);
        }
        status = writer_end(&w, status);
    }
    if (status)
        log_error("there is no trace of this run; what there is goes to %s", part_directory());
    say(sizes, &word, status ? FAILED : WRITTEN);
    return !status;
}

static bool follow(const struct bytes *pieces, const struct gather_sizes *sizes)
{
    struct gather_word word;
    for (;;) {
        gather_tell(tracer.comm, tracer.rank, tracer.size, sizes, &word);
        switch ((enum verdict)word.verdict) {
        case FAILED:
            return false;
        case WRITTEN:
            return true;
        case WRITE_THERE:
            gather_agree(tracer.comm, tracer.rank, tracer.size, write_pieces(&word, pieces));
            break;
        case SEND:
            if (pieces->n > 0)
                gather_give(tracer.comm, pieces->data, pieces->n);
            break;
        }
    }
}

bool deliver(struct trace *t, const struct bytes *pieces, enum refrain_status own)
{
    struct gather_sizes sizes;
    const enum refrain_status status = gather_traces(tracer.comm, tracer.rank, tracer.size, t, own, &sizes);
    const bool written = tracer.rank == 0 ? deliver_all(t, pieces, &sizes, status) : follow(pieces, &sizes);
    trace_free(t);
    return written;
}
