/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites of one program as a tree: shared frames, order, and sites without frames. */
#include <criterion/criterion.h>

#include "decoder/waits/report/call_paths.h"

#include <string.h>

enum { SEND, RECV, DEFINITION };

static char *modules[] = {"app"};
static struct function functions[] = {
    [SEND] = {.name = "MPI_Send"}, [RECV] = {.name = "MPI_Recv"}, [DEFINITION] = {.name = "@process"}};
static char command_key[] = "command";

static void create(struct call_paths *p, struct site *sites, size_t n, const char *command)
{
    struct meta meta = {command_key, (char *)command};
    const struct trace t = {.functions.functions = {functions, 3, 3},
                            .modules = {modules, 1, 1},
                            .meta = {&meta, command ? 1 : 0, 1},
                            .sites = {sites, n, n}};
    cr_assert_eq(call_paths_create(p, &t, NULL), REFRAIN_OK);
}

/* Paths as lines, indented by their depth. */
static void is(const struct call_paths *p, const char *expected)
{
    char text[1000] = "";
    for (size_t i = 0; i < p->items.n; i++) {
        for (uint32_t at = p->items.items[i].parent; at != MAP_NONE; at = p->items.items[at].parent)
            strcat(text, " ");
        strcat(text, text_table_at(&p->functions, p->items.items[i].function));
        strcat(text, "\n");
    }
    cr_expect_str_eq(text, expected);
}

Test(call_paths, tree)
{
    struct frame one[] = {{0, 0x31}, {0, 0x80}}, two[] = {{0, 0x33}, {0, 0x80}},
                 three[] = {{0, 0x33}, {0, 0x95}}, four[] = {{0, 0x80}};
    struct site sites[] = {{SEND, 2, one},  {RECV, 2, three}, {RECV, 2, two},
                           {SEND, 1, four}, {RECV, 0, NULL},  {DEFINITION, 0, NULL}};
    struct call_paths p;
    create(&p, sites, 6, "/usr/bin/app -n 4");
    is(&p, "app\n"
           " app+0x80\n"
           "  app+0x31\n"
           "   MPI_Send\n"
           "  app+0x33\n"
           "   MPI_Recv\n"
           "  MPI_Send\n"
           " app+0x95\n"
           "  app+0x33\n"
           "   MPI_Recv\n"
           " MPI_Recv\n");
    const uint32_t of_site[] = {3, 9, 5, 6, 10, 0};
    cr_expect(memcmp(p.of_site, of_site, sizeof of_site) == 0);
    call_paths_free(&p);
}

Test(call_paths, program)
{
    struct call_paths p;
    create(&p, NULL, 0, "'my folder/my app' -n");
    is(&p, "my app\n");
    call_paths_free(&p);
    create(&p, NULL, 0, NULL);
    is(&p, "program\n");
    call_paths_free(&p);
}
