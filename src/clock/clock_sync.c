/* SPDX-License-Identifier: BSD-3-Clause */
#define LOG_DOMAIN LOG_CLOCK
#include "clock_sync.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "clock_pairs.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"

static uint64_t monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* ---- this rank's clock and its node's -------------------------------------------------------- */

#define TRIES 8 /* attempts to read both clocks together */

/* A writer has paused the threads or is the only thread. */
static struct clock_pairs pairs;

static struct clock_pair read_pair(void)
{
    struct clock_pair best = {0};
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        const uint64_t before = clock_now();
        const uint64_t node = monotonic();
        const uint64_t after = clock_now();
        if (after >= before && after - before < narrowest) {
            narrowest = after - before;
            best = (struct clock_pair){before + narrowest / 2, node, (narrowest + 1) / 2};
        }
    }
    return best;
}

/* Note a pair of the rank's and the node's clock. Until the processor's counter is in use, both clocks are the same;
 * it may never be, and then the node's clock still differs from rank 0's. One pair stands for the first time taken,
 * and one for the moment when the counter took over. */
static void note_pair(void)
{
    static bool learnt;
    const bool known = atomic_load(&clock_rate.known);
    if (pairs.n == 0)
        clock_pairs_add(&pairs, (struct clock_pair){clock_rate.first, clock_rate.first, 0});
    if (known && !learnt)
        clock_pairs_add(&pairs, (struct clock_pair){clock_rate.ns, clock_rate.ns, clock_rate.error});
    learnt = known;
    const uint64_t now = monotonic();
    clock_pairs_add(&pairs, known ? read_pair() : (struct clock_pair){now, now, 0});
    log_debug("%s: %zu readings beside CLOCK_MONOTONIC", known ? "processor's counter" : "CLOCK_MONOTONIC",
              (size_t)pairs.n);
}

/* ---- this node's clock and rank 0's ---------------------------------------------------------- */

#define TAG       2
#define QUESTIONS 32

/* answer to a question, sent as bytes */
struct answer {
    uint64_t now; /* the answering rank's clock */
    struct clock_offset offset;
};

static struct {
    /* Both MPI_COMM_NULL if all ranks are on one node; `leaders` also on a rank that leads no node. */
    MPI_Comm node, leaders;
    struct clock_offsets offsets;
} sync_state = {.node = MPI_COMM_NULL, .leaders = MPI_COMM_NULL};

/* Identify the running system (its boot) and its clock: a container may have a time namespace of
 * its own. */
static uint64_t node_id(void)
{
    char boot[64] = "";
    struct stat clocks = {0};
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, boot, sizeof boot) : 0;
    uint64_t id = 0;
    if (fd >= 0)
        close(fd);
    for (ssize_t i = 0; i < n; i++)
        id = mix(id, (unsigned char)boot[i]);
    if (stat("/proc/self/ns/time", &clocks) == 0)
        id = mix(id, clocks.st_ino);
    return id;
}

struct clock_hello clock_sync_hello(bool wanted)
{
    return (struct clock_hello){node_id(), wanted};
}

static bool ask(int whom, struct clock_offset *out)
{
    uint64_t soonest = UINT64_MAX;
    for (int i = 0; i < QUESTIONS; i++) {
        struct answer a;
        const uint64_t asked = monotonic();
        if (PMPI_Send(NULL, 0, MPI_BYTE, whom, TAG, sync_state.leaders) != MPI_SUCCESS ||
            PMPI_Recv(&a, sizeof a, MPI_BYTE, whom, TAG, sync_state.leaders, MPI_STATUS_IGNORE) !=
                MPI_SUCCESS)
            return false;
        const uint64_t took = monotonic() - asked;
        if (took < soonest) {
            soonest = took;
            out->at = asked + took / 2;
            out->ahead = (int64_t)(a.now - out->at) + a.offset.ahead;
            out->error = took / 2 + a.offset.error;
        }
    }
    return true;
}

static bool answer(int whom, const struct clock_offset *mine)
{
    for (int i = 0; i < QUESTIONS; i++) {
        if (PMPI_Recv(NULL, 0, MPI_BYTE, whom, TAG, sync_state.leaders, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return false;
        const struct answer a = {monotonic(), *mine};
        if (PMPI_Send(&a, sizeof a, MPI_BYTE, whom, TAG, sync_state.leaders) != MPI_SUCCESS)
            return false;
    }
    return true;
}

/* Offsets go down a binomial tree: an inner node knows its own offset before others ask it. */
static bool ask_and_answer(struct clock_offset *mine)
{
    int rank, size, step = 1;
    if (PMPI_Comm_rank(sync_state.leaders, &rank) != MPI_SUCCESS ||
        PMPI_Comm_size(sync_state.leaders, &size) != MPI_SUCCESS)
        return false;
    while (step < size && !(rank & step))
        step *= 2;
    if (rank > 0 && !ask(rank - step, mine))
        return false;
    while ((step /= 2) > 0)
        if (rank + step < size && !answer(rank + step, mine))
            return false;
    return true;
}

static bool compare_nodes(void)
{
    struct clock_offset mine = {.at = monotonic()};
    if (sync_state.leaders != MPI_COMM_NULL && !ask_and_answer(&mine))
        return false;
    if (sync_state.node != MPI_COMM_NULL &&
        PMPI_Bcast(&mine, sizeof mine, MPI_BYTE, 0, sync_state.node) != MPI_SUCCESS)
        return false;
    sync_state.offsets.items[sync_state.offsets.n++] = mine;
    log_debug("rank 0's clock is %lld ns ahead of this node's, with an error of at most %llu ns",
              (long long)mine.ahead, (unsigned long long)mine.error);
    return true;
}

/* Create a communicator for each node, and one of the nodes' first ranks; none if all ranks are on
 * rank 0's node. */
static bool find_nodes(MPI_Comm comm, const struct clock_hello *hello)
{
    int rank, on_node, all = 0;
    const uint64_t id = node_id();
    const int same = id == hello->node;
    if (PMPI_Allreduce(&same, &all, 1, MPI_INT, MPI_LAND, comm) != MPI_SUCCESS)
        return false;
    if (all)
        return true;
    return PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS &&
           PMPI_Comm_split(comm, (int)(id & INT32_MAX), rank, &sync_state.node) == MPI_SUCCESS &&
           PMPI_Comm_rank(sync_state.node, &on_node) == MPI_SUCCESS &&
           PMPI_Comm_split(comm, on_node == 0 ? 0 : MPI_UNDEFINED, rank, &sync_state.leaders) == MPI_SUCCESS;
}

void clock_sync_start(MPI_Comm comm, const struct clock_hello *hello)
{
    if (!hello->wanted)
        return;
    note_pair();
    if (!find_nodes(comm, hello) || !compare_nodes())
        log_error("the clocks of the ranks could not be compared");
}

void clock_sync_start_alone(bool wanted)
{
    if (wanted)
        note_pair();
}

void clock_sync_finish(void)
{
    if (sync_state.offsets.n == 1 && !compare_nodes())
        log_error("the clocks of the ranks could not be compared");
    if (sync_state.leaders != MPI_COMM_NULL)
        PMPI_Comm_free(&sync_state.leaders);
    if (sync_state.node != MPI_COMM_NULL)
        PMPI_Comm_free(&sync_state.node);
}

/* ---- points ---------------------------------------------------------------------------------- */

enum refrain_status clock_sync_store(uint32_t rank, struct trace *t)
{
    struct rank_clock c = {.rank = rank};
    if (pairs.n == 0)
        return REFRAIN_OK; /* the user wants no times of single calls */
    note_pair();
    const enum refrain_status status = clock_pairs_points(&pairs, &sync_state.offsets, &c);
    if (status != REFRAIN_OK || !array_push(&t->clocks, c)) {
        array_free(&c.points);
        return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}
