/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 3; large: 2 */
/* Files: all procedures that move data, with explicit offsets, individual pointers and the shared
 * pointer; alone and together; blocking, non-blocking and split. */
#include "expect.h"

#include <string.h>

enum { N = 4, BYTES = N * sizeof(int) };

static int data[N];
static MPI_File file; /* file0 */
static MPI_Status status;

static const char *moved(void)
{
    return status_is(MPI_ANY_SOURCE, MPI_ANY_TAG, BYTES);
}

/* Returns the request that a line makes: each line makes its own number, in their order. */
static const char *made(void)
{
    static int next;
    return format_text("req%d", next++);
}

/* One procedure each. With an offset, each process accesses its own block. */
#define AT ((MPI_Offset)rank * BYTES)

#define BY_OFFSET(procedure)                                                                                 \
    do {                                                                                                     \
        procedure(file, AT, data, N, MPI_INT, &status);                                                      \
        OK(#procedure "(fh=file0, offset=%d, buf=ptr, count=4, datatype=MPI_INT, status=%s)", (int)AT,       \
           moved());                                                                                         \
    } while (0)

#define BY_POINTER(procedure)                                                                                \
    do {                                                                                                     \
        procedure(file, data, N, MPI_INT, &status);                                                          \
        OK(#procedure "(fh=file0, buf=ptr, count=4, datatype=MPI_INT, status=%s)", moved());                 \
    } while (0)

static void complete(MPI_Request *request, const char *name)
{
    MPI_Wait(request, &status);
    OK("MPI_Wait(request=%s, status=%s)", name, moved());
}

#define START_BY_OFFSET(procedure)                                                                           \
    do {                                                                                                     \
        MPI_Request request;                                                                                 \
        const char *name = made();                                                                           \
        procedure(file, AT, data, N, MPI_INT, &request);                                                     \
        OK(#procedure "(fh=file0, offset=%d, buf=ptr, count=4, datatype=MPI_INT, request=%s)", (int)AT,      \
           name);                                                                                            \
        complete(&request, name);                                                                            \
    } while (0)

#define START_BY_POINTER(procedure)                                                                          \
    do {                                                                                                     \
        MPI_Request request;                                                                                 \
        const char *name = made();                                                                           \
        procedure(file, data, N, MPI_INT, &request);                                                         \
        OK(#procedure "(fh=file0, buf=ptr, count=4, datatype=MPI_INT, request=%s)", name);                   \
        complete(&request, name);                                                                            \
    } while (0)

#define END(procedure)                                                                                       \
    do {                                                                                                     \
        procedure(file, data, &status);                                                                      \
        OK(#procedure "(fh=file0, buf=ptr, status=%s)", moved());                                            \
    } while (0)

#define HALVES_BY_OFFSET(begin, end)                                                                         \
    do {                                                                                                     \
        begin(file, AT, data, N, MPI_INT);                                                                   \
        OK(#begin "(fh=file0, offset=%d, buf=ptr, count=4, datatype=MPI_INT)", (int)AT);                     \
        END(end);                                                                                            \
    } while (0)

#define HALVES_BY_POINTER(begin, end)                                                                        \
    do {                                                                                                     \
        begin(file, data, N, MPI_INT);                                                                       \
        OK(#begin "(fh=file0, buf=ptr, count=4, datatype=MPI_INT)");                                         \
        END(end);                                                                                            \
    } while (0)

/* All processes write before any process reads the data of the others. */
static void together(void)
{
    MPI_File_sync(file);
    OK("MPI_File_sync(fh=file0)");
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    memset(data, 0, sizeof data);
}

static void by_offset(void)
{
    BY_OFFSET(MPI_File_write_at);
    BY_OFFSET(MPI_File_write_at_all);
    START_BY_OFFSET(MPI_File_iwrite_at);
    START_BY_OFFSET(MPI_File_iwrite_at_all);
    HALVES_BY_OFFSET(MPI_File_write_at_all_begin, MPI_File_write_at_all_end);
    together();
    BY_OFFSET(MPI_File_read_at);
    BY_OFFSET(MPI_File_read_at_all);
    START_BY_OFFSET(MPI_File_iread_at);
    START_BY_OFFSET(MPI_File_iread_at_all);
    HALVES_BY_OFFSET(MPI_File_read_at_all_begin, MPI_File_read_at_all_end);
    if (data[N - 1] != N - 1)
        EXPECT("what was read should be what was written");
}

static void rewind_own(void)
{
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    OK("MPI_File_seek(fh=file0, offset=0, whence=MPI_SEEK_SET)");
}

static void by_own_pointer(void)
{
    rewind_own();
    BY_POINTER(MPI_File_write);
    BY_POINTER(MPI_File_write_all);
    START_BY_POINTER(MPI_File_iwrite);
    START_BY_POINTER(MPI_File_iwrite_all);
    HALVES_BY_POINTER(MPI_File_write_all_begin, MPI_File_write_all_end);
    together();
    rewind_own();
    BY_POINTER(MPI_File_read);
    BY_POINTER(MPI_File_read_all);
    START_BY_POINTER(MPI_File_iread);
    START_BY_POINTER(MPI_File_iread_all);
    HALVES_BY_POINTER(MPI_File_read_all_begin, MPI_File_read_all_end);
    if (data[N - 1] != N - 1)
        EXPECT("what was read should be what was written");
}

/* The order of writes is open; there is enough for all to read. */
static void rewind_shared(void)
{
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    OK("MPI_File_seek_shared(fh=file0, offset=0, whence=MPI_SEEK_SET)");
}

static void by_shared_pointer(void)
{
    rewind_shared();
    BY_POINTER(MPI_File_write_shared);
    START_BY_POINTER(MPI_File_iwrite_shared);
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    BY_POINTER(MPI_File_write_ordered);
    HALVES_BY_POINTER(MPI_File_write_ordered_begin, MPI_File_write_ordered_end);
    MPI_Offset at;
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    MPI_File_get_position_shared(file, &at);
    OK("MPI_File_get_position_shared(fh=file0, offset=%d)", 4 * BYTES * size);
    together();
    rewind_shared();
    BY_POINTER(MPI_File_read_shared);
    START_BY_POINTER(MPI_File_iread_shared);
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    BY_POINTER(MPI_File_read_ordered);
    HALVES_BY_POINTER(MPI_File_read_ordered_begin, MPI_File_read_ordered_end);
    if (data[N - 1] != N - 1)
        EXPECT("what was read should be what was written");
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    const char *path = format_text("%s.data", argv[1]), *name = quoted(path);
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &file);
    OK("MPI_File_open(" WORLD ", filename=%s, amode=MPI_MODE_CREATE|MPI_MODE_DELETE_ON_CLOSE|MPI_MODE_RDWR, "
       "info=MPI_INFO_NULL, fh=file0)",
       name);
    for (int i = 0; i < N; i++)
        data[i] = i;
    by_offset();
    by_own_pointer();
    by_shared_pointer();
    MPI_File_close(&file);
    OK("MPI_File_close(fh=file0)");
    return expect_end();
}
