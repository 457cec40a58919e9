/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock_sync.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"

static uint64_t monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* ---- this rank's clock and its node's -------------------------------------------------------- */

#define PAIRS_MAX 16
#define TRIES     8 /* of reading both clocks at once */

struct pair {
    uint64_t local, node, error;
};

/* Whoever stores has paused the threads, or is the only one. */
static struct pair pairs[PAIRS_MAX];
static size_t n_pairs;

static struct pair read_pair(void)
{
    struct pair best = {0};
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        const uint64_t before = clock_now();
        const uint64_t node = monotonic();
        const uint64_t after = clock_now();
        if (after >= before && after - before < narrowest) {
            narrowest = after - before;
            best = (struct pair){before + narrowest / 2, node, (narrowest + 1) / 2};
        }
    }
    return best;
}

/* Adds a pair behind the others; every other one makes room for it when there are too many. */
static void add_pair(struct pair p)
{
    const struct pair *last = n_pairs > 0 ? &pairs[n_pairs - 1] : NULL;
    if (last && (p.local <= last->local || p.node <= last->node))
        return;
    if (n_pairs == PAIRS_MAX) {
        size_t n = 1;
        for (size_t i = 2; i < n_pairs; i += 2)
            pairs[n++] = pairs[i];
        n_pairs = n;
    }
    pairs[n_pairs++] = p;
}

/* The moment from which on the counter is used is a pair, too: until then the clocks are one. */
static void note_pair(void)
{
    static bool learnt;
    if (!learnt && atomic_load(&clock_rate.known)) {
        learnt = true;
        add_pair((struct pair){clock_rate.ns, clock_rate.ns, 0});
    }
    add_pair(read_pair());
}

/* ---- this node's clock and rank 0's ---------------------------------------------------------- */

#define TAG       2
#define QUESTIONS 32

/* What rank 0's node showed is `ahead` of this node's clock, when that showed `at`. Sent as bytes. */
struct offset {
    uint64_t at;
    int64_t ahead;
    uint64_t error;
};

struct answer {
    uint64_t now; /* of the one who answers */
    struct offset offset;
};

static struct {
    MPI_Comm node, leaders; /* MPI_COMM_NULL: all are on one node; a rank that leads no node has no leaders */
    struct offset offsets[2]; /* at the beginning and at the end */
    int n;                    /* of them known */
} sync_state = {.node = MPI_COMM_NULL, .leaders = MPI_COMM_NULL};

/* Which system this is since it was booted, and which of its clocks: containers may have clocks of their own.
 */
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

static bool ask(int whom, struct offset *out)
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

static bool answer(int whom, const struct offset *mine)
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

/* Down a binomial tree, whose inner nodes know their own offset by the time that they are asked. */
static bool ask_and_answer(struct offset *mine)
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
    struct offset mine = {.at = monotonic()};
    if (sync_state.leaders != MPI_COMM_NULL && !ask_and_answer(&mine))
        return false;
    if (sync_state.node != MPI_COMM_NULL &&
        PMPI_Bcast(&mine, sizeof mine, MPI_BYTE, 0, sync_state.node) != MPI_SUCCESS)
        return false;
    sync_state.offsets[sync_state.n++] = mine;
    return true;
}

/* Communicators of each node, and of one rank of each; none if all are on rank 0's. */
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
    if (sync_state.n == 1 && !compare_nodes())
        log_error("the clocks of the ranks could not be compared");
    if (sync_state.leaders != MPI_COMM_NULL)
        PMPI_Comm_free(&sync_state.leaders);
    if (sync_state.node != MPI_COMM_NULL)
        PMPI_Comm_free(&sync_state.node);
}

/* ---- points ---------------------------------------------------------------------------------- */

/* This node's clock against rank 0's, at some time: on the line between beginning and end. */
static struct offset offset_at(uint64_t node)
{
    const struct offset *a = &sync_state.offsets[0], *b = &sync_state.offsets[1];
    if (sync_state.n == 0)
        return (struct offset){.error = CLOCK_UNKNOWN};
    if (sync_state.n == 1 || b->at <= a->at)
        return *a;
    const double part = ((double)node - (double)a->at) / (double)(b->at - a->at);
    return (struct offset){.ahead = a->ahead + (int64_t)((double)(b->ahead - a->ahead) * part),
                           .error = a->error > b->error ? a->error : b->error};
}

enum refrain_status clock_sync_store(uint32_t rank, struct trace *t)
{
    struct rank_clock c = {.rank = rank};
    if (n_pairs == 0)
        return REFRAIN_OK; /* it was not wanted */
    note_pair();
    if (!array_reserve(&c.points, n_pairs) || !array_reserve(&t->clocks, 1)) {
        array_free(&c.points);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n_pairs; i++) {
        const struct pair *p = &pairs[i];
        const struct offset o = offset_at(p->node);
        const int64_t ahead = (int64_t)(p->node - p->local) + o.ahead;
        const struct clock_point *last = c.points.n > 0 ? &c.points.items[c.points.n - 1] : NULL;
        if (!last || (int64_t)(p->local - last->local) + ahead > last->ahead)
            c.points.items[c.points.n++] = (struct clock_point){
                p->local, ahead, o.error == CLOCK_UNKNOWN ? CLOCK_UNKNOWN : o.error + p->error};
    }
    t->clocks.items[t->clocks.n++] = c;
    return REFRAIN_OK;
}
