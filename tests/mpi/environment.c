/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Inquiry: versions, names, clocks, threads, and calls before MPI_Init. */
#include "expect.h"

#include <stddef.h>

static void before_init(void)
{
    int flag, version, subversion;
    MPI_Initialized(&flag);
    OK("MPI_Initialized(flag=0)");
    MPI_Finalized(&flag);
    OK("MPI_Finalized(flag=0)");
    MPI_Get_version(&version, &subversion);
    OK("MPI_Get_version(version=%d, subversion=%d)", MPI_VERSION, MPI_SUBVERSION);
}

static void library(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING], name[MPI_MAX_PROCESSOR_NAME];
    int length, flag;
    MPI_Get_library_version(text, &length);
    OK("MPI_Get_library_version(version=%s, resultlen=%d)", quoted(text), length);
    MPI_Get_processor_name(name, &length);
    OK("MPI_Get_processor_name(name=%s, resultlen=%d)", quoted(name), length);
    MPI_Initialized(&flag);
    OK("MPI_Initialized(flag=1)");
}

static void threads(int provided)
{
    static const struct {
        int level;
        const char *name;
    } levels[] = {{MPI_THREAD_SINGLE, "MPI_THREAD_SINGLE"},
                  {MPI_THREAD_FUNNELED, "MPI_THREAD_FUNNELED"},
                  {MPI_THREAD_SERIALIZED, "MPI_THREAD_SERIALIZED"},
                  {MPI_THREAD_MULTIPLE, "MPI_THREAD_MULTIPLE"}};
    const char *name = NULL;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (levels[i].level == provided)
            name = levels[i].name;
    OK("MPI_Init_thread(argc=NULL, argv=NULL, required=MPI_THREAD_FUNNELED, provided=%s)", name);
    int level, flag;
    MPI_Query_thread(&level);
    OK("MPI_Query_thread(provided=%s)", name);
    MPI_Is_thread_main(&flag);
    OK("MPI_Is_thread_main(flag=1)");
}

/* The clock's value is not kept; the length of a tick is. */
static void clocks(void)
{
    double tick = MPI_Wtick();
    const char *text = format_text("%.15g", tick);
    EXPECT("MPI_Wtick() = %s", text);
    for (int i = 0; i < 5; i++) {
        MPI_Wtime();
        EXPECT("MPI_Wtime()");
    }
}

static void memory(void)
{
    void *block;
    MPI_Alloc_mem(1000, MPI_INFO_NULL, &block);
    OK("MPI_Alloc_mem(size=1000, info=MPI_INFO_NULL, baseptr=ptr)");
    MPI_Free_mem(block);
    OK("MPI_Free_mem(base=ptr)");
}

/* Fortran handles. If the library makes macros of these, there is no call. */
static void fortran(void)
{
#ifndef MPI_Comm_c2f
    MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD);
    EXPECT("MPI_Comm_c2f(comm=MPI_COMM_WORLD) = MPI_COMM_WORLD");
    MPI_Comm_f2c(world);
    EXPECT("MPI_Comm_f2c(comm=MPI_COMM_WORLD) = MPI_COMM_WORLD");
#endif
#ifndef MPI_Type_c2f
    MPI_Fint integer = MPI_Type_c2f(MPI_INT);
    EXPECT("MPI_Type_c2f(datatype=MPI_INT) = MPI_INT");
    MPI_Type_f2c(integer);
    EXPECT("MPI_Type_f2c(datatype=MPI_INT) = MPI_INT");
#endif
}

int main(int argc, char **argv)
{
    int provided, flag;
    expect_open(argc, argv);
    before_init();
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    expect_world();
    threads(provided);
    library();
    clocks();
    memory();
    fortran();
    MPI_Pcontrol(1);
    OK("MPI_Pcontrol(level=1)");
    MPI_Finalized(&flag);
    OK("MPI_Finalized(flag=0)");
    return expect_end();
}
