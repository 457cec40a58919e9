/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Millions of live blocks that several threads create, move and free. The symbols must be right: a
 * block has one number as long as it lives, no other live block has it, and offsets are offsets. */
#include "expect.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3, BLOCKS = 800000, STEPS = 400000, USED = 200 };

static size_t random_size(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    const unsigned r = (unsigned)(*state >> 40);
    return r % 5000 == 0 ? 70000 + r % 100000 : 1 + r % 60;
}

static char **blocks[THREADS];
static size_t *sizes[THREADS];

static void *churn(void *number)
{
    const intptr_t t = (intptr_t)number;
    uint64_t state = (uint64_t)t + 1;
    for (int i = 0; i < BLOCKS; i++)
        blocks[t][i] = malloc(sizes[t][i] = random_size(&state));
    for (int i = 0; i < STEPS; i++) {
        const size_t n = random_size(&state), at = (size_t)(state >> 33) % BLOCKS;
        if (i % 3 == 0) {
            blocks[t][at] = realloc(blocks[t][at], n);
        } else {
            free(blocks[t][at]);
            blocks[t][at] = malloc(n);
        }
        sizes[t][at] = n;
    }
    return NULL;
}

/* Uses some blocks of each thread; the first use gives a free number. */
static void use(void)
{
    for (int i = 0; i < USED; i++) {
        const int t = i % THREADS, at = i * (BLOCKS / USED);
        const size_t inside = sizes[t][at] - 1;
        MPI_Bcast(blocks[t][at] + inside, 0, MPI_BYTE, 0, MPI_COMM_WORLD);
        if (inside)
            OK("MPI_Bcast(buffer=heap%d+%zu, count=0, datatype=MPI_BYTE, root=0, " WORLD ")", i, inside);
        else
            OK("MPI_Bcast(buffer=heap%d, count=0, datatype=MPI_BYTE, root=0, " WORLD ")", i);
    }
}

static void free_used(void)
{
    for (int i = 0; i < USED; i++) {
        const int t = i % THREADS, at = i * (BLOCKS / USED);
        free(blocks[t][at]);
        blocks[t][at] = malloc(sizes[t][at]);
    }
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    expect_start(&argc, &argv);
    for (int t = 0; t < THREADS; t++) {
        blocks[t] = malloc(BLOCKS * sizeof *blocks[t]);
        sizes[t] = malloc(BLOCKS * sizeof *sizes[t]);
    }
    for (int t = 0; t < THREADS; t++) {
        if (pthread_create(&threads[t], NULL, churn, (void *)(intptr_t)t) != 0)
            abort();
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    use();
    use();
    free_used();
    use();
    return expect_end();
}
