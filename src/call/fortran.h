/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of the Fortran bindings as values of C, for the generated wrappers (gen/emit_wrap_f.c).
 *
 * Copies live until the call has been recorded. Without memory, a conversion stops the tracer and returns NULL; the call's record is dropped, but the call itself is made. */
#ifndef REFRAIN_FORTRAN_H
#define REFRAIN_FORTRAN_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call.h"

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "the wrappers take an INTEGER for an int");

/* How many INTEGERs a status is: MPI_STATUS_SIZE of Fortran, which has what the C structure has. */
#define FORTRAN_STATUS_SIZE (sizeof(MPI_Status) / sizeof(MPI_Fint))

/* In wrappers of inner loops. */
#ifdef OPEN_MPI /* where these are functions */
extern __typeof__(PMPI_Comm_f2c) PMPI_Comm_f2c GUARD_DIRECT;
extern __typeof__(PMPI_Type_f2c) PMPI_Type_f2c GUARD_DIRECT;
extern __typeof__(PMPI_Request_f2c) PMPI_Request_f2c GUARD_DIRECT;
#endif
extern __typeof__(PMPI_Status_f2c) PMPI_Status_f2c GUARD_DIRECT;

/* The same address; C's constant for one of Fortran: MPI_IN_PLACE, MPI_UNWEIGHTED, MPI_COMM_DUP_FN … */
void *fortran_address(const void *address);
/* Is it MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE of a Fortran binding? */
bool fortran_is_ignored(const void *status);

/* The address in an array descriptor, where compilers agree with C's CFI_cdesc_t: it comes first. */
static inline void *fortran_base(const void *descriptor)
{
    return *(void *const *)descriptor;
}

/* Where indices start. MPICH 4.0's mpi_f08 has them as in C (https://github.com/pmodels/mpich/issues/6270).
 */
enum {
    FORTRAN_BASE = 1,
#if defined MPICH_NUMVERSION && MPICH_NUMVERSION >= 40000000 && MPICH_NUMVERSION < 40100000
    FORTRAN_F08_BASE = 0
#else
    FORTRAN_F08_BASE = 1
#endif
};

/* The index in C. Until MPICH 4.1 there is an MPI_UNDEFINED to which the base was added. */
static inline int fortran_index(MPI_Fint index, int base)
{
    return index == MPI_UNDEFINED ? MPI_UNDEFINED : index - base;
}

/* The keyval in C. MPICH's predefined ones, of the kind that has these bits, are one more in Fortran: their
 * attributes are INTEGERs instead of pointers to int. */
static inline int fortran_keyval(MPI_Fint keyval)
{
#ifdef MPICH_NUMVERSION
    return (uint32_t)keyval >> 30 == 1 ? keyval - 1 : keyval;
#else
    return keyval;
#endif
}

/* An optional ierror may be absent. */
static inline void fortran_set(MPI_Fint *ierror, MPI_Fint value)
{
    if (ierror)
        *ierror = value;
}

/* Room for n elements; none if n is an ARRAY_ code. */
void *fortran_array(struct call *call, int64_t n, size_t size);
/* Room for n Fortran statuses, or `ignored` if there is none. */
MPI_Fint *fortran_statuses(struct call *call, MPI_Fint *ignored, int64_t n);

/* The string without the blanks that fill it up. */
char *fortran_string(struct call *call, const char *s, size_t length);
/* n strings, or as many as stand before a blank one (CALL_TO_NULL); a null pointer stands after them. A
 * sentinel (MPI_ARGV_NULL) stays what it is in C; none if n is an ARRAY_ code. */
char **fortran_strings(struct call *call, const char *strings, size_t length, int64_t n);
/* An array (n, *) of strings: n lists, each ended by a blank one. */
char ***fortran_string_lists(struct call *call, const char *strings, size_t length, int64_t n);

#endif
