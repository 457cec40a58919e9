/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Attributes: keys of the program, and those that MPI defines. Values are addresses. */
#include "expect.h"

#include <stddef.h>
#include <stdint.h>

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

/* The duplicate inherits the value through the function above. */
static void own_key(void)
{
    int key, flag, value = 42, *got;
    MPI_Comm dup;
    MPI_Comm_create_keyval(copy, forget, &key, NULL);
    int number = key; /* MPI_Comm_free_keyval sets the variable */
    OK("MPI_Comm_create_keyval(comm_copy_attr_fn=ptr, comm_delete_attr_fn=ptr, comm_keyval=%d, "
       "extra_state=NULL)",
       number);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    OK("MPI_Comm_set_attr(" WORLD ", comm_keyval=%d, attribute_val=ptr)", number);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    OK("MPI_Comm_dup(" WORLD ", newcomm=comm0)");
    MPI_Comm_get_attr(dup, key, &got, &flag);
    OK("MPI_Comm_get_attr(comm=comm0, comm_keyval=%d, attribute_val=ptr, flag=1)", number);
    if (*got != 42 || copied != 1)
        EXPECT("the attribute should have been copied");
    MPI_Comm_free(&dup);
    OK("MPI_Comm_free(comm=comm0)");
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    OK("MPI_Comm_delete_attr(" WORLD ", comm_keyval=%d)", number);
    if (deleted != 2)
        EXPECT("the attribute should have been deleted twice");
    MPI_Comm_free_keyval(&key);
    OK("MPI_Comm_free_keyval(comm_keyval=%d->MPI_KEYVAL_INVALID)", number);
}

/* Values that are numbers. As buffers, some of them would be MPI_IN_PLACE or MPI_BOTTOM. */
static void numbers(void)
{
    int key, flag;
    MPI_Comm_create_keyval(copy, forget, &key, (void *)1);
    int number = key;
    OK("MPI_Comm_create_keyval(comm_copy_attr_fn=ptr, comm_delete_attr_fn=ptr, comm_keyval=%d, "
       "extra_state=ptr)",
       number);
    for (intptr_t i = -1; i < 3; i++) {
        void *got;
        const char *text = i ? "ptr" : "NULL";
        MPI_Comm_set_attr(MPI_COMM_SELF, key, (void *)i);
        OK("MPI_Comm_set_attr(comm=MPI_COMM_SELF, comm_keyval=%d, attribute_val=%s)", number, text);
        MPI_Comm_get_attr(MPI_COMM_SELF, key, &got, &flag);
        OK("MPI_Comm_get_attr(comm=MPI_COMM_SELF, comm_keyval=%d, attribute_val=%s, flag=1)", number, text);
    }
    MPI_Comm_delete_attr(MPI_COMM_SELF, key);
    OK("MPI_Comm_delete_attr(comm=MPI_COMM_SELF, comm_keyval=%d)", number);
    MPI_Comm_free_keyval(&key);
    OK("MPI_Comm_free_keyval(comm_keyval=%d->MPI_KEYVAL_INVALID)", number);
}

/* MPI's own attributes: pointers to numbers. */
static void predefined(void)
{
    int *value, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    OK("MPI_Comm_get_attr(" WORLD ", comm_keyval=MPI_TAG_UB, attribute_val=ptr, flag=1)");
    if (*value < 32767)
        EXPECT("MPI_TAG_UB should be at least 32767");
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag);
    OK("MPI_Comm_get_attr(" WORLD ", comm_keyval=MPI_WTIME_IS_GLOBAL, attribute_val=ptr, flag=1)");
}

static int forget_type(MPI_Datatype type, int key, void *value, void *state)
{
    (void)type, (void)key, (void)value, (void)state;
    return MPI_SUCCESS;
}

static int copy_type(MPI_Datatype type, int key, void *state, void *in, void *out, int *flag)
{
    (void)type, (void)key, (void)state, (void)in, (void)out;
    *flag = 0;
    return MPI_SUCCESS;
}

static void of_datatype(void)
{
    int key, flag, state, value, *got = NULL;
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_INT, &type);
    OK("MPI_Type_contiguous(count=2, oldtype=MPI_INT, newtype=type0)");
    MPI_Type_create_keyval(copy_type, forget_type, &key, &state);
    int number = key;
    OK("MPI_Type_create_keyval(type_copy_attr_fn=ptr, type_delete_attr_fn=ptr, type_keyval=%d, "
       "extra_state=ptr)",
       number);
    MPI_Type_set_attr(type, key, &value);
    OK("MPI_Type_set_attr(datatype=type0, type_keyval=%d, attribute_val=ptr)", number);
    MPI_Type_get_attr(type, key, &got, &flag);
    OK("MPI_Type_get_attr(datatype=type0, type_keyval=%d, attribute_val=ptr, flag=1)", number);
    MPI_Type_delete_attr(type, key);
    OK("MPI_Type_delete_attr(datatype=type0, type_keyval=%d)", number);
    MPI_Type_free_keyval(&key);
    OK("MPI_Type_free_keyval(type_keyval=%d->MPI_KEYVAL_INVALID)", number);
    MPI_Type_free(&type);
    OK("MPI_Type_free(datatype=type0)");
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    own_key();
    numbers();
    predefined();
    of_datatype();
    return expect_end();
}
