#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Memory symbols under special circumstances: REFRAIN_MEMORY=off, a stripped program, an
# accelerator's driver, an allocator of the program, a linked tracer. tests/mpi/memory*.c test
# symbols in general.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"

# In the program itself: the buffers of all broadcasts, in order.
cat >here.c <<'END'
#include <mpi.h>
#include <stdlib.h>
static int numbers[20];
static void use(void *buffer) { MPI_Bcast(buffer, 1, MPI_INT, 0, MPI_COMM_WORLD); }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int local[4] = {0}, *small = malloc(100), *large = malloc(1 << 20), *of_mpi;
    MPI_Alloc_mem(100, MPI_INFO_NULL, &of_mpi);
    use(small + 1);
    use(large + 2);
    use(numbers + 3);
    use(of_mpi + 4);
    MPI_Bcast(local, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Free_mem(of_mpi);
    free(small);
    free(large);
    return MPI_Finalize();
}
END

# An allocator that returns blocks of 256 bytes and knows no others.
cat >own.c <<'END'
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
static char *at, *end;
void *malloc(size_t n)
{
    size_t whole = (n + 16 + 255) / 256 * 256;
    static int lock;
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        ;
    if (!at || whole > (size_t)(end - at)) {
        size_t more = whole < 64 << 20 ? 64 << 20 : whole;
        at = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        end = at + more;
    }
    char *block = at + 16;
    memcpy(at, &n, sizeof n);
    at += whole;
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    return block;
}
size_t malloc_usable_size(void *p) { size_t n = 0; if (p) memcpy(&n, (char *)p - 16, sizeof n); return n; }
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t size) { return malloc(n * size); }
void *realloc(void *p, size_t n)
{
    void *to = malloc(n);
    size_t old = malloc_usable_size(p);
    return p ? memcpy(to, p, old < n ? old : n) : to;
}
void *memalign(size_t alignment, size_t n)
{
    char *p = malloc(n + alignment + 16), *aligned = (char *)(((size_t)p + alignment + 15) / alignment * alignment);
    memcpy(aligned - 16, &n, sizeof n);
    return aligned;
}
void *aligned_alloc(size_t alignment, size_t n) { return memalign(alignment, n); }
int posix_memalign(void **place, size_t alignment, size_t n) { *place = memalign(alignment, n); return 0; }
END

# A driver of two devices: each allocation is reported once, and freed memory is reused.
cat >driver.c <<'END'
#include <stddef.h>
#include <sys/mman.h>
#include "driver.h"
static struct { char *start; size_t size; unsigned long long id; int device; } at[8];
static unsigned long long ids;
static char *memory;
void *driver_allocate(int device, int place, size_t n)
{
    if (!memory)
        memory = mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    at[place].start = memory + place * 65536;
    at[place].size = n;
    at[place].id = ++ids;
    at[place].device = device;
    return at[place].start;
}
void driver_free(int place) { at[place].size = 0; }
static int find(size_t address)
{
    for (int i = 0; i < 8; i++)
        if (address - (size_t)at[i].start < at[i].size)
            return i;
    return -1;
}
int GET_RANGE(size_t *start, size_t *size, size_t address)
{
    int i = find(address);
    if (i < 0)
        return 1;
    *start = (size_t)at[i].start;
    *size = at[i].size;
    return 0;
}
int GET_ATTRIBUTE(void *value, int attribute, size_t address)
{
    int i = find(address);
    if (i < 0)
        return 1;
    if (attribute == 7)
        *(unsigned long long *)value = at[i].id;
    else if (attribute == 9)
        *(int *)value = at[i].device;
    else
        return 1;
    return 0;
}
END
cat >driver.h <<'END'
#include <stddef.h>
void *driver_allocate(int device, int place, size_t n);
void driver_free(int place);
END
cat >device.c <<'END'
#include <mpi.h>
#include "driver.h"
static void use(char *buffer) { MPI_Bcast(buffer, 0, MPI_BYTE, 0, MPI_COMM_WORLD); }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    char *a = driver_allocate(1, 0, 1000), *b = driver_allocate(0, 1, 1000);
    use(a + 8);
    use(b + 999);
    use(a);
    use(b + 1000);
    for (int i = 0; i < 3; i++) {
        driver_free(0);
        use((char *)driver_allocate(1, 0, 500 + i) + 16);
    }
    use(driver_allocate(1, 2, 10));
    return MPI_Finalize();
}
END

compile() { out=$1; shift; "$mpicc" -O0 -o "$out" "$@"; }
start() { timeout "$limit" "$mpirun" $flags -n 2 "$@" </dev/null; }
record() { start "$refrain" record -o "$@"; }
# has TRACE BUFFER…: checks that both ranks' broadcasts have these buffers
has() {
    trace=$1
    shift
    printf '%s\n' "$@" >wanted
    for rank in 0 1; do
        "$refrain" text "$trace" --rank "$rank" | sed -n 's/.*MPI_Bcast(buffer=\([^,]*\),.*/\1/p' >found
        diff wanted found || return 1
    done
}

# Offsets on the stack depend on the compiler; they are compared between two runs of one program.
on_stack() { "$refrain" text "$1" --rank 0 | sed -n 's/.*MPI_Bcast(buffer=\(stack[^,]*\),.*/\1/p'; }

check "a program compiles" compile here here.c
check "it is traced" record on ./here
stack=$(on_stack on)
check "symbols" has on heap0+4 heap1+8 '&numbers+12' mpimem0+16 "$stack"

REFRAIN_MEMORY=off && export REFRAIN_MEMORY
check "REFRAIN_MEMORY=off: is traced" record off ./here
check "REFRAIN_MEMORY=off: the heap has no symbols" has off ptr ptr '&numbers+12' mpimem0+16 "$stack"
unset REFRAIN_MEMORY

strip -o stripped here
check "stripped: is traced" record stripped.refrain ./stripped
numbers=$(nm here | sed -n 's/^0*\([0-9a-f]*\) . numbers$/\1/p')
check "stripped: module and offset" has stripped.refrain heap0+4 heap1+8 "$(printf 'stripped+0x%x' $((0x$numbers + 12)))" \
    mpimem0+16 "$stack"

check "an allocator of its own, in a library" "${CC:-cc}" -shared -fPIC -O1 -fno-builtin -o own.so own.c
tracer=$top_builddir/src/librefrain.so
preloaded() { start env LD_PRELOAD="$tracer:$tmp/own.so" REFRAIN_OUTPUT="$tmp/own" ./here; }
check "it is the next: is traced" preloaded
check "it is the next: symbols" has own heap0+4 heap1+8 '&numbers+12' mpimem0+16 "$stack"
check "one that does not know the sizes of its blocks" sh -c 'sed s,malloc_usable_size,static_size,g own.c >sizeless.c &&
    "$1" -shared -fPIC -O1 -fno-builtin -o sizeless.so sizeless.c' sizes "${CC:-cc}"
sizeless() { start env LD_PRELOAD="$tracer:$tmp/sizeless.so" REFRAIN_OUTPUT="$tmp/sizeless" ./here; }
check "it is the next: runs" sizeless
check "it is the next: a heap without symbols" sh -c '"$1" text --rank 0 sizeless | grep Bcast >all &&
    grep -q "&numbers+12" all && ! grep heap all' text "$refrain"
check "in the program: compiles" compile within here.c -fno-builtin own.c
check "in the program: is traced" record within.refrain ./within
# The offset depends on what else was allocated.
regions() { for rank in 0 1; do "$refrain" text "$1" --rank $rank; done | grep -c 'MPI_Bcast(buffer=map[0-9]*+[0-9]*,' | grep -x 4; }
check "in the program: its regions are seen, not its blocks" regions within.refrain

for driver in libcuda.so.1:cuPointerGetAttribute:cuMemGetAddressRange_v2 \
    libamdhip64.so.6:hipPointerGetAttribute:hipMemGetAddressRange; do
    soname=${driver%%:*} names=${driver#*:}
    build_driver() {
        rm -f libdriver.so && "${CC:-cc}" -shared -fPIC -Wl,-soname,"$soname" -DGET_ATTRIBUTE="${names%:*}" \
            -DGET_RANGE="${names#*:}" -o "$soname" driver.c && compile device device.c "./$soname"
    }
    check "$soname: builds" build_driver
    check "$soname: is traced" record device.refrain env LD_LIBRARY_PATH="$tmp:$LD_LIBRARY_PATH" ./device
    check "$soname: symbols" has device.refrain device1.mem0+8 device0.mem1+999 device1.mem0 map0+66536 \
        device1.mem0+16 device1.mem0+16 device1.mem0+16 device1.mem2
done

# A block takes the place of a variable whose module was unloaded; the C library uses the first gap
# that is large enough.
cat >unloaded.c <<'END'
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
static void use(void *buffer) { MPI_Bcast(buffer, 0, MPI_BYTE, 0, MPI_COMM_WORLD); }
int main(int argc, char **argv)
{
    enum { BIG = 1 << 20 };
    MPI_Init(&argc, &argv);
    void *module = dlopen("./module.so", RTLD_NOW);
    char *variable = module ? dlsym(module, "variable") : NULL, *block = NULL;
    use(variable);
    if (!variable || dlclose(module) != 0)
        abort();
    for (int i = 0; i < 64 && (variable < block || variable >= block + BIG); i++)
        block = malloc(BIG);
    if (variable < block || variable >= block + BIG)
        abort();
    use(variable);
    use(block);
    return MPI_Finalize();
}
END
unloaded() {
    echo "char variable[3 << 20];" >module.c && "${CC:-cc}" -shared -fPIC -o module.so module.c && compile unloaded unloaded.c -ldl
}
of_heap() { "$refrain" text "$1" --rank 0 | grep -c "MPI_Bcast(buffer=heap0[+,]" | grep -x 2; }
check "a module that is unloaded: compiles" unloaded
check "a module that is unloaded: is traced" record unloaded.refrain ./unloaded
check "a module that is unloaded: its place is the heap's" of_heap unloaded.refrain

mkdir archive && cp "$top_builddir/src/librefrain.a" archive
check "linked with librefrain.a: compiles" compile linked here.c -Larchive -lrefrain $TRACER_LIBS
linked() { start env REFRAIN_OUTPUT="$tmp/linked.refrain" ./linked; }
check "linked: is traced" linked
check "linked: symbols" has linked.refrain heap0+4 heap1+8 '&numbers+12' mpimem0+16 "$stack"
# The MPI library need not exist as a static library; its procedures are not called.
cat >static.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
int MPI_Init(int *, char ***);
int main(int argc, char **argv)
{
    char *a = malloc(10), *b = calloc(1000, 1000), *c = mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (argc > 1)
        MPI_Init(&argc, &argv);
    a = realloc(a, 1 << 20);
    memset(a, 1, 1 << 20);
    free(a);
    free(b);
    return munmap(c, 4096);
}
END
static() { "${CC:-cc}" -static -o static static.c -Larchive -lrefrain $TRACER_LIBS -Wl,--unresolved-symbols=ignore-all 2>warnings || { cat warnings; return 1; }; }
check "fully static: links" static
check "fully static: runs" ./static
finish
