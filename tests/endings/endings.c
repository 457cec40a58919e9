/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that ends in the way its first argument names. Rank 1 ends (or every rank, if `all` is
 * set) while the others wait for a message that never comes. Each rank counts the MPI calls that it
 * enters, and writes the number to the file COUNTS.RANK when it will make no more.
 *
 *     endings ENDING COUNTS */
#include <mpi.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define ROUNDS 200

static int rank, size, made;
static MPI_Comm early_comm; /* created while errors were fatal; used in "returned-finalize" */
static MPI_Win early_win;
static const char *counts;

#ifdef THREAD_BYTES
_Thread_local volatile char of_each_thread[THREAD_BYTES];
#endif

/* Counts the call, then makes it. */
#define CALL(call) (made++, (call))

static void tell(void)
{
    char path[4096], line[32];
    snprintf(path, sizeof path, "%s.%d", counts, rank);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int n = snprintf(line, sizeof line, "%d\n", made);
    if (fd < 0 || write(fd, line, (size_t)n) != n || close(fd) != 0)
        _exit(99);
}

static void work(int rounds)
{
    int in, out = rank;
    for (int i = 0; i < rounds; i++) {
        CALL(MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, i % 3, &in, 1, MPI_INT,
                          (rank + size - 1) % size, i % 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CALL(MPI_Barrier(MPI_COMM_WORLD));
    }
}

/* ---- ways to end ----------------------------------------------------------------------------- */

static void wait_for_ever(void)
{
    int message;
    made++;
    tell();
    MPI_Recv(&message, 1, MPI_INT, (rank + 1) % size, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void end_abort(void)
{
    made++;
    tell();
    MPI_Abort(MPI_COMM_WORLD, -1); /* not an error code of the library */
}

static void end_error(void)
{
    int message = 0;
    made++;
    tell();
    MPI_Send(&message, 1, MPI_INT, size + 70, 0, MPI_COMM_WORLD);
}

static void end_exit(void)
{
    tell();
    exit(5);
}

static void end_finalize(void)
{
    CALL(MPI_Finalize());
    tell();
    exit(0);
}

static void end_underscore_exit(void)
{
    tell();
    _exit(7);
}

static void end_capital_exit(void)
{
    tell();
    _Exit(8);
}

static void end_quick_exit(void)
{
    tell();
    quick_exit(9);
}

/* Only a child that shares the program's memory ends. */
static void end_vfork_finalize(void)
{
    const pid_t child = vfork();
    if (child == 0)
        _exit(3);
    if (child < 0)
        _exit(95);
    work(10);
    end_finalize();
}

static void end_return(void)
{
    tell(); /* main returns 6 */
}

static volatile int zero;
static int *volatile nowhere;

static void end_segv(void)
{
    tell();
    *nowhere = 1;
}

static void end_fpe(void)
{
    tell();
    zero = made / zero;
}

static void end_ill(void)
{
    tell();
    __builtin_trap();
}

static void end_bus(void)
{
    tell();
    raise(SIGBUS);
}

static void end_abrt(void)
{
    tell();
    abort();
}

/* Damages the heap; the C library notices while it holds its lock. */
static void end_heap(void)
{
    char *volatile block = malloc(64);
    tell();
    free(block);
    free(block);
    abort();
}

static int deep(volatile char *outer)
{
    volatile char inner[4096];
    inner[0] = outer[0];
    return deep(inner) + inner[1];
}

static void end_stack(void)
{
    volatile char first[1] = {0};
    tell();
    made = deep(first);
}

static void end_term(void)
{
    tell();
    raise(SIGTERM);
}

static void end_int(void)
{
    tell();
    raise(SIGINT);
}

static void end_kill(void)
{
    tell();
    raise(SIGKILL);
}

/* Ends long after the last call that could have made a checkpoint. */
static void end_late_kill(void)
{
    tell();
    sleep(2);
    raise(SIGKILL);
}

/* The program's own handler remains in use; this one ends the program. */
static void own_handler(int number)
{
    _exit(40 + number);
}

static void end_handler(void)
{
    tell();
    raise(SIGTERM);
}

/* Errors that are returned or go to a handler of the program do not end it. */
static void count_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    zero++;
}

static void end_threads_finalize(void)
{
    int message = 0;
    MPI_Errhandler handler;
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CALL(MPI_Send(&message, 1, MPI_INT, size + 70, 0, MPI_COMM_WORLD));
    CALL(MPI_Comm_create_errhandler(count_error, &handler));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CALL(MPI_Errhandler_free(&handler));
    CALL(MPI_Send(&message, 1, MPI_INT, size + 70, 0, MPI_COMM_WORLD));
    if (zero != 1)
        _exit(98);
    end_finalize();
}

/* Errors that are returned, although the program did not ask for this for the object on which they
 * happen: in MPICH, an object without a handler uses that of MPI_COMM_WORLD at the time, and for
 * null objects this is so everywhere. The library must be the one to notice a null pointer, not a
 * tracer that reads through it. */
static void end_returned_finalize(void)
{
    int x = 0, failed = 0;
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
#ifdef MPICH_VERSION
    int key, calls = 6;
    failed += CALL(MPI_Send(&x, 1, MPI_INT, size + 70, 0, early_comm)) != MPI_SUCCESS;
    failed += CALL(MPI_Comm_rank(early_comm, NULL)) != MPI_SUCCESS;
    failed += CALL(MPI_Put(&x, 1, MPI_INT, size + 70, 0, 1, MPI_INT, early_win)) != MPI_SUCCESS;
    CALL(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL));
    failed += CALL(MPI_Comm_set_attr(early_comm, key, &x)) != MPI_SUCCESS;
    failed += CALL(MPI_Win_set_attr(early_win, MPI_TAG_UB, &x)) != MPI_SUCCESS;
    failed += CALL(MPI_Abort(MPI_COMM_NULL, 3)) != MPI_SUCCESS;
#else
    int calls = 0;
#endif
    calls += 4;
    failed += CALL(MPI_Comm_rank(MPI_COMM_NULL, &x)) != MPI_SUCCESS;
    failed += CALL(MPI_Type_free_keyval(NULL)) != MPI_SUCCESS;
    failed += CALL(MPI_Cancel(NULL)) != MPI_SUCCESS;
    failed += CALL(MPI_Pack(&x, 1, MPI_INT, &x, 4, NULL, MPI_COMM_WORLD)) != MPI_SUCCESS;
    if (failed != calls)
        _exit(96);
    CALL(MPI_Win_free(&early_win));
    CALL(MPI_Comm_free(&early_comm));
    work(10);
    end_finalize();
}

/* A library's handler lets the program continue (run.sh adds one). */
static void end_survived_finalize(void)
{
    for (int i = 0; i < 3; i++) {
        raise(SIGTERM);
        work(10);
    }
    end_finalize();
}

/* Then it is killed: its last checkpoint must not say that the signal ended it. */
static void end_survived_kill(void)
{
    raise(SIGTERM);
    CALL(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    end_late_kill();
}

/* A library's handler ends the program, and an exit handler calls MPI: the signal counts as the
 * end. */
static void call_again(void)
{
    CALL(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    tell();
}

static void end_int_exits(void)
{
    if (atexit(call_again) != 0)
        _exit(94);
    raise(SIGINT);
}

/* The signal goes to a thread that survives it and never calls MPI again. */
static atomic_bool ready;

static void *wait_for_signals(void *unused)
{
    int own;
    CALL(MPI_Comm_rank(MPI_COMM_WORLD, &own));
    atomic_store(&ready, true);
    for (;;)
        pause();
    return unused;
}

static void end_other_survived_kill(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_signals, NULL) != 0)
        _exit(93);
    while (!atomic_load(&ready))
        usleep(1000);
    pthread_kill(thread, SIGTERM);
    for (int i = 0; i < 7; i++) {
        sleep(1);
        CALL(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    }
    end_late_kill();
}

/* A fault occurs while the part is written (run.sh causes it); nothing else ends the program. */
static void end_fault_finalize(void)
{
    setenv("FAULT", "1", 1);
    raise(SIGTERM);
    unsetenv("FAULT");
    work(10);
    end_finalize();
}

/* Files must not become as large as the trace: a problem of the tracer, not of the program. */
static void end_limit_finalize(void)
{
    tell();
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){64, 64});
    MPI_Finalize();
    exit(0);
}

static void end_limit_0_finalize(void)
{
    if (rank == 0)
        end_limit_finalize();
    tell();
    MPI_Finalize();
    exit(0);
}

/* Uses a signal stack of the former, small size. Handlers must not touch the memory below it. */
static void end_small_stack(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), small = 8192;
    char *memory = mmap(NULL, page + small, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) != 0 ||
        sigaltstack(&(stack_t){.ss_sp = memory + page, .ss_size = small}, NULL) != 0)
        _exit(97);
    end_segv();
}

/* Allocates some 200 MB a second until a limit is reached. */
static void end_grow(void)
{
    const size_t block = (size_t)4 << 20;
    char *memory;
    tell();
    while ((memory = malloc(block))) {
        memset(memory, 1, block);
        usleep(20000);
    }
    abort();
}

static const struct {
    const char *name;
    void (*end)(void);
    int all; /* every rank does it; otherwise rank 1 */
} endings[] = {
    {"finalize", end_finalize, 1},
    {"abort", end_abort, 0},
    {"error", end_error, 0},
    {"exit", end_exit, 0},
    {"exit-all", end_exit, 1},
    {"_exit", end_underscore_exit, 0},
    {"_exit-all", end_underscore_exit, 1},
    {"_Exit", end_capital_exit, 0},
    {"quick_exit", end_quick_exit, 0},
    {"vfork-finalize", end_vfork_finalize, 1},
    {"return", end_return, 0},
    {"return-all", end_return, 1},
    {"segv", end_segv, 0},
    {"segv-all", end_segv, 1},
    {"stack", end_stack, 0},
    {"fpe", end_fpe, 0},
    {"ill", end_ill, 0},
    {"bus", end_bus, 0},
    {"abrt", end_abrt, 0},
    {"heap", end_heap, 0},
    {"term", end_term, 0},
    {"term-all", end_term, 1},
    {"int", end_int, 0},
    {"kill", end_kill, 0},
    {"late-kill", end_late_kill, 0},
    {"handler", end_handler, 0},
    {"hang", wait_for_ever, 1},
    {"grow", end_grow, 0},
    {"limit-finalize", end_limit_finalize, 1},
    {"survived-finalize", end_survived_finalize, 1},
    {"survived-kill", end_survived_kill, 0},
    {"int-exits", end_int_exits, 0},
    {"threads-survived-kill", end_other_survived_kill, 0},
    {"fault-finalize", end_fault_finalize, 1},
    {"limit-0-finalize", end_limit_0_finalize, 1},
    {"small-stack", end_small_stack, 0},
    {"returned-finalize", end_returned_finalize, 1},
    {"threads-error", end_error, 0},
    {"threads-finalize", end_threads_finalize, 1},
};

int main(int argc, char **argv)
{
    size_t e = 0;
    while (e < sizeof endings / sizeof endings[0] && argc == 3 && strcmp(endings[e].name, argv[1]) != 0)
        e++;
    if (argc != 3 || e == sizeof endings / sizeof endings[0])
        return 2;
    counts = argv[2];
#ifdef THREAD_BYTES
    of_each_thread[0] = 1;
#endif
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (endings[e].end == end_handler)
        signal(SIGTERM, own_handler);

    int provided;
    if (strncmp(argv[1], "threads", 7) == 0)
        CALL(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    else
        CALL(MPI_Init(&argc, &argv));
    CALL(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CALL(MPI_Comm_size(MPI_COMM_WORLD, &size));
    if (endings[e].end == end_returned_finalize) {
        CALL(MPI_Comm_dup(MPI_COMM_WORLD, &early_comm));
        CALL(MPI_Win_create(&made, sizeof made, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &early_win));
    }
    work(ROUNDS);
    usleep(600000); /* long enough for a checkpoint, even if the last one took long */
    work(1);
    if (!endings[e].all && rank != 1)
        wait_for_ever();
    if (!endings[e].all)
        usleep(600000); /* until the others wait and have made a checkpoint */
    endings[e].end();
    return 6;
}
