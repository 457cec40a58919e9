/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 3 */
/* Files: opened together, written and read in all ways, with views. The statuses of files have no
 * source or tag; these read as in the empty status. */
#include "expect.h"

enum { N = 4 };

static int out[N], in[N];
static MPI_File file; /* file0 */

static const char *bytes_text(int bytes)
{
    return status_is(MPI_ANY_SOURCE, MPI_ANY_TAG, bytes);
}

static void explicit_offsets(void)
{
    MPI_Status status;
    MPI_Offset at = (MPI_Offset)rank * (MPI_Offset)sizeof out, bytes;
    int place = (int)at;
    MPI_File_write_at(file, at, out, N, MPI_INT, &status);
    OK("MPI_File_write_at(fh=file0, offset=%d, buf=ptr, count=4, datatype=MPI_INT, status=%s)", place,
       bytes_text(16));
    MPI_File_sync(file);
    OK("MPI_File_sync(fh=file0)");
    MPI_Barrier(MPI_COMM_WORLD);
    OK("MPI_Barrier(" WORLD ")");
    MPI_File_get_size(file, &bytes);
    OK("MPI_File_get_size(fh=file0, size=%d)", 16 * size);
    MPI_File_read_at_all(file, at, in, 2, MPI_INT, MPI_STATUS_IGNORE);
    OK("MPI_File_read_at_all(fh=file0, offset=%d, buf=ptr, count=2, datatype=MPI_INT, status=ignored%s)",
       place, bytes_text(8));
    MPI_Request request;
    MPI_File_iread_at(file, at, in, N, MPI_INT, &request);
    OK("MPI_File_iread_at(fh=file0, offset=%d, buf=ptr, count=4, datatype=MPI_INT, request=req0)", place);
    MPI_Wait(&request, &status);
    OK("MPI_Wait(request=req0, status=%s)", bytes_text(16));
}

/* Each process sees its own block of integers, with its own pointer. */
static void views(void)
{
    MPI_Status status;
    MPI_Offset at;
    MPI_Datatype type;
    const int everything = N * size, mine = N, first = N * rank;
    MPI_Type_create_subarray(1, &everything, &mine, &first, MPI_ORDER_C, MPI_INT, &type);
    OK("MPI_Type_create_subarray(ndims=1, array_of_sizes=[%d], array_of_subsizes=[4], array_of_starts=[%d], "
       "order=MPI_ORDER_C, oldtype=MPI_INT, newtype=type0)",
       everything, first);
    MPI_Type_commit(&type);
    OK("MPI_Type_commit(datatype=type0)");
    MPI_File_set_view(file, 0, MPI_INT, type, "native", MPI_INFO_NULL);
    OK("MPI_File_set_view(fh=file0, disp=0, etype=MPI_INT, filetype=type0, datarep=\"native\", "
       "info=MPI_INFO_NULL)");
    MPI_File_read_all(file, in, N, MPI_INT, &status);
    OK("MPI_File_read_all(fh=file0, buf=ptr, count=4, datatype=MPI_INT, status=%s)", bytes_text(16));
    MPI_File_get_position(file, &at);
    OK("MPI_File_get_position(fh=file0, offset=4)");
    MPI_File_seek(file, -2, MPI_SEEK_CUR);
    OK("MPI_File_seek(fh=file0, offset=-2, whence=MPI_SEEK_CUR)");
    MPI_File_write(file, out, 2, MPI_INT, MPI_STATUS_IGNORE);
    OK("MPI_File_write(fh=file0, buf=ptr, count=2, datatype=MPI_INT, status=ignored%s)", bytes_text(8));
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    OK("MPI_File_seek(fh=file0, offset=0, whence=MPI_SEEK_SET)");
    for (int i = 0; i < N; i++) {
        MPI_File_read(file, in, 1, MPI_INT, &status);
        OK("MPI_File_read(fh=file0, buf=ptr, count=1, datatype=MPI_INT, status=%s)", bytes_text(4));
    }
    MPI_Type_free(&type);
    OK("MPI_Type_free(datatype=type0)");
}

/* File errors return by default. */
static void errors(void)
{
    MPI_File none;
    int code = MPI_File_open(MPI_COMM_SELF, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &none);
    EXPECT("MPI_File_open(comm=MPI_COMM_SELF, filename=\"/nowhere/at/all\", amode=MPI_MODE_RDONLY, "
           "info=MPI_INFO_NULL, fh=?) = %s",
           result_text(code));
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    const char *path = format_text("%s.data", argv[1]), *name = quoted(path);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    OK("MPI_File_open(" WORLD
       ", filename=%s, amode=MPI_MODE_CREATE|MPI_MODE_RDWR, info=MPI_INFO_NULL, fh=file0)",
       name);
    explicit_offsets();
    views();
    MPI_File_close(&file);
    OK("MPI_File_close(fh=file0)");
    errors();
    if (rank == 0) {
        MPI_File_delete(path, MPI_INFO_NULL);
        OK("MPI_File_delete(filename=%s, info=MPI_INFO_NULL)", name);
    }
    return expect_end();
}
