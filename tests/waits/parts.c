/* SPDX-License-Identifier: BSD-3-Clause */
/* A program whose efficiencies are known by construction, part by part. Ranks compute by sleeping. In each
 * turn
 *
 *     uneven     rank r computes r + 1 naps                              load balance (n + 1) / 2n
 *     chain      one rank computes after the other                       serialization 1 / n
 *     transfer   all compute a nap, and are in a local call as long      transfer 1 / 2
 *
 * The three parts are phases, since all ranks meet at their ends, and regions in the region "step". All ranks
 * compute before the first turn. The file of the first argument gets the efficiencies that follow from the
 * times that were really slept and spent:
 *
 *     name parallel load_balance communication serialization transfer */
#include <mpi.h>
#include <refrain.h>
#include <stdio.h>
#include <time.h>

#define NAP   0.02 /* in seconds */
#define WORLD MPI_COMM_WORLD

enum { TURNS = 6, RANKS_MOST = 16 };
enum part { WARM_UP, UNEVEN, CHAIN, TRANSFER, PARTS };

/* Seconds of a rank in a part, turn by turn. */
struct times {
    double computed[PARTS][TURNS], spent[PARTS][TURNS];
};

static int rank, number, token;
static struct times own, all[RANKS_MOST];
static double begin;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void sleep_for(double seconds)
{
    const struct timespec t = {.tv_nsec = (long)(seconds * 1e9)};
    nanosleep(&t, NULL);
}

static void compute(enum part part, int turn, int naps)
{
    const double from = now();
    sleep_for(naps * NAP);
    own.computed[part][turn] += now() - from;
}

/* The part ends, and the next one begins. */
static void end(enum part part, int turn)
{
    own.spent[part][turn] = now() - begin;
    begin = now();
}

/* The operator of a reduction that is a local call. */
static void slow_sum(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((const int *)in)[i];
    sleep_for(NAP);
}

static void uneven(int turn)
{
    refrain_region_begin("uneven");
    compute(UNEVEN, turn, rank + 1);
    MPI_Barrier(WORLD); /* ends: uneven */
    refrain_region_end("uneven");
    end(UNEVEN, turn);
}

static void chain(int turn)
{
    refrain_region_begin("chain");
    if (rank > 0)
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, WORLD, MPI_STATUS_IGNORE);
    compute(CHAIN, turn, 1);
    if (rank + 1 < number)
        MPI_Send(&token, 1, MPI_INT, rank + 1, 0, WORLD);
    MPI_Barrier(WORLD); /* ends: chain */
    refrain_region_end("chain");
    end(CHAIN, turn);
}

static void transfer(int turn, MPI_Op op)
{
    const int one = 1;
    refrain_region_begin("transfer");
    compute(TRANSFER, turn, 1);
    MPI_Reduce_local(&one, &token, 1, MPI_INT, op);
    MPI_Barrier(WORLD); /* ends: transfer */
    refrain_region_end("transfer");
    end(TRANSFER, turn);
}

/* ---- what follows ------------------------------------------------------------------------------ */

/* Without transfer, a turn takes as long as all ranks compute in the chain, and as the last rank computes
 * elsewhere. */
static double ideal_of(enum part part, int turn)
{
    double sum = 0, most = 0;
    for (int i = 0; i < number; i++) {
        const double computed = all[i].computed[part][turn];
        sum += computed;
        most = computed > most ? computed : most;
    }
    return part == CHAIN ? sum : most;
}

static void say(FILE *out, const char *name, enum part first, enum part last)
{
    double sum = 0, most = 0, longest = 0, ideal = 0;
    for (int i = 0; i < number; i++) {
        double computed = 0, spent = 0;
        for (enum part part = first; part <= last; part++) {
            for (int turn = 0; turn < TURNS; turn++) {
                computed += all[i].computed[part][turn];
                spent += all[i].spent[part][turn];
                ideal += i == 0 ? ideal_of(part, turn) : 0;
            }
        }
        sum += computed;
        most = computed > most ? computed : most;
        longest = spent > longest ? spent : longest;
    }
    const double mean = sum / number;
    fprintf(out, "%s %f %f %f %f %f\n", name, mean / longest, mean / most, most / longest, most / ideal,
            ideal / longest);
}

static int say_all(const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return 1;
    say(out, "warm-up", WARM_UP, WARM_UP);
    say(out, "uneven", UNEVEN, UNEVEN);
    say(out, "chain", CHAIN, CHAIN);
    say(out, "transfer", TRANSFER, TRANSFER);
    say(out, "step", UNEVEN, TRANSFER);
    return fclose(out) != 0;
}

int main(int argc, char **argv)
{
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &number);
    if (argc != 2 || number > RANKS_MOST)
        MPI_Abort(WORLD, 2);
    MPI_Op_create(slow_sum, 1, &op);
    PMPI_Barrier(WORLD); /* calls of PMPI_ are not recorded */
    begin = now();
    compute(WARM_UP, 0, 3);
    MPI_Bcast(&token, 1, MPI_INT, 0, WORLD); /* ends: warm-up */
    end(WARM_UP, 0);
    for (int turn = 0; turn < TURNS; turn++) {
        refrain_region_begin("step");
        uneven(turn);
        chain(turn);
        transfer(turn, op);
        refrain_region_end("step");
    }
    PMPI_Gather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, 0, WORLD);
    if (rank == 0 && say_all(argv[1]) != 0)
        MPI_Abort(WORLD, 1);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
