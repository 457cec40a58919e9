/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "call_impl.h"
#include "src/core/base/placement.h"

/* ---- constants ------------------------------------------------------------------------------- */
/* Fortran's constants are variables whose addresses have a meaning. The references are weak, since each MPI
 * library has its own variables and a C program is not linked with any Fortran library. */

/* Open MPI: common blocks; compilers decorate the names in different ways. */
#define EACH_BLOCK(X)                                                                                        \
    X(bottom, BOTTOM, MPI_BOTTOM)                                                                            \
    X(in_place, IN_PLACE, MPI_IN_PLACE)                                                                      \
    X(status_ignore, STATUS_IGNORE, MPI_STATUS_IGNORE)                                                       \
    X(statuses_ignore, STATUSES_IGNORE, MPI_STATUSES_IGNORE)                                                 \
    X(errcodes_ignore, ERRCODES_IGNORE, MPI_ERRCODES_IGNORE)                                                 \
    X(unweighted, UNWEIGHTED, MPI_UNWEIGHTED)                                                                \
    X(weights_empty, WEIGHTS_EMPTY, MPI_WEIGHTS_EMPTY)                                                       \
    X(argv_null, ARGV_NULL, MPI_ARGV_NULL)                                                                   \
    X(argvs_null, ARGVS_NULL, MPI_ARGVS_NULL)

#define DECLARE_BLOCK(small, capitals, constant)                                                             \
    extern char mpi_fortran_##small __attribute__((weak)), mpi_fortran_##small##_ __attribute__((weak)),     \
        mpi_fortran_##small##__ __attribute__((weak)), MPI_FORTRAN_##capitals __attribute__((weak));
EACH_BLOCK(DECLARE_BLOCK)

/* MPICH: variables of the module mpi_f08, declared under names of the tracer, since mpi.h declares
 * some of them. */
#define EACH_OBJECT(X)                                                                                       \
    X(f08_bottom, "MPIR_F08_MPI_BOTTOM", MPI_BOTTOM)                                                         \
    X(f08_in_place, "MPIR_F08_MPI_IN_PLACE", MPI_IN_PLACE)                                                   \
    X(f08_status, "MPIR_F08_MPI_STATUS_IGNORE_OBJ", MPI_STATUS_IGNORE)                                       \
    X(f08_statuses, "MPIR_F08_MPI_STATUSES_IGNORE_OBJ", MPI_STATUSES_IGNORE)                                 \
    X(f08_errcodes, "__mpi_f08_link_constants_MOD_mpi_errcodes_ignore", MPI_ERRCODES_IGNORE)                 \
    X(f08_unweighted, "__mpi_f08_link_constants_MOD_mpi_unweighted", MPI_UNWEIGHTED)                         \
    X(f08_weights_empty, "__mpi_f08_link_constants_MOD_mpi_weights_empty", MPI_WEIGHTS_EMPTY)                \
    X(f08_argv, "__mpi_f08_link_constants_MOD_mpi_argv_null", MPI_ARGV_NULL)                                 \
    X(f08_argvs, "__mpi_f08_link_constants_MOD_mpi_argvs_null", MPI_ARGVS_NULL)

#define DECLARE_OBJECT(object, symbol, constant) extern char object __asm__(symbol) __attribute__((weak));
EACH_OBJECT(DECLARE_OBJECT)

/* The addresses that mpif.h uses. MPICH determines them in its first Fortran call, with this
 * function. */
extern void mpirinitf_(void) __attribute__((weak));
#define EACH_POINTER(X)                                                                                      \
    X(MPIR_F_MPI_BOTTOM, MPI_BOTTOM)                                                                         \
    X(MPIR_F_MPI_IN_PLACE, MPI_IN_PLACE)                                                                     \
    X(MPIR_F_MPI_UNWEIGHTED, MPI_UNWEIGHTED)                                                                 \
    X(MPIR_F_MPI_WEIGHTS_EMPTY, MPI_WEIGHTS_EMPTY)                                                           \
    X(MPI_F_ERRCODES_IGNORE, MPI_ERRCODES_IGNORE)                                                            \
    X(MPI_F_ARGV_NULL, MPI_ARGV_NULL)                                                                        \
    X(MPI_F_ARGVS_NULL, MPI_ARGVS_NULL)

#define DECLARE_POINTER(symbol, constant) extern void *symbol __attribute__((weak));
EACH_POINTER(DECLARE_POINTER)

/* pointers that the mpi.h of both libraries declares */
extern void *f_status_ignore __asm__("MPI_F_STATUS_IGNORE");
extern void *f_statuses_ignore __asm__("MPI_F_STATUSES_IGNORE");

/* Predefined callbacks; in MPICH, those of mpi_f08 are module procedures. */
#define EACH_CALLBACK(X)                                                                                     \
    X(mpi_null_copy_fn, MPI_NULL_COPY_FN)                                                                    \
    X(mpi_dup_fn, MPI_DUP_FN)                                                                                \
    X(mpi_null_delete_fn, MPI_NULL_DELETE_FN)                                                                \
    X(mpi_comm_null_copy_fn, MPI_COMM_NULL_COPY_FN)                                                          \
    X(mpi_comm_dup_fn, MPI_COMM_DUP_FN)                                                                      \
    X(mpi_comm_null_delete_fn, MPI_COMM_NULL_DELETE_FN)                                                      \
    X(mpi_type_null_copy_fn, MPI_TYPE_NULL_COPY_FN)                                                          \
    X(mpi_type_dup_fn, MPI_TYPE_DUP_FN)                                                                      \
    X(mpi_type_null_delete_fn, MPI_TYPE_NULL_DELETE_FN)                                                      \
    X(mpi_win_null_copy_fn, MPI_WIN_NULL_COPY_FN)                                                            \
    X(mpi_win_dup_fn, MPI_WIN_DUP_FN)                                                                        \
    X(mpi_win_null_delete_fn, MPI_WIN_NULL_DELETE_FN)                                                        \
    X(mpi_conversion_fn_null, MPI_CONVERSION_FN_NULL)

#define DECLARE_CALLBACK(small, constant)                                                                    \
    extern char small##_ __attribute__((weak)), __mpi_f08_callbacks_MOD_##small __attribute__((weak));
EACH_CALLBACK(DECLARE_CALLBACK)

#define CONSTANT(constant) ((void *)(intptr_t)(constant))

/* The constants that this MPI library has; filled once. Nearly every address in a search is no
 * constant: open addressing shows that with one or two adjacent bytes.
 *
 *     places   0 0 2 0 1 …          known   -  {&mpi_fortran_bottom_, MPI_BOTTOM}  {&mpi_dup_fn_, …}  … */
#define PLACES 256                      /* a power of two, far more than there are constants */
HOT_DATA static uint8_t places[PLACES]; /* index in `known`; 0: free */
static struct {
    const void *address;
    void *constant; /* the constant in C */
} known[PLACES];
static uint8_t n_known;

static size_t entry_of(const void *address)
{
    size_t at = (size_t)((uint64_t)(uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 56) % PLACES;
    while (places[at] && known[places[at]].address != address)
        at = (at + 1) % PLACES;
    return at;
}

/* Add a constant; the first one for an address wins. */
static void learn(const void *address, void *constant)
{
    const size_t at = entry_of(address);
    if (!address || places[at])
        return;
    places[at] = ++n_known;
    known[n_known].address = address;
    known[n_known].constant = constant;
}

/* the library's variables that do not yet have their addresses */
static struct {
    void *const *address;
    void *constant;
} pointers[16];
HOT_DATA static size_t n_pointers;

static void learn_pointer(void *const *address, void *constant)
{
    /* Not there; the array has room for all. */
    if (!address || n_pointers == sizeof pointers / sizeof pointers[0])
        return;
    if (*address) {
        learn(*address, constant);
        return;
    }
    pointers[n_pointers].address = address;
    pointers[n_pointers++].constant = constant;
}

/* Deprecated constants have addresses, too. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

HOT_DATA static atomic_bool is_learned;

static void learn_all(void)
{
    /* The first call may pass a constant, and the program may have called MPI_Init of C. */
    if (mpirinitf_)
        mpirinitf_();
#define LEARN_BLOCK(small, capitals, constant)                                                               \
    learn(&mpi_fortran_##small##_, CONSTANT(constant));                                                      \
    learn(&mpi_fortran_##small##__, CONSTANT(constant));                                                     \
    learn(&mpi_fortran_##small, CONSTANT(constant));                                                         \
    learn(&MPI_FORTRAN_##capitals, CONSTANT(constant));
#define LEARN_OBJECT(object, symbol, constant) learn(&object, CONSTANT(constant));
#define LEARN_CALLBACK(small, constant)                                                                      \
    learn(&small##_, CONSTANT(constant));                                                                    \
    learn(&__mpi_f08_callbacks_MOD_##small, CONSTANT(constant));
#define LEARN_POINTER(symbol, constant) learn_pointer(&symbol, CONSTANT(constant));
    EACH_BLOCK(LEARN_BLOCK)
    EACH_OBJECT(LEARN_OBJECT)
    EACH_CALLBACK(LEARN_CALLBACK)
    EACH_POINTER(LEARN_POINTER)
    learn_pointer(&f_status_ignore, CONSTANT(MPI_STATUS_IGNORE));
    learn_pointer(&f_statuses_ignore, CONSTANT(MPI_STATUSES_IGNORE));
    atomic_store_explicit(&is_learned, true, memory_order_release);
}

HOT void *fortran_address(const void *address)
{
    static pthread_once_t learned = PTHREAD_ONCE_INIT;
    if (!atomic_load_explicit(&is_learned, memory_order_acquire))
        pthread_once(&learned, learn_all);
    if (!address)
        return NULL; /* some pointers are NULL until the library sets them */
    const size_t at = entry_of(address);
    if (places[at])
        return known[places[at]].constant;
    for (size_t i = 0; i < n_pointers; i++) {
        if (*pointers[i].address == address)
            return pointers[i].constant;
    }
    return (void *)(intptr_t)address;
}

HOT bool fortran_is_ignored(const void *status)
{
    const void *c = fortran_address(status);
    return c != status && (c == CONSTANT(MPI_STATUS_IGNORE) || c == CONSTANT(MPI_STATUSES_IGNORE));
}

/* ---- copies ---------------------------------------------------------------------------------- */

HOT static void *take(struct call *call, size_t n, size_t size)
{
    void *taken = call->failed || (size && n > SIZE_MAX / size)
                      ? NULL
                      : arena_take(&call->thread->scratch.arena, n * size);
    if (!taken)
        call_fail(call);
    return taken;
}

HOT void *fortran_array(struct call *call, int64_t n, size_t size)
{
    return n < 0 ? NULL : take(call, (size_t)n, size);
}

HOT MPI_Fint *fortran_statuses(struct call *call, MPI_Fint *ignored, int64_t n)
{
    MPI_Fint *statuses = take(call, (size_t)call_length(n), FORTRAN_STATUS_SIZE * sizeof(MPI_Fint));
    if (!statuses)
        return ignored;
    memset(statuses, 0, (size_t)call_length(n) * FORTRAN_STATUS_SIZE * sizeof(MPI_Fint));
    return statuses;
}

static size_t trimmed(const char *s, size_t length)
{
    while (length > 0 && s[length - 1] == ' ')
        length--;
    return length;
}

char *fortran_string(struct call *call, const char *s, size_t length)
{
    const size_t n = trimmed(s, length);
    char *copy = take(call, n + 1, 1);
    if (copy) {
        memcpy(copy, s, n);
        copy[n] = '\0';
    }
    return copy;
}

/* Copy n strings that are `stride` strings apart. */
static char **take_strings(struct call *call, const char *strings, size_t length, size_t stride, int64_t n)
{
    if (n == CALL_TO_NULL)
        for (n = 0; trimmed(strings + (size_t)n * stride * length, length) > 0; n++)
            ;
    char **list = take(call, (size_t)n + 1, sizeof *list);
    for (int64_t i = 0; list && i < n; i++)
        list[i] = fortran_string(call, strings + (size_t)i * stride * length, length);
    if (list)
        list[n] = NULL;
    return list;
}

char **fortran_strings(struct call *call, const char *strings, size_t length, int64_t n)
{
    char **constant = fortran_address(strings);
    if (n < 0 || (const char *)constant != strings)
        return constant;
    return take_strings(call, strings, length, 1, n);
}

char ***fortran_string_lists(struct call *call, const char *strings, size_t length, int64_t n)
{
    char ***constant = fortran_address(strings);
    if (n < 0 || (const char *)constant != strings)
        return constant;
    char ***lists = take(call, (size_t)n, sizeof *lists);
    for (int64_t i = 0; lists && i < n; i++)
        lists[i] = take_strings(call, strings + (size_t)i * length, length, (size_t)n, CALL_TO_NULL);
    return lists;
}
