/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Info objects: strings in and out. */
#include "expect.h"

#include <stddef.h>

enum { LENGTH = 100 };

static MPI_Info info;

static void set(const char *key, const char *value)
{
    MPI_Info_set(info, key, value);
    OK("MPI_Info_set(info=info0, key=%s, value=%s)", quoted(key), quoted(value));
}

/* `value` NULL: the key has no value. */
static void get(MPI_Info object, const char *name, const char *key, const char *value)
{
    char got[LENGTH + 1];
    int length = 0, flag;
    MPI_Info_get_valuelen(object, key, &length, &flag);
    OK("MPI_Info_get_valuelen(info=%s, key=%s, valuelen=%d, flag=%d)", name, quoted(key), length,
       value != NULL);
    MPI_Info_get(object, key, LENGTH, got, &flag);
    OK("MPI_Info_get(info=%s, key=%s, valuelen=100, value=%s, flag=%d)", name, quoted(key),
       value ? quoted(value) : "unused", value != NULL);
}

#if MPI_VERSION >= 4
/* The content of MPI_INFO_ENV for a program without arguments. */
static void environment(void)
{
    char name[] = "program", *arguments[] = {name, NULL};
    MPI_Info_create_env(1, arguments, &info);
    OK("MPI_Info_create_env(argc=1, argv=[\"program\"], info=info3)");
    MPI_Info_free(&info);
    OK("MPI_Info_free(info=info3)");
}
#else
static void environment(void)
{
}
#endif

int main(int argc, char **argv)
{
    MPI_Info copy;
    int n;
    expect_start(&argc, &argv);
    MPI_Info_create(&info);
    OK("MPI_Info_create(info=info0)");
    set("colour", "blue");
    set("path", "/tmp/a \"b\"\\c");
    set("colour", "green and a value that is somewhat longer");
    set("rank", format_text("%d", rank));
    get(info, "info0", "colour", "green and a value that is somewhat longer");
    get(info, "info0", "path", "/tmp/a \"b\"\\c");
    get(info, "info0", "nothing", NULL);
    MPI_Info_get_nkeys(info, &n);
    OK("MPI_Info_get_nkeys(info=info0, nkeys=3)");
    for (int i = 0; i < n; i++) {
        char key[MPI_MAX_INFO_KEY + 1];
        MPI_Info_get_nthkey(info, i, key);
        OK("MPI_Info_get_nthkey(info=info0, n=%d, key=%s)", i, quoted(key));
    }

    MPI_Info_dup(info, &copy);
    OK("MPI_Info_dup(info=info0, newinfo=info1)");
    MPI_Info_delete(info, "rank");
    OK("MPI_Info_delete(info=info0, key=\"rank\")");
    get(info, "info0", "rank", NULL);
    get(copy, "info1", "rank", format_text("%d", rank));
    MPI_Info_free(&info);
    OK("MPI_Info_free(info=info0)");
    MPI_Info_free(&copy);
    OK("MPI_Info_free(info=info1)");

    /* The number is free again; another line has its own number. */
    for (int i = 0; i < 3; i++) {
        MPI_Info_create(&info);
        OK("MPI_Info_create(info=info2)");
        MPI_Info_free(&info);
        OK("MPI_Info_free(info=info2)");
    }
    environment();
    return expect_end();
}
