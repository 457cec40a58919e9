/* SPDX-License-Identifier: BSD-3-Clause */
#define LOG_DOMAIN LOG_MERGE
#include "gather.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/core/base/log.h"
#include "src/core/codec/codec.h"
#include "src/core/merge/merge.h"

#define TAG         1
#define CHUNK_BYTES (1 << 30) /* most bytes of one message, because MPI counts in ints */

static enum refrain_status failed(const char *what)
{
    log_error("%s failed while traces were being merged", what);
    return REFRAIN_ERR_MPI;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Poll LOOKS times, then sleep with growing intervals: the other rank must merge first, and may share this
 * core. */
enum { LOOKS = 20, NAP_LEAST = 20000, NAP_MOST = 1000000 /* nanoseconds */ };

static enum refrain_status wait_for(MPI_Request *request)
{
    long nap = NAP_LEAST;
    for (int looks = 0, done = 0;; looks++) {
        if (PMPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return failed("MPI_Test");
        if (done)
            return REFRAIN_OK;
        if (looks < LOOKS)
            continue;
        nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
        nap = 2 * nap < NAP_MOST ? 2 * nap : NAP_MOST;
    }
}

void gather_meet(MPI_Comm comm)
{
    MPI_Request request;
    if (PMPI_Ibarrier(comm, &request) != MPI_SUCCESS)
        failed("MPI_Ibarrier");
    else
        wait_for(&request);
}

/* Receive up to n bytes, and wait for the sender. */
static enum refrain_status await(MPI_Comm comm, int from, void *to, int n)
{
    MPI_Request request;
    if (PMPI_Irecv(to, n, MPI_BYTE, from, TAG, comm, &request) != MPI_SUCCESS)
        return failed("MPI_Irecv");
    return wait_for(&request);
}

/* Send n bytes, and wait until they may be changed. */
static enum refrain_status offer(MPI_Comm comm, int to, const void *data, int n)
{
    MPI_Request request;
    if (PMPI_Isend(data, n, MPI_BYTE, to, TAG, comm, &request) != MPI_SUCCESS)
        return failed("MPI_Isend");
    return wait_for(&request);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* The messages from one rank to its parent in the tree:
 *
 *     length of the trace, its first bytes ──>
 *                                          <── answer (1: go on)          only if there are more
 *     the other bytes, in chunks           ──>                            and the answer is 1 */

#define LENGTH_BYTES sizeof(uint64_t)
#define FIRST_BYTES  (1 << 14) /* size of the first message; a regular program's trace is shorter */

/* Send the bytes in chunks; the receiver waits for them. */
static enum refrain_status send_chunks(MPI_Comm comm, int to, const uint8_t *data, uint64_t n)
{
    for (uint64_t done = 0; done < n;) {
        const uint64_t chunk = n - done < CHUNK_BYTES ? n - done : CHUNK_BYTES;
        if (PMPI_Send(data + done, (int)chunk, MPI_BYTE, to, TAG, comm) != MPI_SUCCESS)
            return failed("MPI_Send");
        done += chunk;
    }
    return REFRAIN_OK;
}

/* Answer whether the chunks are wanted (`to` is not NULL), and receive them if so. */
static enum refrain_status receive_chunks(MPI_Comm comm, int from, uint8_t *to, uint64_t n)
{
    const unsigned char go = to != NULL;
    if (PMPI_Send(&go, 1, MPI_BYTE, from, TAG, comm) != MPI_SUCCESS)
        return failed("MPI_Send");
    for (uint64_t done = 0; to && done < n;) {
        const uint64_t chunk = n - done < CHUNK_BYTES ? n - done : CHUNK_BYTES;
        if (PMPI_Recv(to + done, (int)chunk, MPI_BYTE, from, TAG, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return failed("MPI_Recv");
        done += chunk;
    }
    return REFRAIN_OK;
}

/* Send a trace; b begins with LENGTH_BYTES bytes for the length. */
static enum refrain_status send_trace(MPI_Comm comm, int to, const struct bytes *b)
{
    const uint64_t n = b->n - LENGTH_BYTES;
    const size_t first = b->n < FIRST_BYTES ? b->n : FIRST_BYTES;
    unsigned char go = first < b->n;
    memcpy(b->data, &n, sizeof n);
    enum refrain_status status = offer(comm, to, b->data, (int)first);
    if (go && !status)
        status = await(comm, to, &go, 1);
    if (go && !status)
        status = send_chunks(comm, to, b->data + first, b->n - first);
    return status;
}

/* Receive a trace: its *n bytes are at *image, in `first` or in *more, which the caller frees. *n is 0 if
 * there is no trace. If `wanted` is false, a long trace is declined. */
static enum refrain_status receive_trace(MPI_Comm comm, int from, bool wanted, uint8_t *first, uint8_t **more,
                                         const uint8_t **image, uint64_t *n)
{
    const uint64_t here = FIRST_BYTES - LENGTH_BYTES;
    *more = NULL;
    *image = first + LENGTH_BYTES;
    enum refrain_status status = await(comm, from, first, FIRST_BYTES);
    if (status)
        return status;
    memcpy(n, first, sizeof *n);
    if (*n <= here)
        return REFRAIN_OK;
    uint8_t *all = wanted ? malloc(*n) : NULL;
    if (all)
        memcpy(all, *image, here);
    status = receive_chunks(comm, from, all ? all + here : NULL, *n - here);
    if (!status && wanted && !all) {
        log_error("no memory for the %llu bytes of rank %d", (unsigned long long)*n, from);
        status = REFRAIN_ERR_MEMORY;
    }
    *image = *more = all;
    return status;
}

/* ---- the tree -------------------------------------------------------------------------------- */

static enum refrain_status take(MPI_Comm comm, int from, struct trace *t, enum refrain_status status)
{
    static uint8_t first[FIRST_BYTES];
    const uint8_t *image;
    uint8_t *more;
    uint64_t n;
    struct trace theirs = {0};
    const enum refrain_status received = receive_trace(comm, from, !status, first, &more, &image, &n);
    if (status || received)
        goto end;
    log_debug("%llu bytes from rank %d", (unsigned long long)n, from);
    status = REFRAIN_ERR_CHECK; /* that rank has logged the reason */
    if (n > 0)
        status = codec_decode("the trace of another rank", image, n, &theirs, NULL);
    if (!status)
        status = merge_traces(t, &theirs);
    trace_free(&theirs);
end:
    free(more);
    return status ? status : received;
}

/* Send the trace uncompressed: sending the bytes is faster than compressing them. */
static void give(MPI_Comm comm, int to, const struct trace *t, enum refrain_status status)
{
    uint8_t nothing[LENGTH_BYTES] = {0};
    struct bytes b = {0};
    bytes_put(&b, nothing, sizeof nothing);
    if (!status)
        status = codec_encode(t, CODEC_STORED | CODEC_APART, &b);
    if (status || b.failed)
        send_trace(comm, to, &(struct bytes){.data = nothing, .n = sizeof nothing});
    else
        send_trace(comm, to, &b);
    log_debug("%zu bytes to rank %d", b.n, to);
    bytes_free(&b);
}

enum refrain_status gather_traces(MPI_Comm comm, int rank, int size, struct trace *t, enum refrain_status own)
{
    assert(rank >= 0 && rank < size);
    enum refrain_status status = own;
    for (int i = 0; 1 << i < size; i++) {
        const int step = 1 << i;
        if (rank & step) {
            give(comm, rank - step, t, status);
            return status;
        }
        if (rank + step < size)
            status = take(comm, rank + step, t, status);
    }
    return status;
}

/* ---- down again, and up ---------------------------------------------------------------------- */

/* The rank's place in the tree: its children are rank + 2^i for i below this, its parent is rank - 2^i. */
static int height_of(int rank, int size)
{
    int i = 0;
    while (1 << i < size && !(rank & 1 << i))
        i++;
    return i;
}

/* An index is sent in messages of this size, so that a rank without enough memory for it can still receive
 * (and drop) it. */
#define INDEX_BYTES FIRST_BYTES

/* Send the word to rank `first`, with the part of the index for ranks first … end - 1. */
static enum refrain_status pass_on(MPI_Comm comm, int first, int end, struct gather_word word,
                                   const struct annex *index)
{
    struct annex theirs;
    struct bytes encoded = {0};
    enum refrain_status status = annex_slice(index, (uint32_t)first, (uint32_t)end, &theirs);
    for (size_t i = 0; i < index->pieces.n && index->pieces.items[i].rank < (uint32_t)first; i++)
        word.at += index->pieces.items[i].length;
    if (!status)
        annex_encode(&theirs, &encoded);
    if (encoded.failed)
        status = REFRAIN_ERR_MEMORY;
    word.whole = word.whole && !status;
    word.index = status ? 0 : encoded.n;
    const size_t n = offsetof(struct gather_word, path) + strlen(word.path) + 1;
    const enum refrain_status sent = offer(comm, first, &word, (int)n);
    for (uint64_t done = 0; !sent && done < word.index; done += INDEX_BYTES) {
        const uint64_t left = word.index - done;
        offer(comm, first, encoded.data + done, (int)(left < INDEX_BYTES ? left : INDEX_BYTES));
    }
    bytes_free(&encoded);
    annex_free(&theirs);
    return status ? status : sent;
}

static enum refrain_status hear(MPI_Comm comm, int from, struct gather_word *word, struct annex *index)
{
    uint8_t spare[INDEX_BYTES];
    enum refrain_status status = await(comm, from, word, sizeof *word);
    if (status) {
        *word = (struct gather_word){0};
        return status;
    }
    uint8_t *encoded = word->index > 0 ? malloc(word->index) : NULL;
    for (uint64_t done = 0; !status && done < word->index; done += INDEX_BYTES) {
        const uint64_t left = word->index - done;
        status = await(comm, from, encoded ? encoded + done : spare,
                       (int)(left < INDEX_BYTES ? left : INDEX_BYTES));
    }
    if (!status && encoded) {
        struct bytes_reader in = bytes_reader_of(encoded, word->index);
        status = annex_decode(&in, index);
    } else if (!status && word->index > 0) {
        log_error("no memory for %llu bytes of an index", (unsigned long long)word->index);
        status = REFRAIN_ERR_MEMORY;
    }
    free(encoded);
    word->whole = word->whole && !status;
    return status;
}

bool gather_tell(MPI_Comm comm, int rank, int size, struct gather_word *word, struct annex *index)
{
    assert(rank >= 0 && rank < size);
    int i = height_of(rank, size);
    word->whole = true;
    if (rank > 0) {
        *index = (struct annex){0};
        hear(comm, rank - (1 << i), word, index);
    }
    bool whole = word->whole;
    while (i-- > 0) {
        const int first = rank + (1 << i);
        if (first < size && pass_on(comm, first, first + (1 << i), *word, index))
            whole = false;
    }
    return whole;
}

bool gather_agree(MPI_Comm comm, int rank, int size, bool yes)
{
    assert(rank >= 0 && rank < size);
    const int height = height_of(rank, size);
    unsigned char all = yes, theirs = 0;
    for (int i = 0; i < height; i++) {
        if (rank + (1 << i) < size)
            all = !await(comm, rank + (1 << i), &theirs, 1) && theirs && all;
    }
    if (rank > 0)
        offer(comm, rank - (1 << height), &all, 1);
    return all;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

enum refrain_status gather_give(MPI_Comm comm, const void *data, uint64_t n)
{
    unsigned char go = 0;
    const enum refrain_status status = await(comm, 0, &go, 1);
    return status || !go ? status : send_chunks(comm, 0, data, n);
}

enum refrain_status gather_take(MPI_Comm comm, int from, uint64_t n, bool wanted, uint8_t **data)
{
    assert(from > 0);
    uint8_t *to = wanted ? malloc(n) : NULL;
    enum refrain_status status = receive_chunks(comm, from, to, n);
    if (!status && wanted && !to) {
        log_error("no memory for the %llu bytes of rank %d", (unsigned long long)n, from);
        status = REFRAIN_ERR_MEMORY;
    }
    if (status || !wanted) {
        free(to);
        to = NULL;
    }
    *data = to;
    return status;
}
