/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 3 */
/* Handles and statuses in Fortran's form. MPICH makes macros of these procedures for most handles,
 * so there is no call. (Communicators and datatypes are in environment.c.) */
#include "expect.h"

/* Converts a handle to Fortran and back. */
#define THERE_AND_BACK(kind, type, parameter, handle, name)                                                  \
    do {                                                                                                     \
        MPI_Fint number = MPI_##kind##_c2f(handle);                                                          \
        EXPECT("MPI_" #kind "_c2f(" #parameter "=%s) = %s", name, name);                                     \
        type again = MPI_##kind##_f2c(number);                                                               \
        EXPECT("MPI_" #kind "_f2c(" #parameter "=%s) = %s", name, name);                                     \
        if (again != (handle))                                                                               \
            EXPECT("MPI_" #kind "_f2c should give the handle back");                                         \
    } while (0)

static void file(void)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    OK("MPI_File_open(comm=MPI_COMM_SELF, filename=\"/dev/null\", amode=MPI_MODE_RDONLY, info=MPI_INFO_NULL, "
       "fh=file0)");
    THERE_AND_BACK(File, MPI_File, file, file, "file0");
    MPI_File_close(&file);
    OK("MPI_File_close(fh=file0)");
}

/* A message of a rank to itself: its request, the message that a probe finds, and its status. */
static void message(void)
{
    int x = rank, got;
    MPI_Request request;
    MPI_Message message;
    MPI_Status status, again;
    MPI_Fint integers[sizeof(MPI_Status) / sizeof(MPI_Fint) + 8];
    const char *arrived = status_is(rank, 3, sizeof x);
    MPI_Isend(&x, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &request);
    OK("MPI_Isend(buf=ptr, count=1, datatype=MPI_INT, dest=%d, tag=3, " WORLD ", request=req0)", rank);
#ifndef MPI_Request_c2f
    THERE_AND_BACK(Request, MPI_Request, request, request, "req0");
#endif
    MPI_Mprobe(rank, 3, MPI_COMM_WORLD, &message, &status);
    OK("MPI_Mprobe(source=%d, tag=3, " WORLD ", message=message0, status=%s)", rank, arrived);
#ifndef MPI_Message_c2f
    THERE_AND_BACK(Message, MPI_Message, message, message, "message0");
#endif
    MPI_Mrecv(&got, 1, MPI_INT, &message, &status);
    OK("MPI_Mrecv(buf=ptr, count=1, datatype=MPI_INT, message=message0, status=%s)", arrived);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    OK("MPI_Wait(request=req0, status=ignored" SENT ")");
    MPI_Status_c2f(&status, integers);
    OK("MPI_Status_c2f(c_status=%s, f_status=%s)", arrived, arrived);
    MPI_Status_f2c(integers, &again);
    OK("MPI_Status_f2c(f_status=%s, c_status=%s)", arrived, arrived);
}

/* Handles of the other kinds. */
static void others(void)
{
#ifndef MPI_Info_c2f
    static int memory[4];
    MPI_Group group;
    MPI_Info info;
    MPI_Win win;
    MPI_Info_create(&info);
    OK("MPI_Info_create(info=info0)");
    THERE_AND_BACK(Info, MPI_Info, info, info, "info0");
    MPI_Info_free(&info);
    OK("MPI_Info_free(info=info0)");
    MPI_Comm_group(MPI_COMM_SELF, &group);
    OK("MPI_Comm_group(comm=MPI_COMM_SELF, group=group0)");
    THERE_AND_BACK(Group, MPI_Group, group, group, "group0");
    MPI_Group_free(&group);
    OK("MPI_Group_free(group=group0)");
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    OK("MPI_Win_create(base=ptr, size=16, disp_unit=1, info=MPI_INFO_NULL, " WORLD ", win=win0)");
    THERE_AND_BACK(Win, MPI_Win, win, win, "win0");
    MPI_Win_free(&win);
    OK("MPI_Win_free(win=win0)");
    THERE_AND_BACK(Op, MPI_Op, op, MPI_MAX, "MPI_MAX");
    THERE_AND_BACK(Errhandler, MPI_Errhandler, errhandler, MPI_ERRORS_RETURN, "MPI_ERRORS_RETURN");
#endif
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    file();
    message();
    others();
    return expect_end();
}
