/* SPDX-License-Identifier: BSD-3-Clause */
/* Interpose mmap, munmap and mremap, as interpose.c interposes malloc.
 *
 * Network libraries (UCX, Open MPI's own) keep track of pages that are registered with the
 * hardware. They look up munmap and its like by name and patch the code that they find, to learn
 * what the C library itself unmaps. So they must find the C library's functions. The tracer's
 * functions therefore carry the C library's version (MMAP_VERSION), but are not the default version
 * of the name: calls of the program name a version and come here, while dlsym without a version
 * finds the C library. A static library cannot have such symbols, so librefrain.a lacks these
 * functions.
 *
 * The tracer's own pages are not the program's, and some are mapped within malloc. So the linker
 * directs the tracer's mmap and munmap to the functions __wrap_…, which are the system calls. */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guard.h"
#include "memory.h"

void *__wrap_mmap(void *start, size_t n, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void *start, size_t n);

void *__wrap_mmap(void *start, size_t n, int protection, int flags, int file, off_t offset)
{
    return (void *)syscall(SYS_mmap, start, n, protection, flags, file, offset);
}

int __wrap_munmap(void *start, size_t n)
{
    return (int)syscall(SYS_munmap, start, n);
}

#ifdef MMAP_VERSION

struct next {
    void *(*mmap)(void *, size_t, int, int, int, off_t);
    void *(*mmap64)(void *, size_t, int, int, int, off64_t);
    int (*munmap)(void *, size_t);
    void *(*mremap)(void *, size_t, size_t, int, ...);
};

static const struct next *know_next(void)
{
    static struct next next;
    static const struct {
        const char *name;
        void *to;
    } wanted[] = {
        {"mmap", &next.mmap}, {"mmap64", &next.mmap64}, {"munmap", &next.munmap}, {"mremap", &next.mremap}};
    static _Atomic bool ready;
    if (atomic_load_explicit(&ready, memory_order_acquire))
        return &next;
    const int saved_errno = errno;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        void *const found = dlsym(RTLD_NEXT, wanted[i].name);
        /* ISO C has no cast from object to function pointer. */
        memcpy(wanted[i].to, &found, sizeof found);
    }
    atomic_store(&ready, true);
    errno = saved_errno;
    return &next;
}

#define INTERPOSE(name, function) __asm__(".symver " #function ", " #name "@" MMAP_VERSION ", remove")

GUARD_EXPORT void *mmap_here(void *start, size_t n, int protection, int flags, int file, off_t offset);
INTERPOSE(mmap, mmap_here);
GUARD_EXPORT void *mmap64_here(void *start, size_t n, int protection, int flags, int file, off64_t offset);
INTERPOSE(mmap64, mmap64_here);
GUARD_EXPORT int munmap_here(void *start, size_t n);
INTERPOSE(munmap, munmap_here);
GUARD_EXPORT void *mremap_here(void *start, size_t old, size_t n, int flags, ...);
INTERPOSE(mremap, mremap_here);

static void *noted_pages(void *start, size_t n)
{
    if (start != MAP_FAILED) {
        const int saved_errno = errno;
        memory_pages_made(start, n);
        errno = saved_errno;
    }
    return start;
}

GUARD_EXPORT void *mmap_here(void *start, size_t n, int protection, int flags, int file, off_t offset)
{
    return noted_pages(know_next()->mmap(start, n, protection, flags, file, offset), n);
}

GUARD_EXPORT void *mmap64_here(void *start, size_t n, int protection, int flags, int file, off64_t offset)
{
    return noted_pages(know_next()->mmap64(start, n, protection, flags, file, offset), n);
}

/* munmap refuses an address that is not a multiple of a page; otherwise it succeeds. */
#define PAGE_LEAST 4096

GUARD_EXPORT int munmap_here(void *start, size_t n)
{
    const int saved_errno = errno;
    if ((uintptr_t)start % PAGE_LEAST == 0)
        memory_pages_gone(start, n);
    errno = saved_errno;
    return know_next()->munmap(start, n);
}

GUARD_EXPORT void *mremap_here(void *start, size_t old, size_t n, int flags, ...)
{
    void *to = NULL;
    if (flags & MREMAP_FIXED) {
        va_list arguments;
        va_start(arguments, flags);
        to = va_arg(arguments, void *);
        va_end(arguments);
    }
    const uint32_t symbol = memory_pages_leave(start, old);
    void *moved = know_next()->mremap(start, old, n, flags, to);
    const int saved_errno = errno;
    if (moved != MAP_FAILED)
        memory_pages_come(moved, n, symbol);
    else
        memory_pages_come(start, old, symbol);
    errno = saved_errno;
    return moved;
}

#endif
