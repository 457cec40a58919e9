/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 4 */
/* The program's own data: regions in all forms and with all mistakes, levels, a topology, notes.
 * The trace has them like MPI calls, as the program passed them. */
#include "expect.h"

#include <refrain.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 50, NAMES = 300, LONGEST = 1023 };

#define BEGIN(name)                                                                                          \
    do {                                                                                                     \
        refrain_region_begin(name);                                                                          \
        EXPECT("refrain_region_begin(name=%s)", quoted(name));                                               \
    } while (0)
#define END(name)                                                                                            \
    do {                                                                                                     \
        refrain_region_end(name);                                                                            \
        EXPECT("refrain_region_end(name=%s)", quoted(name));                                                 \
    } while (0)
#define BARRIER                                                                                              \
    do {                                                                                                     \
        MPI_Barrier(MPI_COMM_WORLD);                                                                         \
        OK("MPI_Barrier(" WORLD ")");                                                                        \
    } while (0)

static void exchange(void)
{
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    int in, out = rank;
    MPI_Sendrecv(&out, 1, MPI_INT, right, 3, &in, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    OK("MPI_Sendrecv(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, dest=%d, sendtag=3, recvbuf=ptr, "
       "recvcount=1, "
       "recvtype=MPI_INT, source=%d, recvtag=3, " WORLD ", status=ignored%s)",
       right, left, status_is(left, 3, sizeof in));
}

static void nested(void)
{
    for (int i = 0; i < STEPS; i++) {
        BEGIN("step");
        exchange();
        if (i % 10 == 0) {
            BEGIN("every tenth");
            BARRIER;
            END("every tenth");
        }
        END("step");
    }
}

/* One call site with many names, soon too many for rows. */
static void numbered(void)
{
    for (int i = 0; i < NAMES; i++) {
        const char *name = format_text("iteration %d", i * i);
        BEGIN(name);
        exchange();
        END(name);
    }
}

/* Names of any length and any bytes. */
static void odd_names(void)
{
    char *name = malloc(LONGEST + 2);
    if (!name)
        abort();
    for (int n = 0; n <= 17; n++) {
        memset(name, 'a' + n, (size_t)n);
        name[n] = '\0';
        BEGIN(name);
        END(name);
    }
    BEGIN("\"quoted\" \\ <&> \t\n");
    END("\"quoted\" \\ <&> \t\n");
    refrain_region_begin("\xFF\x01\xC3\xA4");
    EXPECT("refrain_region_begin(name=\"\\377\\001\xC3\xA4\")");
    refrain_region_end("\xFF\x01\xC3\xA4");
    EXPECT("refrain_region_end(name=\"\\377\\001\xC3\xA4\")");
    /* A name that is too long is cut. */
    memset(name, 'x', LONGEST + 1);
    name[LONGEST + 1] = '\0';
    refrain_region_begin(name);
    refrain_region_end(name);
    name[LONGEST] = '\0';
    EXPECT("refrain_region_begin(name=\"%s\")", name);
    EXPECT("refrain_region_end(name=\"%s\")", name);
    free(name);
}

static void mistakes(void)
{
    END("never begun");
    refrain_region_end(NULL);
    EXPECT("refrain_region_end(name=NULL)");
    refrain_region_begin(NULL);
    EXPECT("refrain_region_begin(name=NULL)");
    BARRIER;
    BEGIN("outer");
    BEGIN("inner");
    BARRIER;
    END("outer");
    END("inner");
    for (int i = 0; i < 3; i++)
        BEGIN("unended");
}

static void levels(void)
{
    for (int level = 3; level < 6; level++) {
        MPI_Pcontrol(level);
        OK("MPI_Pcontrol(level=%d)", level);
        BARRIER;
    }
    MPI_Pcontrol(1);
    OK("MPI_Pcontrol(level=1)");
}

static void topologies(void)
{
    const int dims[] = {size, 1}, periodic[] = {1, 0}, coords[] = {rank, 0};
    const char *const names[] = {"x", NULL};
    refrain_topology_coords(coords);
    EXPECT("refrain_topology_coords(coords=[])");
    refrain_topology_cart(2, dims, periodic, names);
    EXPECT("refrain_topology_cart(ndims=2, dims=[%d, 1], periodic=[1, 0], names=[\"x\", NULL])", size);
    refrain_topology_coords(coords);
    EXPECT("refrain_topology_coords(coords=[%d, 0])", rank);
    refrain_topology_coords(NULL);
    EXPECT("refrain_topology_coords(coords=NULL)");
    refrain_topology_cart(1, dims, NULL, NULL);
    EXPECT("refrain_topology_cart(ndims=1, dims=[%d], periodic=NULL, names=NULL)", size);
    refrain_topology_cart(-1, dims, periodic, names);
    EXPECT("refrain_topology_cart(ndims=-1, dims=[], periodic=[], names=[])");
    refrain_topology_cart(1000000, dims, periodic, names);
    EXPECT("refrain_topology_cart(ndims=1000000, dims=[], periodic=[], names=[])");
    refrain_topology_cart(2, NULL, NULL, NULL);
    EXPECT("refrain_topology_cart(ndims=2, dims=NULL, periodic=NULL, names=NULL)");
}

static void notes(void)
{
    refrain_note("input", "sphere.in");
    EXPECT("refrain_note(key=\"input\", value=\"sphere.in\")");
    refrain_note("rank", format_text("%d", rank));
    EXPECT("refrain_note(key=\"rank\", value=\"%d\")", rank);
    refrain_note(NULL, NULL);
    EXPECT("refrain_note(key=NULL, value=NULL)");
}

int main(int argc, char **argv)
{
    expect_open(argc, argv);
    BEGIN("before MPI");
    const char *arguments = quoted_list(argc, argv);
    MPI_Init(&argc, &argv);
    OK("MPI_Init(argc=%d, argv=%s)", argc, arguments);
    END("before MPI");
    expect_world();
    nested();
    numbered();
    odd_names();
    mistakes();
    levels();
    topologies();
    notes();
    const int status = expect_end();
    refrain_region_begin("after MPI");
    refrain_note("after", "MPI");
    refrain_region_end("after MPI");
    return status;
}
