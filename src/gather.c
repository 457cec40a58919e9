#include "gather.h"

#include <stdlib.h>

#include "codec.h"
#include "log.h"
#include "merge.h"

#define TAG         1
#define CHUNK_BYTES (1 << 30) /* of one message: MPI counts in ints */

static enum refrain_status failed(const char *what)
{
    log_error("%s failed while traces were being merged", what);
    return REFRAIN_ERR_MPI;
}

/* ---- messages: length, answer (1: go on), then the bytes
 * --------------------------------------------------- */

static enum refrain_status send_bytes(MPI_Comm comm, int to, const struct bytes *b)
{
    uint64_t n = b->n;
    unsigned char go = 0;
    if (PMPI_Send(&n, sizeof n, MPI_BYTE, to, TAG, comm) != MPI_SUCCESS)
        return failed("MPI_Send");
    if (n == 0)
        return REFRAIN_OK;
    if (PMPI_Recv(&go, 1, MPI_BYTE, to, TAG, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return failed("MPI_Recv");
    for (size_t done = 0; go && done < n;) {
        const size_t chunk = n - done < CHUNK_BYTES ? n - done : CHUNK_BYTES;
        if (PMPI_Send(b->data + done, (int)chunk, MPI_BYTE, to, TAG, comm) != MPI_SUCCESS)
            return failed("MPI_Send");
        done += chunk;
    }
    return REFRAIN_OK;
}

/* `wanted`: otherwise the bytes are declined. Success with an empty result when there are none. */
static enum refrain_status receive_bytes(MPI_Comm comm, int from, bool wanted, struct bytes *out)
{
    uint64_t n = 0;
    *out = (struct bytes){0};
    if (PMPI_Recv(&n, sizeof n, MPI_BYTE, from, TAG, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return failed("MPI_Recv");
    if (n == 0)
        return REFRAIN_OK;
    uint8_t *data = wanted ? malloc(n) : NULL;
    const unsigned char go = data != NULL;
    if (PMPI_Send(&go, 1, MPI_BYTE, from, TAG, comm) != MPI_SUCCESS) {
        free(data);
        return failed("MPI_Send");
    }
    if (wanted && !data)
        log_error("no memory for the %llu bytes of rank %d", (unsigned long long)n, from);
    for (size_t done = 0; data && done < n;) {
        const size_t chunk = n - done < CHUNK_BYTES ? n - done : CHUNK_BYTES;
        if (PMPI_Recv(data + done, (int)chunk, MPI_BYTE, from, TAG, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
            free(data);
            return failed("MPI_Recv");
        }
        done += chunk;
    }
    if (data)
        *out = (struct bytes){.data = data, .n = n, .cap = n};
    return data || !wanted ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* ---- the tree -------------------------------------------------------------------------------------------
 */

static enum refrain_status take(MPI_Comm comm, int from, struct trace *t, enum refrain_status status)
{
    struct bytes b;
    struct trace theirs = {0};
    enum refrain_status received = receive_bytes(comm, from, !status, &b);
    if (status || received)
        goto end;
    status = REFRAIN_ERR_CHECK; /* that rank has said why */
    if (b.n > 0)
        status = codec_decode("the trace of another rank", b.data, b.n, &theirs, NULL);
    if (!status)
        status = merge_traces(t, &theirs);
    trace_free(&theirs);
end:
    bytes_free(&b);
    return status ? status : received;
}

static void give(MPI_Comm comm, int to, const struct trace *t, enum refrain_status status)
{
    struct bytes b = {0};
    if (!status)
        status = codec_encode(t, 0, &b);
    if (status)
        b.n = 0;
    send_bytes(comm, to, &b);
    bytes_free(&b);
}

enum refrain_status gather_traces(MPI_Comm comm, int rank, int size, struct trace *t, enum refrain_status own)
{
    enum refrain_status status = own;
    for (int step = 1; step < size; step *= 2) {
        if (rank & step) {
            give(comm, rank - step, t, status);
            return status;
        }
        if (rank + step < size)
            status = take(comm, rank + step, t, status);
    }
    return status;
}
