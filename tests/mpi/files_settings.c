/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2; large: 2 */
/* Files: settings, queries, error handlers, and data representations. */
#include "expect.h"

#include <stddef.h>

static MPI_File file; /* file0 */
static int handled;   /* calls of the error handler */

static void sizes(void)
{
    MPI_Offset bytes;
    MPI_File_set_size(file, 1000);
    OK("MPI_File_set_size(fh=file0, size=1000)");
    MPI_File_preallocate(file, 2000);
    OK("MPI_File_preallocate(fh=file0, size=2000)");
    MPI_File_get_size(file, &bytes);
    OK("MPI_File_get_size(fh=file0, size=2000)");
}

static void modes(void)
{
    int mode, atomic;
    MPI_Group group;
    MPI_File_get_amode(file, &mode);
    OK("MPI_File_get_amode(fh=file0, amode=MPI_MODE_CREATE|MPI_MODE_DELETE_ON_CLOSE|MPI_MODE_RDWR)");
    MPI_File_get_group(file, &group);
    OK("MPI_File_get_group(fh=file0, group=group0)");
    MPI_Group_free(&group);
    OK("MPI_Group_free(group=group0)");
    for (int on = 1; on >= 0; on--) {
        int code = MPI_File_set_atomicity(file, on);
        EXPECT("MPI_File_set_atomicity(fh=file0, flag=%d) = %s", on, result_text(code));
        if (code == MPI_SUCCESS) {
            MPI_File_get_atomicity(file, &atomic);
            OK("MPI_File_get_atomicity(fh=file0, flag=%d)", on);
        }
    }
}

/* Hints: the library may ignore them. */
static void hints(void)
{
    MPI_Info info, used;
    MPI_Info_create(&info);
    OK("MPI_Info_create(info=info0)");
    MPI_Info_set(info, "access_style", "sequential");
    OK("MPI_Info_set(info=info0, key=\"access_style\", value=\"sequential\")");
    MPI_File_set_info(file, info);
    OK("MPI_File_set_info(fh=file0, info=info0)");
    MPI_File_get_info(file, &used);
    OK("MPI_File_get_info(fh=file0, info_used=info1)");
    MPI_Info_free(&used);
    OK("MPI_Info_free(info=info1)");
    MPI_Info_free(&info);
    OK("MPI_Info_free(info=info0)");
}

/* Views from byte 8 on. (MPICH 4.0 makes no view of a type that a large-count procedure has
 * made.) */
static void views(void)
{
    MPI_Datatype type, etype, filetype;
    MPI_Offset at;
    extent_t extent;
    char representation[MPI_MAX_DATAREP_STRING];
    MPI_Type_dup(MPI_INT, &type);
    OK("MPI_Type_dup(oldtype=MPI_INT, newtype=type0)");
    MPI_Type_commit(&type);
    OK("MPI_Type_commit(datatype=type0)");
    MPI_File_set_view(file, 8, MPI_INT, type, "native", MPI_INFO_NULL);
    OK("MPI_File_set_view(fh=file0, disp=8, etype=MPI_INT, filetype=type0, datarep=\"native\", "
       "info=MPI_INFO_NULL)");
    MPI_File_get_view(file, &at, &etype, &filetype, representation);
    const char *again = filetype == type ? "type0" : "type1";
    OK("MPI_File_get_view(fh=file0, disp=8, etype=MPI_INT, filetype=%s, datarep=\"native\")", again);
    if (filetype != type) {
        MPI_Type_free(&filetype);
        OK("MPI_Type_free(datatype=type1)");
    }
    MPI_File_get_byte_offset(file, 3, &at);
    OK("MPI_File_get_byte_offset(fh=file0, offset=3, disp=20)");
    MPI_File_get_type_extent(file, type, &extent);
    OK("MPI_File_get_type_extent(fh=file0, datatype=type0, extent=4)");
    MPI_Type_free(&type);
    OK("MPI_Type_free(datatype=type0)");
}

static void count_errors(MPI_File *at, int *code, ...)
{
    (void)at, (void)code;
    handled++;
}

static void handlers(void)
{
    MPI_Errhandler handler, got;
    MPI_File_get_errhandler(file, &got);
    OK("MPI_File_get_errhandler(file=file0, errhandler=MPI_ERRORS_RETURN)");
    MPI_File_create_errhandler(count_errors, &handler);
    OK("MPI_File_create_errhandler(file_errhandler_fn=ptr, errhandler=errhandler0)");
    MPI_File_set_errhandler(file, handler);
    OK("MPI_File_set_errhandler(file=file0, errhandler=errhandler0)");
    MPI_File_call_errhandler(file, MPI_ERR_IO);
    OK("MPI_File_call_errhandler(fh=file0, errorcode=MPI_ERR_IO)");
    if (handled != 1)
        EXPECT("the error handler should have been called");
    MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
    OK("MPI_File_set_errhandler(file=file0, errhandler=MPI_ERRORS_RETURN)");
    MPI_Errhandler_free(&handler);
    OK("MPI_Errhandler_free(errhandler=errhandler0)");
}

static int same_extent(MPI_Datatype type, MPI_Aint *extent, void *state)
{
    (void)type, (void)state;
    *extent = 4;
    return MPI_SUCCESS;
}

static int no_conversion(void *user, MPI_Datatype type, count_t n, void *in_file, MPI_Offset at, void *state)
{
    (void)user, (void)type, (void)n, (void)in_file, (void)at, (void)state;
    return MPI_SUCCESS;
}

/* Open MPI 4.1 has no representations except its own, and returns an error. */
static void representations(void)
{
    int state, code = MPI_Register_datarep("mine", no_conversion, no_conversion, same_extent, &state);
    EXPECT("MPI_Register_datarep(datarep=\"mine\", read_conversion_fn=ptr, write_conversion_fn=ptr, "
           "dtype_file_extent_fn=ptr, extra_state=ptr) = %s",
           result_text(code));
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
    sizes();
    modes();
    hints();
    views();
    handlers();
    representations();
    MPI_File_close(&file);
    OK("MPI_File_close(fh=file0)");
    return expect_end();
}
