/* SPDX-License-Identifier: BSD-3-Clause */
/* Convert values of the Fortran bindings to values of C, for the generated wrappers
 * (gen/emit_wrap_f.c).
 *
 * Copies live until the call has been recorded. If memory is short, a conversion stops the tracer
 * and returns NULL; the call's record is dropped, but the call itself is made. */
#ifndef REFRAIN_FORTRAN_H
#define REFRAIN_FORTRAN_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call.h"

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "the wrappers take an INTEGER for an int");

/* Number of INTEGERs in a status, MPI_STATUS_SIZE in Fortran: the Fortran status has the layout of
 * the C structure. */
#define FORTRAN_STATUS_SIZE (sizeof(MPI_Status) / sizeof(MPI_Fint))

/* Functions that wrappers in inner loops call. */
#ifdef OPEN_MPI /* in Open MPI these are functions */
extern __typeof__(PMPI_Comm_f2c) PMPI_Comm_f2c GUARD_DIRECT;
extern __typeof__(PMPI_Type_f2c) PMPI_Type_f2c GUARD_DIRECT;
extern __typeof__(PMPI_Request_f2c) PMPI_Request_f2c GUARD_DIRECT;
#endif
extern __typeof__(PMPI_Status_f2c) PMPI_Status_f2c GUARD_DIRECT;

/* Convert an address: Fortran's constants (MPI_IN_PLACE, MPI_UNWEIGHTED, MPI_COMM_DUP_FN …) become
 * C's constants; other addresses stay. */
void *fortran_address(const void *address);
/* Is it MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE of a Fortran binding? */
bool fortran_is_ignored(const void *status);

/* The address in an array descriptor. It comes first in C's CFI_cdesc_t, and in compilers with
 * their own layout. */
static inline void *fortran_base(const void *descriptor)
{
    return *(void *const *)descriptor;
}

/* The first index. In MPICH 4.0's mpi_f08 it is 0 as in C
 * (https://github.com/pmodels/mpich/issues/6270). */
enum {
    FORTRAN_BASE = 1,
#if defined MPICH_NUMVERSION && MPICH_NUMVERSION >= 40000000 && MPICH_NUMVERSION < 40100000
    FORTRAN_F08_BASE = 0
#else
    FORTRAN_F08_BASE = 1
#endif
};

/* Convert an index to C; MPI_UNDEFINED stays. */
static inline int fortran_index(MPI_Fint index, int base)
{
    return index == MPI_UNDEFINED ? MPI_UNDEFINED : index - base;
}

/* Convert a keyval to C. MPICH's predefined keyvals, which have these bits, are larger by one in
 * Fortran, where their attributes are INTEGERs instead of pointers to int. */
static inline int fortran_keyval(MPI_Fint keyval)
{
#ifdef MPICH_NUMVERSION
    return (uint32_t)keyval >> 30 == 1 ? keyval - 1 : keyval;
#else
    return keyval;
#endif
}

/* Set an optional ierror, which may be absent. */
static inline void fortran_set(MPI_Fint *ierror, MPI_Fint value)
{
    if (ierror)
        *ierror = value;
}

/* Allocate n elements; NULL if n is an ARRAY_ code. */
void *fortran_array(struct call *call, int64_t n, size_t size);
/* Allocate n Fortran statuses; `ignored` if memory is short. */
MPI_Fint *fortran_statuses(struct call *call, MPI_Fint *ignored, int64_t n);

/* Copy the string without its trailing blanks. */
char *fortran_string(struct call *call, const char *s, size_t length);
/* Copy n strings, or with CALL_TO_NULL those before the first blank one, and add a null pointer. A
 * sentinel (MPI_ARGV_NULL) becomes C's; NULL if n is an ARRAY_ code. */
char **fortran_strings(struct call *call, const char *strings, size_t length, int64_t n);
/* Copy an array (n, *) of strings: n lists, each ended by a blank string in Fortran, a null pointer
 * in C. */
char ***fortran_string_lists(struct call *call, const char *strings, size_t length, int64_t n);

#endif
