/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Procedures of MPI-1 that programs still call. Those that MPI 3.0 removed exist only in MPICH:
 * the mpi.h of Open MPI makes macros of them that do not compile. */
#include "expect.h"

#include <stddef.h>

static int copied, deleted; /* calls of the functions below */

static int copy(MPI_Comm comm, int key, void *state, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)state;
    *(void **)out = in;
    *flag = 1;
    copied++;
    return MPI_SUCCESS;
}

static int forget(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm, (void)key, (void)value, (void)state;
    deleted++;
    return MPI_SUCCESS;
}

static void attributes(void)
{
    int key, value, *got, flag;
    MPI_Comm dup;
    MPI_Keyval_create(copy, forget, &key, NULL);
    const int number = key; /* MPI_Keyval_free sets the variable */
    OK("MPI_Keyval_create(copy_fn=ptr, delete_fn=ptr, keyval=%d, extra_state=NULL)", number);
    MPI_Attr_put(MPI_COMM_WORLD, key, &value);
    OK("MPI_Attr_put(" WORLD ", keyval=%d, attribute_val=ptr)", number);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    OK("MPI_Comm_dup(" WORLD ", newcomm=comm0)");
    MPI_Attr_get(dup, key, &got, &flag);
    OK("MPI_Attr_get(comm=comm0, keyval=%d, attribute_val=ptr, flag=1)", number);
    MPI_Comm_free(&dup);
    OK("MPI_Comm_free(comm=comm0)");
    MPI_Attr_delete(MPI_COMM_WORLD, key);
    OK("MPI_Attr_delete(" WORLD ", keyval=%d)", number);
    MPI_Attr_get(MPI_COMM_WORLD, key, &got, &flag);
    OK("MPI_Attr_get(" WORLD ", keyval=%d, attribute_val=NULL, flag=0)", number);
    MPI_Keyval_free(&key);
    OK("MPI_Keyval_free(keyval=%d->MPI_KEYVAL_INVALID)", number);
    if (copied != 1 || deleted != 2)
        EXPECT("the attribute should have been copied once and deleted twice");
}

#ifdef OPEN_MPI

static void removed(void)
{
}

#else

static void ignore_errors(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

static void handlers(void)
{
    MPI_Errhandler handler, got;
    MPI_Errhandler_create(ignore_errors, &handler);
    OK("MPI_Errhandler_create(handler_fn=ptr, errhandler=errhandler0)");
    MPI_Errhandler_set(MPI_COMM_WORLD, handler);
    OK("MPI_Errhandler_set(" WORLD ", errhandler=errhandler0)");
    MPI_Errhandler_get(MPI_COMM_WORLD, &got);
    OK("MPI_Errhandler_get(" WORLD ", errhandler=errhandler0)");
    MPI_Errhandler_free(&got);
    OK("MPI_Errhandler_free(errhandler=errhandler0)");
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    OK("MPI_Errhandler_set(" WORLD ", errhandler=MPI_ERRORS_ARE_FATAL)");
    MPI_Errhandler_free(&handler);
    OK("MPI_Errhandler_free(errhandler=errhandler0)");
}

/* From byte 4 to byte 28. */
static void measure(MPI_Datatype *type, const char *name)
{
    MPI_Aint value;
    MPI_Type_extent(*type, &value);
    OK("MPI_Type_extent(datatype=%s, extent=24)", name);
    MPI_Type_lb(*type, &value);
    OK("MPI_Type_lb(datatype=%s, displacement=4)", name);
    MPI_Type_ub(*type, &value);
    OK("MPI_Type_ub(datatype=%s, displacement=28)", name);
    MPI_Type_free(type);
    OK("MPI_Type_free(datatype=%s)", name);
}

static void datatypes(void)
{
    int lengths[2] = {2, 3};
    MPI_Aint places[2] = {4, 16}, address;
    MPI_Datatype type, types[2] = {MPI_INT, MPI_FLOAT};
    MPI_Address(&type, &address);
    OK("MPI_Address(location=ptr, address=ptr)");
    MPI_Type_hindexed(2, lengths, places, MPI_INT, &type);
    OK("MPI_Type_hindexed(count=2, array_of_blocklengths=[2, 3], array_of_displacements=[4, 16], "
       "oldtype=MPI_INT, newtype=type0)");
    measure(&type, "type0");
    MPI_Type_struct(2, lengths, places, types, &type);
    OK("MPI_Type_struct(count=2, array_of_blocklengths=[2, 3], array_of_displacements=[4, 16], "
       "array_of_types=[MPI_INT, MPI_FLOAT], newtype=type1)");
    measure(&type, "type1");
    MPI_Type_hvector(2, 1, 10, MPI_INT, &type);
    OK("MPI_Type_hvector(count=2, blocklength=1, stride=10, oldtype=MPI_INT, newtype=type2)");
    MPI_Type_free(&type);
    OK("MPI_Type_free(datatype=type2)");
}

static void removed(void)
{
    handlers();
    datatypes();
}

#endif

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    attributes();
    removed();
    return expect_end();
}
