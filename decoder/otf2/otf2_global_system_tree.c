/* SPDX-License-Identifier: BSD-3-Clause */
/* The system of the run: the machine, its nodes, their processes and threads. */
#include "otf2_global_impl.h"

#include <inttypes.h>

enum { MACHINE = OTF2_MACHINE, FIRST_NODE };

static void system_tree(struct global *g)
{
    const char *host = trace_meta(&g->x->reader->trace, "host");
    const OTF2_StringRef machine = global_string(g, host ? host : "machine");
    const OTF2_StringRef machine_class = global_string(g, "machine"), node_class = global_string(g, "node");
    DEFINE(g, SystemTreeNode, MACHINE, machine, machine_class, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    DEFINE(g, SystemTreeNodeDomain, MACHINE, OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
    for (uint32_t i = 0; i < g->hosts.names.n; i++) {
        const OTF2_StringRef name = global_string(g, g->hosts.names.items[i]);
        DEFINE(g, SystemTreeNode, FIRST_NODE + i, name, node_class, MACHINE);
        DEFINE(g, SystemTreeNodeDomain, FIRST_NODE + i, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
    }
}

static void location_groups(struct global *g)
{
    const struct otf2_ranks *ranks = &g->x->ranks;
    for (uint32_t i = 0; i < ranks->n; i++) {
        const uint32_t rank = ranks->ranks[i];
        const OTF2_StringRef name = global_string_printf(g, "MPI Rank %" PRIu32, rank);
        DEFINE(g, LocationGroup, i, name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
               FIRST_NODE + g->hosts.of_rank[rank - g->x->reader->trace.first_rank],
               OTF2_UNDEFINED_LOCATION_GROUP);
    }
}

static void locations(struct global *g)
{
    const OTF2_StringRef master = global_string(g, "Master thread");
    for (size_t i = 0; i < g->locations->n; i++) {
        const struct otf2_location *l = &g->locations->items[i];
        const OTF2_StringRef name =
            l->thread == 0 ? master : global_string_printf(g, "Thread %" PRIu32, l->thread);
        DEFINE(g, Location, otf2_location_id(l->rank, l->thread), name, OTF2_LOCATION_TYPE_CPU_THREAD,
               l->events, otf2_location(&g->x->ranks, l->rank));
    }
}

void global_put_system_tree(struct global *g)
{
    system_tree(g);
    location_groups(g);
    locations(g);
}
