/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 3 4 */
/* Groups: set operations, selections, comparisons. Every line that creates a group has its own
 * numbers. */
#include "expect.h"

#include <stddef.h>

enum { MAX = 8 };

static MPI_Group all; /* of MPI_COMM_WORLD: group0 */
static int everyone[MAX];

/* Returns the name of a group that a call created for the first time. The empty group has a name
 * of MPI's. */
static const char *made(MPI_Group group)
{
    static int next = 1;
    return group == MPI_GROUP_EMPTY ? "MPI_GROUP_EMPTY" : format_text("group%d", next++);
}

static void ask(void)
{
    int n, me;
    MPI_Group_size(all, &n);
    OK("MPI_Group_size(group=group0, size=%d)", size);
    MPI_Group_rank(all, &me);
    OK("MPI_Group_rank(group=group0, rank=%d)", rank);
    MPI_Group_rank(MPI_GROUP_EMPTY, &me);
    OK("MPI_Group_rank(group=MPI_GROUP_EMPTY, rank=MPI_UNDEFINED)");
}

/* Asked again while the group lives, both MPI libraries return the same handle: the symbol lives
 * until the last free. */
static void same_group_twice(void)
{
    MPI_Group again;
    MPI_Comm_group(MPI_COMM_WORLD, &again);
    const char *name = again == all ? "group0" : made(again);
    OK("MPI_Comm_group(" WORLD ", group=%s)", name);
    int result;
    MPI_Group_compare(all, again, &result);
    OK("MPI_Group_compare(group1=group0, group2=%s, result=MPI_IDENT)", name);
    MPI_Group_free(&again);
    OK("MPI_Group_free(group=%s)", name);
    MPI_Group_size(all, &result);
    OK("MPI_Group_size(group=group0, size=%d)", size);
}

/* Lower and upper part of the world with one common process, and groups made of them. */
static void sets(void)
{
    int half = (size + 1) / 2, result, ranks[MAX], expected[MAX];
    MPI_Group low, high, other;
    MPI_Group_incl(all, half, everyone, &low);
    const char *l = made(low);
    OK("MPI_Group_incl(group=group0, n=%d, ranks=%s, newgroup=%s)", half, int_list(half, everyone), l);
    MPI_Group_excl(all, half - 1, everyone, &high);
    const char *h = made(high);
    OK("MPI_Group_excl(group=group0, n=%d, ranks=%s, newgroup=%s)", half - 1, int_list(half - 1, everyone),
       h);

    MPI_Group_compare(low, all, &result);
    OK("MPI_Group_compare(group1=%s, group2=group0, result=%s)", l,
       half == size ? "MPI_IDENT" : "MPI_UNEQUAL");
    MPI_Group_translate_ranks(low, half, everyone, high, ranks);
    for (int i = 0; i < half; i++)
        expected[i] = i == half - 1 ? 0 : MPI_UNDEFINED;
    OK("MPI_Group_translate_ranks(group1=%s, n=%d, ranks1=%s, group2=%s, ranks2=%s)", l, half,
       int_list(half, everyone), h, rank_list(half, expected));

    MPI_Group_union(low, high, &other);
    const char *o = made(other);
    OK("MPI_Group_union(group1=%s, group2=%s, newgroup=%s)", l, h, o);
    MPI_Group_free(&other);
    OK("MPI_Group_free(group=%s)", o);
    MPI_Group_intersection(low, high, &other);
    o = made(other);
    OK("MPI_Group_intersection(group1=%s, group2=%s, newgroup=%s)", l, h, o);
    MPI_Group_free(&other);
    OK("MPI_Group_free(group=%s)", o);
    MPI_Group_difference(low, low, &other);
    OK("MPI_Group_difference(group1=%s, group2=%s, newgroup=%s)", l, l, made(other));

    MPI_Group_free(&low);
    OK("MPI_Group_free(group=%s)", l);
    MPI_Group_free(&high);
    OK("MPI_Group_free(group=%s)", h);
}

static void ranges(void)
{
    MPI_Group group;
    int evens[1][3] = {{0, size - 1, 2}}, down[1][3] = {{size - 1, 0, -1}}, me, result;
    const char *name = NULL;
    for (int i = 0; i < 3; i++) { /* in a loop, the number is the same each time */
        MPI_Group_range_incl(all, 1, evens, &group);
        if (i == 0)
            name = made(group);
        OK("MPI_Group_range_incl(group=group0, n=1, ranges=[0, %d, 2], newgroup=%s)", size - 1, name);
        MPI_Group_rank(group, &me);
        OK("MPI_Group_rank(group=%s, rank=%s)", name, rank_text(rank % 2 == 0 ? rank / 2 : MPI_UNDEFINED));
        MPI_Group_free(&group);
        OK("MPI_Group_free(group=%s)", name);
    }
    MPI_Group_range_excl(all, 1, evens, &group);
    name = made(group);
    OK("MPI_Group_range_excl(group=group0, n=1, ranges=[0, %d, 2], newgroup=%s)", size - 1, name);
    if (size > 1) { /* not empty */
        MPI_Group_free(&group);
        OK("MPI_Group_free(group=%s)", name);
    }
    MPI_Group_range_incl(all, 1, down, &group);
    name = made(group);
    OK("MPI_Group_range_incl(group=group0, n=1, ranges=[%d, 0, -1], newgroup=%s)", size - 1, name);
    MPI_Group_compare(group, all, &result);
    OK("MPI_Group_compare(group1=%s, group2=group0, result=%s)", name,
       size == 1 ? "MPI_IDENT" : "MPI_SIMILAR");
    MPI_Group_free(&group);
    OK("MPI_Group_free(group=%s)", name);
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    for (int i = 0; i < MAX; i++)
        everyone[i] = i;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    OK("MPI_Comm_group(" WORLD ", group=group0)");
    ask();
    same_group_twice();
    sets();
    ranges();
    MPI_Group_free(&all);
    OK("MPI_Group_free(group=group0)");
    return expect_end();
}
