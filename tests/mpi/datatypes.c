/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 4; large: 2 */
/* Datatypes: every constructor, queries about the result, and their use in messages.
 *
 * Every line that creates a type has its own numbers, one for each distinct set of arguments. */
#include "expect.h"

#include <stddef.h>

static const char *made(void)
{
    static int next;
    return format_text("type%d", next++);
}

static void free_type(MPI_Datatype *type, const char *name)
{
    MPI_Type_free(type);
    OK("MPI_Type_free(datatype=%s)", name);
}

/* Sizes and extents in bytes. */
static void measure(MPI_Datatype type, const char *name, int bytes, int lb, int extent, int true_lb,
                    int true_extent)
{
    count_t n;
    extent_t a, b;
    MPI_Count c, d;
    MPI_Type_size(type, &n);
    OK("MPI_Type_size(datatype=%s, size=%d)", name, bytes);
    MPI_Type_size_x(type, &c);
    OK("MPI_Type_size_x(datatype=%s, size=%d)", name, bytes);
    MPI_Type_get_extent(type, &a, &b);
    OK("MPI_Type_get_extent(datatype=%s, lb=%d, extent=%d)", name, lb, extent);
    MPI_Type_get_extent_x(type, &c, &d);
    OK("MPI_Type_get_extent_x(datatype=%s, lb=%d, extent=%d)", name, lb, extent);
    MPI_Type_get_true_extent(type, &a, &b);
    OK("MPI_Type_get_true_extent(datatype=%s, true_lb=%d, true_extent=%d)", name, true_lb, true_extent);
    MPI_Type_get_true_extent_x(type, &c, &d);
    OK("MPI_Type_get_true_extent_x(datatype=%s, true_lb=%d, true_extent=%d)", name, true_lb, true_extent);
}

enum { MOST = 16 }; /* integers, addresses or types of which a type consists */

/* Takes a type apart that was made of predefined types, and frees it. The large-count procedures
 * differ: their numbers are of four kinds, because counts are neither integers nor addresses. */
#ifdef LARGE_NAMES
static void take_apart(MPI_Datatype *type, const char *name, const char *combiner, int n_integers,
                       int n_addresses, const char *datatypes)
{
    MPI_Count ints, addresses, counts, types, large[MOST];
    int kind, integers[MOST];
    MPI_Aint places[MOST];
    MPI_Datatype parts[MOST];
    MPI_Type_get_envelope(*type, &ints, &addresses, &counts, &types, &kind);
    OK("MPI_Type_get_envelope(datatype=%s, num_integers=%d, num_addresses=0, num_large_counts=%d, "
       "num_datatypes=%d, combiner=%s)",
       name, (int)ints, (int)counts, (int)types, combiner);
    if (ints + counts != n_integers + n_addresses || addresses != 0)
        EXPECT("the numbers of the type should be as many as without large counts");
    MPI_Type_get_contents(*type, ints, addresses, counts, types, integers, places, large, parts);
    OK("MPI_Type_get_contents(datatype=%s, max_integers=%d, max_addresses=0, max_large_counts=%d, "
       "max_datatypes=%d, array_of_integers=%s, array_of_addresses=[], array_of_large_counts=%s, "
       "array_of_datatypes=%s)",
       name, (int)ints, (int)counts, (int)types, int_list((int)ints, integers),
       count_list((int)counts, large), datatypes);
    free_type(type, name);
}
#else
static void take_apart(MPI_Datatype *type, const char *name, const char *combiner, int n_integers,
                       int n_addresses, const char *datatypes)
{
    int ints, addresses, types, kind, integers[MOST];
    MPI_Aint places[MOST];
    MPI_Datatype parts[MOST];
    MPI_Type_get_envelope(*type, &ints, &addresses, &types, &kind);
    OK("MPI_Type_get_envelope(datatype=%s, num_integers=%d, num_addresses=%d, num_datatypes=%d, combiner=%s)",
       name, n_integers, n_addresses, types, combiner);
    MPI_Type_get_contents(*type, ints, addresses, types, integers, places, parts);
    OK("MPI_Type_get_contents(datatype=%s, max_integers=%d, max_addresses=%d, max_datatypes=%d, "
       "array_of_integers=%s, array_of_addresses=%s, array_of_datatypes=%s)",
       name, ints, addresses, types, int_list(ints, integers), aint_list(addresses, places), datatypes);
    free_type(type, name);
}
#endif

static void regular(void)
{
    MPI_Datatype type;
    const char *name = made();
    MPI_Type_contiguous(3, MPI_INT, &type);
    OK("MPI_Type_contiguous(count=3, oldtype=MPI_INT, newtype=%s)", name);
    measure(type, name, 12, 0, 12, 0, 12);
    take_apart(&type, name, "MPI_COMBINER_CONTIGUOUS", 1, 0, "[MPI_INT]");

    name = made();
    MPI_Type_vector(2, 1, 3, MPI_DOUBLE, &type);
    OK("MPI_Type_vector(count=2, blocklength=1, stride=3, oldtype=MPI_DOUBLE, newtype=%s)", name);
    measure(type, name, 16, 0, 32, 0, 32);
    take_apart(&type, name, "MPI_COMBINER_VECTOR", 3, 0, "[MPI_DOUBLE]");

    name = made();
    MPI_Type_create_hvector(2, 1, 20, MPI_FLOAT, &type);
    OK("MPI_Type_create_hvector(count=2, blocklength=1, stride=20, oldtype=MPI_FLOAT, newtype=%s)", name);
    measure(type, name, 8, 0, 24, 0, 24);
    take_apart(&type, name, "MPI_COMBINER_HVECTOR", 2, 1, "[MPI_FLOAT]");

    name = made();
    MPI_Type_create_resized(MPI_INT, -4, 16, &type);
    OK("MPI_Type_create_resized(oldtype=MPI_INT, lb=-4, extent=16, newtype=%s)", name);
    measure(type, name, 4, -4, 16, 0, 4);
    take_apart(&type, name, "MPI_COMBINER_RESIZED", 0, 2, "[MPI_INT]");

    name = made();
    MPI_Type_dup(MPI_LONG, &type);
    OK("MPI_Type_dup(oldtype=MPI_LONG, newtype=%s)", name);
    take_apart(&type, name, "MPI_COMBINER_DUP", 0, 0, "[MPI_LONG]");
}

static void indexed(void)
{
    MPI_Datatype type;
    const count_t lengths[3] = {2, 1, 3}, places[3] = {0, 4, 6};
    const extent_t offsets[3] = {0, 16, 24};
    const char *name = made();
    MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
    OK("MPI_Type_indexed(count=3, array_of_blocklengths=[2, 1, 3], array_of_displacements=[0, 4, 6], "
       "oldtype=MPI_INT, newtype=%s)",
       name);
    measure(type, name, 24, 0, 36, 0, 36);
    take_apart(&type, name, "MPI_COMBINER_INDEXED", 7, 0, "[MPI_INT]");

    name = made();
    MPI_Type_create_hindexed(3, lengths, offsets, MPI_INT, &type);
    OK("MPI_Type_create_hindexed(count=3, array_of_blocklengths=[2, 1, 3], array_of_displacements=[0, 16, "
       "24], "
       "oldtype=MPI_INT, newtype=%s)",
       name);
    take_apart(&type, name, "MPI_COMBINER_HINDEXED", 4, 3, "[MPI_INT]");

    name = made();
    MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &type);
    OK("MPI_Type_create_indexed_block(count=3, blocklength=2, array_of_displacements=[0, 4, 6], "
       "oldtype=MPI_INT, "
       "newtype=%s)",
       name);
    take_apart(&type, name, "MPI_COMBINER_INDEXED_BLOCK", 5, 0, "[MPI_INT]");

    name = made();
    MPI_Type_create_hindexed_block(3, 2, offsets, MPI_INT, &type);
    OK("MPI_Type_create_hindexed_block(count=3, blocklength=2, array_of_displacements=[0, 16, 24], "
       "oldtype=MPI_INT, "
       "newtype=%s)",
       name);
    take_apart(&type, name, "MPI_COMBINER_HINDEXED_BLOCK", 2, 3, "[MPI_INT]");
}

static void arrays(void)
{
    MPI_Datatype type;
    const count_t sizes[2] = {4, 6}, parts[2] = {2, 3}, starts[2] = {1, 2};
    const char *name = made();
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type);
    OK("MPI_Type_create_subarray(ndims=2, array_of_sizes=[4, 6], array_of_subsizes=[2, 3], "
       "array_of_starts=[1, 2], "
       "order=MPI_ORDER_C, oldtype=MPI_INT, newtype=%s)",
       name);
    measure(type, name, 24, 0, 96, 32, 36);
    take_apart(&type, name, "MPI_COMBINER_SUBARRAY", 8, 0, "[MPI_INT]");

    name = made();
    const count_t whole[2] = {4 * size, 2};
    const int distribution[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE},
              arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, grid[2] = {size, 1};
    MPI_Type_create_darray(size, rank, 2, whole, distribution, arguments, grid, MPI_ORDER_FORTRAN, MPI_INT,
                           &type);
    OK("MPI_Type_create_darray(size=%d, rank=%d, ndims=2, array_of_gsizes=[%d, 2], "
       "array_of_distribs=[MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE], "
       "array_of_dargs=[MPI_DISTRIBUTE_DFLT_DARG, "
       "MPI_DISTRIBUTE_DFLT_DARG], array_of_psizes=[%d, 1], order=MPI_ORDER_FORTRAN, oldtype=MPI_INT, "
       "newtype=%s)",
       size, rank, 4 * size, size, name);
    take_apart(&type, name, "MPI_COMBINER_DARRAY", 12, 0, "[MPI_INT]");
}

struct record {
    int id;
    double place[3];
    char tag;
};

/* If the library makes macros of these, there is no call. */
static MPI_Aint offset_of(MPI_Aint place, MPI_Aint base)
{
    MPI_Aint offset = MPI_Aint_diff(place, base);
#ifndef MPI_Aint_diff
    EXPECT("MPI_Aint_diff(addr1=ptr, addr2=ptr) = %lld", (long long)offset);
#endif
    if (MPI_Aint_add(base, offset) != place)
        EXPECT("MPI_Aint_add should undo MPI_Aint_diff");
#ifndef MPI_Aint_add
    EXPECT("MPI_Aint_add(base=ptr, disp=%lld) = ptr", (long long)offset);
#endif
    return offset;
}

/* Asks for the parts of the structure, and frees the derived type, which is returned as the same
 * handle or a new one. */
static void take_inner(MPI_Datatype type, const char *outer, MPI_Datatype three, const char *inner)
{
    MPI_Datatype again[3];
    int integers[4];
    MPI_Aint places[3];
#ifdef LARGE_NAMES
    MPI_Count large[7];
    MPI_Type_get_contents(type, 0, 0, 7, 3, integers, places, large, again);
    const char *part = again[1] == three ? inner : made();
    OK("MPI_Type_get_contents(datatype=%s, max_integers=0, max_addresses=0, max_large_counts=7, "
       "max_datatypes=3, array_of_integers=[], array_of_addresses=[], array_of_large_counts=%s, "
       "array_of_datatypes=[MPI_INT, %s, MPI_CHAR])",
       outer, count_list(7, large), part);
#else
    MPI_Type_get_contents(type, 4, 3, 3, integers, places, again);
    const char *part = again[1] == three ? inner : made();
    OK("MPI_Type_get_contents(datatype=%s, max_integers=4, max_addresses=3, max_datatypes=3, "
       "array_of_integers=%s, array_of_addresses=%s, array_of_datatypes=[MPI_INT, %s, MPI_CHAR])",
       outer, int_list(4, integers), aint_list(3, places), part);
#endif
    free_type(&again[1], part);
}

/* A structure is committed, named and sent; then its parts are asked for, one of which is a
 * derived type. */
static void structure(void)
{
    MPI_Datatype three, type;
    const char *inner = made(), *outer = made();
    MPI_Type_contiguous(3, MPI_DOUBLE, &three);
    OK("MPI_Type_contiguous(count=3, oldtype=MPI_DOUBLE, newtype=%s)", inner);
    struct record out = {0}, in;
    MPI_Aint base, place;
    MPI_Get_address(&out, &base);
    OK("MPI_Get_address(location=ptr, address=ptr)");
    MPI_Get_address(&out.place, &place);
    OK("MPI_Get_address(location=ptr, address=ptr)");
    const extent_t places[3] = {offsetof(struct record, id), offset_of(place, base),
                                offsetof(struct record, tag)};
    const count_t lengths[3] = {1, 1, 1};
    MPI_Datatype types[3] = {MPI_INT, three, MPI_CHAR};
    MPI_Type_create_struct(3, lengths, places, types, &type);
    OK("MPI_Type_create_struct(count=3, array_of_blocklengths=[1, 1, 1], array_of_displacements=%s, "
       "array_of_types=[MPI_INT, %s, MPI_CHAR], newtype=%s)",
       extent_list(3, places), inner, outer);
    MPI_Type_commit(&type);
    OK("MPI_Type_commit(datatype=%s)", outer);
    MPI_Type_set_name(type, "record");
    OK("MPI_Type_set_name(datatype=%s, type_name=\"record\")", outer);
    char text[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Type_get_name(type, text, &length);
    OK("MPI_Type_get_name(datatype=%s, type_name=\"record\", resultlen=6)", outer);

    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    count_t count;
    MPI_Status status;
    MPI_Sendrecv(&out, 1, type, right, 0, &in, 1, type, left, 0, MPI_COMM_WORLD, &status);
    const char *arrived = status_is(left, 0, sizeof(int) + 3 * sizeof(double) + 1);
    OK("MPI_Sendrecv(sendbuf=ptr, sendcount=1, sendtype=%s, dest=%d, sendtag=0, recvbuf=ptr, recvcount=1, "
       "recvtype=%s, source=%d, recvtag=0, " WORLD ", status=%s)",
       outer, right, outer, left, arrived);
    MPI_Get_count(&status, type, &count);
    OK("MPI_Get_count(status=%s, datatype=%s, count=1)", arrived, outer);
    MPI_Get_elements(&status, type, &count);
    OK("MPI_Get_elements(status=%s, datatype=%s, count=5)", arrived, outer);
    MPI_Count elements;
    MPI_Get_elements_x(&status, type, &elements);
    OK("MPI_Get_elements_x(status=%s, datatype=%s, count=5)", arrived, outer);

    take_inner(type, outer, three, inner);
    free_type(&three, inner);
    free_type(&type, outer);
}

static void packing(void)
{
    char buffer[100];
    int x[4] = {0};
    count_t position = 0, room;
    MPI_Pack_size(4, MPI_INT, MPI_COMM_WORLD, &room);
    OK("MPI_Pack_size(incount=4, datatype=MPI_INT, " WORLD ", size=%d)", (int)room);
    MPI_Pack(x, 4, MPI_INT, buffer, 100, &position, MPI_COMM_WORLD);
    OK("MPI_Pack(inbuf=ptr, incount=4, datatype=MPI_INT, outbuf=ptr, outsize=100, position=0->%d, " WORLD ")",
       (int)position);
    const int end = (int)position;
    position = 0;
    MPI_Unpack(buffer, end, &position, x, 4, MPI_INT, MPI_COMM_WORLD);
    OK("MPI_Unpack(inbuf=ptr, insize=%d, position=0->%d, outbuf=ptr, outcount=4, datatype=MPI_INT, " WORLD
       ")",
       end, (int)position);
    MPI_Unpack(buffer, end, &position, x, 0, MPI_INT, MPI_COMM_WORLD);
    OK("MPI_Unpack(inbuf=ptr, insize=%d, position=%d, outbuf=ptr, outcount=0, datatype=MPI_INT, " WORLD ")",
       end, (int)position);

    extent_t bytes, at = 0;
    MPI_Pack_external_size("external32", 4, MPI_INT, &bytes);
    OK("MPI_Pack_external_size(datarep=\"external32\", incount=4, datatype=MPI_INT, size=16)");
    MPI_Pack_external("external32", x, 4, MPI_INT, buffer, 100, &at);
    OK("MPI_Pack_external(datarep=\"external32\", inbuf=ptr, incount=4, datatype=MPI_INT, outbuf=ptr, "
       "outsize=100, "
       "position=0->16)");
    at = 0;
    MPI_Unpack_external("external32", buffer, 16, &at, x, 4, MPI_INT);
    OK("MPI_Unpack_external(datarep=\"external32\", inbuf=ptr, insize=16, position=0->16, outbuf=ptr, "
       "outcount=4, "
       "datatype=MPI_INT)");
}

/* Other arguments at one line make another type: numbers are reused only for equal arguments. */
static void numbers(void)
{
    const char *names[3] = {made(), made(), made()};
    for (int i = 0; i < 6; i++) {
        MPI_Datatype type;
        MPI_Type_contiguous(1 + i % 3, MPI_BYTE, &type);
        OK("MPI_Type_contiguous(count=%d, oldtype=MPI_BYTE, newtype=%s)", 1 + i % 3, names[i % 3]);
        free_type(&type, names[i % 3]);
    }
}

static const char *name_of(MPI_Datatype type)
{
    static const struct {
        MPI_Datatype type;
        const char *name;
    } names[] = {{MPI_INT, "MPI_INT"}, {MPI_INTEGER, "MPI_INTEGER"}, {MPI_INTEGER4, "MPI_INTEGER4"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].type == type)
            return names[i].name;
    return made();
}

/* Types by Fortran precision and by size: predefined ones, possibly without a name. */
static void by_precision(void)
{
    MPI_Datatype type;
    MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 4, &type);
    OK("MPI_Type_match_size(typeclass=MPI_TYPECLASS_INTEGER, size=4, datatype=%s)", name_of(type));
    MPI_Type_create_f90_integer(9, &type);
    OK("MPI_Type_create_f90_integer(r=9, newtype=%s)", name_of(type));
    MPI_Type_create_f90_real(15, MPI_UNDEFINED, &type);
    OK("MPI_Type_create_f90_real(p=15, r=MPI_UNDEFINED, newtype=%s)", name_of(type));
    MPI_Type_create_f90_complex(6, 30, &type);
    OK("MPI_Type_create_f90_complex(p=6, r=30, newtype=%s)", name_of(type));
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    regular();
    indexed();
    arrays();
    structure();
    packing();
    numbers();
    by_precision();
    return expect_end();
}
