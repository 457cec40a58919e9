/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 3 (Open MPI 4.1 makes no window on one process) */
/* Every kind of memory that can contain a buffer, and its symbol. */
#include "expect.h"

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BIG = 300000, PAGES = 16384 };

static int numbers[100];
int common[10];
static void *early; /* allocated before the tracer's own constructor, or soon after */

__attribute__((constructor(101))) static void allocate_early(void)
{
    early = malloc(80);
}

/* Returns the stack pointer of the caller, which calls MPI with all arguments in registers. */
__attribute__((noinline)) static char *stack_pointer(void)
{
    return __builtin_dwarf_cfa();
}

static const char *offset_text(long offset)
{
    return offset ? format_text("%+ld", offset) : "";
}

static int next_heap, next_map; /* the next new numbers */

/* Each use is a separate call site, because a call site has its own numbers. */
#define USE(buffer, ...)                                                                                     \
    do {                                                                                                     \
        MPI_Bcast(buffer, 0, MPI_BYTE, 0, MPI_COMM_WORLD);                                                   \
        OK("MPI_Bcast(buffer=%s, count=0, datatype=MPI_BYTE, root=0, " WORLD ")", format_text(__VA_ARGS__)); \
    } while (0)

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}

static void statics(void)
{
    static char inner[8];
    MPI_Op op;
    USE(numbers, "&numbers");
    USE(numbers + 16, "&numbers+64");
    USE(&common[9], "&common+36");
    MPI_Op_create(add, 1, &op);
    OK("MPI_Op_create(user_fn=&add, commute=1, op=op0)");
    MPI_Op_free(&op);
    OK("MPI_Op_free(op=op0)");
    /* The compiler adds a number to its name of a function's variable. */
    MPI_Aint address;
    MPI_Get_address(inner, &address);
    if (address != (MPI_Aint)inner)
        abort();
    const char *name = format_text("&inner.%d", 0);
    OK("MPI_Get_address(location=%s, address=%s)", name, name);
}

static void stack(int depth)
{
    char local[32];
    char *at = stack_pointer();
    if (depth > 0) {
        stack(depth - 1);
        return;
    }
    memset(local, 0, sizeof local);
    USE(local, "stack%s", offset_text(local - at));
    USE(local + 5, "stack%s", offset_text(local + 5 - at));
}

static void of_caller(char *buffer)
{
    char *at = stack_pointer();
    USE(buffer, "stack%s", offset_text(buffer - at));
}

static void heap(void)
{
    void *blocks[8];
    int n = 0;
    USE(early, "heap%d", next_heap++);
    blocks[n++] = early;
    char *small = malloc(24), *zeros = calloc(10, 10), *large = malloc(BIG);
    USE(small, "heap%d", next_heap);
    USE(small + 23, "heap%d+23", next_heap++);
    USE(zeros + 99, "heap%d+99", next_heap++);
    USE(large + BIG - 1, "heap%d+%d", next_heap++, BIG - 1);
    blocks[n++] = small;
    blocks[n++] = zeros;
    blocks[n++] = large;
    USE(blocks[n++] = aligned_alloc(256, 512), "heap%d", next_heap++);
    USE(blocks[n++] = memalign(64, 100), "heap%d", next_heap++);
    USE(blocks[n++] = valloc(100), "heap%d", next_heap++);
    if (posix_memalign(&blocks[n], 4096, 10) != 0)
        abort();
    USE((char *)blocks[n++] + 9, "heap%d+9", next_heap++);
    for (int i = 0; i < n; i++)
        free(blocks[i]);
}

/* A block keeps its number wherever realloc moves it. */
static void moving(void)
{
    char *block = malloc(40), *other;
    USE(block, "heap%d", next_heap);
    other = malloc(40); /* in the way */
    block = realloc(block, 5000);
    USE(block + 4999, "heap%d+4999", next_heap);
    block = realloc(block, BIG);
    USE(block + BIG - 1, "heap%d+%d", next_heap, BIG - 1);
    block = realloc(block, 3 * BIG);
    USE(block + 2 * BIG, "heap%d+%d", next_heap, 2 * BIG);
    block = reallocarray(block, 7, 11);
    USE(block + 76, "heap%d+76", next_heap++);
    USE(other, "heap%d", next_heap++);
    free(block);
    free(other);
}

static void *free_it(void *block)
{
    free(block);
    return NULL;
}

/* Each iteration has the same two numbers, in whatever order the blocks are freed; `kept` makes
 * their addresses differ. */
static void loop(void)
{
    void *kept[6];
    for (int i = 0; i < 6; i++) {
        char *a = malloc(i % 2 ? 100 : BIG), *b = malloc(200);
        kept[i] = malloc(100);
        MPI_Sendrecv(a, 0, MPI_BYTE, MPI_PROC_NULL, 0, b, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        OK("MPI_Sendrecv(sendbuf=heap%d, sendcount=0, sendtype=MPI_BYTE, dest=MPI_PROC_NULL, sendtag=0, "
           "recvbuf=heap%d, "
           "recvcount=0, recvtype=MPI_BYTE, source=MPI_PROC_NULL, recvtag=0, " WORLD
           ", status=ignored{source=MPI_PROC_NULL, tag=MPI_ANY_TAG, error=MPI_SUCCESS, bytes=0})",
           next_heap, next_heap + 1);
        pthread_t thread;
        if (pthread_create(&thread, NULL, free_it, i % 3 ? a : b) != 0)
            abort();
        pthread_join(thread, NULL);
        free(i % 3 ? b : a);
    }
    next_heap += 2;
    for (int i = 0; i < 6; i++)
        free(kept[i]);
}

static char *map(void)
{
    char *pages = mmap(NULL, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        abort();
    return pages;
}

static void pages(void)
{
    char *region = map();
    USE(region + 100, "map%d+100", next_map);
    region = mremap(region, PAGES, 8 * PAGES, MREMAP_MAYMOVE);
    USE(region + 7 * PAGES, "map%d+%d", next_map, 7 * PAGES);
    USE(region + 2 * PAGES + 1, "map%d+%d", next_map, 2 * PAGES + 1);
    /* A hole: the part after it becomes another region, also if its address was just used. */
    munmap(region + PAGES, PAGES);
    USE(region + PAGES - 1, "map%d+%d", next_map++, PAGES - 1);
    USE(region + 2 * PAGES + 1, "map%d+1", next_map++);
    /* And a new mapping in the place of its end. */
    USE(region + 4 * PAGES, "map%d+%d", next_map - 1, 2 * PAGES);
    munmap(region + 4 * PAGES, 4 * PAGES);
    if (mmap(region + 4 * PAGES, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
             0) == MAP_FAILED)
        abort();
    USE(region + 4 * PAGES, "map%d", next_map++);
    munmap(region, 8 * PAGES);
    for (int i = 0; i < 3; i++) {
        region = map();
        USE(region, "map%d", next_map);
        munmap(region, PAGES);
    }
    next_map++;
    /* The tracer does not see these mappings. */
    void *hidden =
        (void *)syscall(SYS_mmap, NULL, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    USE(hidden, "ptr");
    syscall(SYS_munmap, hidden, PAGES);
}

static void by_mpi(void)
{
    for (int i = 0; i < 2; i++) {
        char *memory;
        MPI_Alloc_mem(1000, MPI_INFO_NULL, &memory);
        OK("MPI_Alloc_mem(size=1000, info=MPI_INFO_NULL, baseptr=mpimem0)");
        USE(memory + 999, "mpimem0+999");
        MPI_Free_mem(memory);
        OK("MPI_Free_mem(base=mpimem0)");
    }
}

static void windows(void)
{
    char *memory;
    int unit;
    MPI_Win win;
    MPI_Aint bytes;
    MPI_Win_allocate(500, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    OK("MPI_Win_allocate(size=500, disp_unit=1, info=MPI_INFO_NULL, " WORLD ", baseptr=winmem0, win=win0)");
    USE(memory + 499, "winmem0+499");
    MPI_Win_free(&win);
    OK("MPI_Win_free(win=win0)");

    MPI_Win_allocate_shared(4096, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    OK("MPI_Win_allocate_shared(size=4096, disp_unit=1, info=MPI_INFO_NULL, " WORLD
       ", baseptr=winmem1, win=win1)");
    for (int r = 0; r < size; r++) {
        MPI_Win_shared_query(win, r, &bytes, &unit, &memory);
        /* the others in order after this rank's own */
        const int number = r == rank ? 1 : r < rank ? 2 + r : 1 + r;
        OK("MPI_Win_shared_query(win=win1, rank=%d, size=4096, disp_unit=1, baseptr=winmem%d)", r, number);
        USE(memory + 8, "winmem%d+8", number);
    }
    MPI_Win_free(&win);
    OK("MPI_Win_free(win=win1)");

    memory = malloc(64);
    MPI_Win_create(memory, 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    OK("MPI_Win_create(base=heap%d, size=64, disp_unit=1, info=MPI_INFO_NULL, " WORLD ", win=win2)",
       next_heap);
    MPI_Win_free(&win);
    OK("MPI_Win_free(win=win2)");
    USE(memory, "heap%d", next_heap++);
    free(memory);
}

int main(int argc, char **argv)
{
    char local[8];
    expect_start(&argc, &argv);
    statics();
    stack(0);
    stack(3);
    of_caller(local);
    heap();
    moving();
    loop();
    pages();
    by_mpi();
    windows();
    return expect_end();
}
