/* SPDX-License-Identifier: BSD-3-Clause */
#include "role.h"

#include "src/core/base/log.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Patterns are fnmatch's with FNM_EXTMATCH, without regard to case. The first line that matches holds. */
static const struct line {
    const char *functions;
    uint32_t actions;
    enum role_choice choice;
    enum role_scope scope;
    enum role_epoch epoch;
} lines[] = {
    /* Messages. */
    {"MPI_?(I)?([bsr])send", ROLE_SEND, 0, 0, 0},
    {"MPI_?(I)recv", ROLE_RECEIVE, 0, 0, 0},
    {"MPI_?(I)sendrecv?(_replace)", ROLE_SEND | ROLE_RECEIVE, 0, 0, 0},
    {"MPI_Psend", ROLE_SEND | ROLE_PARTITIONED, 0, 0, 0},
    {"MPI_Precv", ROLE_RECEIVE | ROLE_PARTITIONED, 0, 0, 0},
    {"MPI_@(M|Im)probe", ROLE_PROBE, 0, 0, 0},
    {"MPI_?(I)mrecv", ROLE_RECEIVE_FOUND, 0, 0, 0},
    /* Requests. */
    {"MPI_Start?(all)", ROLE_START, 0, 0, 0},
    {"MPI_Wait?(all)", ROLE_COMPLETE, ROLE_ALL, 0, 0},
    {"MPI_Waitany", ROLE_COMPLETE, ROLE_ANY, 0, 0},
    {"MPI_Waitsome", ROLE_COMPLETE, ROLE_SOME, 0, 0},
    {"MPI_Test?(all)", ROLE_COMPLETE | ROLE_TEST, ROLE_ALL, 0, 0},
    {"MPI_Testany", ROLE_COMPLETE | ROLE_TEST, ROLE_ANY, 0, 0},
    {"MPI_Testsome", ROLE_COMPLETE | ROLE_TEST, ROLE_SOME, 0, 0},
    {"MPI_Request_get_status?(_all)", ROLE_COMPLETE | ROLE_TEST | ROLE_PEEK, ROLE_ALL, 0, 0},
    {"MPI_Request_get_status_any", ROLE_COMPLETE | ROLE_TEST | ROLE_PEEK, ROLE_ANY, 0, 0},
    {"MPI_Request_get_status_some", ROLE_COMPLETE | ROLE_TEST | ROLE_PEEK, ROLE_SOME, 0, 0},
    {"MPI_Request_free", ROLE_FREE, 0, 0, 0},
    {"MPI_Cancel", ROLE_CANCEL, 0, 0, 0},
    {"MPI_Grequest_start", ROLE_GENERALIZED, 0, 0, 0},
    /* Windows. */
    {"MPI_?(R)@(put|accumulate)", ROLE_RMA | ROLE_PUT, 0, 0, 0},
    {"MPI_?(R)get", ROLE_RMA | ROLE_GET, 0, 0, 0},
    {"MPI_@(?(R)get_accumulate|fetch_and_op|compare_and_swap)", ROLE_RMA | ROLE_PUT | ROLE_GET, 0, 0, 0},
    {"MPI_Win_@(create|create_dynamic|allocate|allocate_shared)", ROLE_COLLECTIVE | ROLE_MAKES, 0, 0, 0},
    {"MPI_Win_fence", ROLE_COLLECTIVE | ROLE_CLOSE | ROLE_OPEN, 0, ROLE_WINDOW, ROLE_FENCE},
    {"MPI_Win_set_info", ROLE_COLLECTIVE, 0, ROLE_WINDOW, 0},
    {"MPI_Win_free", ROLE_COLLECTIVE | ROLE_ENDS, 0, ROLE_WINDOW, 0},
    {"MPI_Win_start", ROLE_OPEN, 0, 0, ROLE_ACCESS},
    {"MPI_Win_complete", ROLE_CLOSE, 0, 0, ROLE_ACCESS},
    {"MPI_Win_post", ROLE_OPEN, 0, 0, ROLE_EXPOSURE},
    {"MPI_Win_wait", ROLE_CLOSE, 0, 0, ROLE_EXPOSURE},
    {"MPI_Win_test", ROLE_CLOSE | ROLE_TEST, 0, 0, ROLE_EXPOSURE},
    {"MPI_Win_lock", ROLE_OPEN, 0, 0, ROLE_LOCK},
    {"MPI_Win_unlock", ROLE_CLOSE, 0, 0, ROLE_LOCK},
    {"MPI_Win_lock_all", ROLE_OPEN, 0, 0, ROLE_LOCK_ALL},
    {"MPI_Win_unlock_all", ROLE_CLOSE, 0, 0, ROLE_LOCK_ALL},
    {"MPI_Win_flush?(_local)?(_all)", ROLE_FLUSH, 0, 0, 0},
    /* Files. A split operation is collective at its begin and at its end. */
    {"MPI_File_open", ROLE_COLLECTIVE | ROLE_MAKES, 0, ROLE_COMM, 0},
    {"MPI_File_close", ROLE_COLLECTIVE | ROLE_ENDS, 0, ROLE_IN_FILE, 0},
    {"MPI_File_@(set_size|preallocate|set_info|set_view|set_atomicity)", ROLE_COLLECTIVE, 0, ROLE_IN_FILE, 0},
    {"MPI_File_@(sync|seek_shared)", ROLE_FILE | ROLE_COLLECTIVE, 0, ROLE_IN_FILE, 0},
    {"MPI_File_seek", ROLE_FILE, 0, 0, 0},
    {"MPI_File_?(i)@(read|write)@(?(_at)_all|_ordered)?(_begin|_end)", ROLE_FILE | ROLE_COLLECTIVE, 0,
     ROLE_IN_FILE, 0},
    {"MPI_File_?(i)@(read|write)*", ROLE_FILE, 0, 0, 0},
    /* Collective operations on communicators. */
    {"MPI_?(I)@(barrier|bcast|gather?(v)|scatter?(v)|allgather?(v)|alltoall?([vw])|reduce|allreduce|scan|"
     "exscan|reduce_scatter?(_block)|neighbor_*)",
     ROLE_COLLECTIVE, 0, ROLE_COMM, 0},
    {"MPI_Comm_@(dup|idup)?(_with_info)", ROLE_COLLECTIVE, 0, ROLE_COMM, 0},
    {"MPI_Comm_@(create|split|split_type|set_info|free|disconnect|accept|connect|spawn|spawn_multiple)",
     ROLE_COLLECTIVE, 0, ROLE_COMM, 0},
    {"MPI_Comm_create_@(group|from_group)", ROLE_COLLECTIVE, 0, ROLE_NEW_COMM, 0},
    {"MPI_Intercomm_@(create|merge)", ROLE_COLLECTIVE, 0, ROLE_COMM, 0},
    {"MPI_Intercomm_create_from_groups", ROLE_COLLECTIVE, 0, ROLE_NEW_COMM, 0},
    {"MPI_@(Cart_create|Cart_sub|Cart_map|Graph_create|Graph_map|Dist_graph_create?(_adjacent))",
     ROLE_COLLECTIVE, 0, ROLE_COMM, 0},
    /* Groups. */
    {"MPI_Group_@(?(range_)@(incl|excl)|union|intersection|difference|from_session_pset)", ROLE_GROUP, 0, 0,
     0},
    {"MPI_@(Comm_?(remote_)|Win_get_|File_get_)group", ROLE_GROUP, 0, 0, 0},
};

/* Fields by the name of the parameter; those without a name here, by its kind. */
static const struct field_name {
    const char *name;
    enum role_field field;
} names[] = {
    {"dest", FIELD_DEST},
    {"source", FIELD_SOURCE},
    {"tag", FIELD_TAG},
    {"sendtag", FIELD_SEND_TAG},
    {"recvtag", FIELD_RECEIVE_TAG},
    {"flag", FIELD_FLAG},
    {"index", FIELD_INDICES},
    {"array_of_indices", FIELD_INDICES},
    {"target_rank", FIELD_TARGET},
    {"rank", FIELD_TARGET},
    {"assert", FIELD_ASSERT},
    {"partitions", FIELD_PARTITIONS},
    {"root", FIELD_ROOT},
};

static const struct field_name kinds[] = {
    {"COMMUNICATOR", FIELD_COMM}, {"REQUEST", FIELD_REQUESTS}, {"STATUS", FIELD_STATUSES},
    {"MESSAGE", FIELD_MESSAGE},   {"WINDOW", FIELD_WINDOW},    {"FILE", FIELD_FILE},
    {"GROUP", FIELD_GROUP},
};

#define N(table) (sizeof table / sizeof table[0])

/* Parameters of these names are whole numbers; others that happen to be named so are not meant. */
enum role_field role_field_of(const struct functable *t, const struct param *p)
{
    const struct kind *kind = &t->kinds.items[p->kind];
    for (size_t i = 0; i < N(kinds); i++) {
        if (strcmp(kinds[i].name, kind->name) == 0)
            return kinds[i].field;
    }
    for (size_t i = 0; (kind->type == VALUE_INT || kind->type == VALUE_FLAGS) && i < N(names); i++) {
        if (strcmp(names[i].name, p->name) == 0)
            return names[i].field;
    }
    return FIELDS;
}

static bool makes_request(const struct functable *t, const struct function *f)
{
    for (uint32_t i = 0; i < f->n_params; i++) {
        const struct param *p = &f->params[i];
        if (strcmp(t->kinds.items[p->kind].name, "REQUEST") == 0 && !(p->flags & PARAM_IN))
            return true;
    }
    return false;
}

/* Cuts `end` off; false, and nothing is done, if that is not the end of the name. */
static bool cut(char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    if (n < m || strcmp(name + n - m, end) != 0)
        return false;
    name[n - m] = '\0';
    return true;
}

static enum refrain_status find(const struct functable *t, uint32_t function, struct role *role)
{
    const struct function *f = &t->functions.items[function];
    char *name = strdup(f->name);
    *role = (struct role){.family = function};
    if (!name) {
        log_error("out of memory: the role of %s", f->name);
        return REFRAIN_ERR_MEMORY;
    }
    cut(name, "_c");
    role->persistent = makes_request(t, f) && cut(name, "_init");
    for (size_t i = 0; i < N(lines); i++) {
        const struct line *line = &lines[i];
        if (fnmatch(line->functions, name, FNM_EXTMATCH | FNM_CASEFOLD) != 0)
            continue;
        role->actions = line->actions;
        role->choice = line->choice;
        role->scope = line->scope;
        role->epoch = line->epoch;
        /* A partitioned send has the buffer of any other, so many times. */
        volume_plan(&role->volume, line->actions & ROLE_PARTITIONED ? "MPI_Send" : name);
        break;
    }
    free(name);
    return REFRAIN_OK;
}

/* Is b the same as a with a `_c` behind it? */
static bool same_family(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
    const char *shorter = n < m ? a : b, *longer = n < m ? b : a;
    const size_t common = n < m ? n : m;
    return strncmp(shorter, longer, common) == 0 &&
           (longer[common] == '\0' || strcmp(longer + common, "_c") == 0);
}

enum refrain_status roles_find(const struct functable *t, struct role **out)
{
    const size_t n = t->functions.n;
    struct role *roles = calloc(n + 1, sizeof *roles);
    enum refrain_status status = REFRAIN_OK;
    if (!roles) {
        log_error("out of memory: roles of %zu functions", n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < n && status == REFRAIN_OK; i++) {
        status = find(t, i, &roles[i]);
        for (uint32_t k = 0; k < i && roles[i].family == i; k++) {
            if (same_family(t->functions.items[k].name, t->functions.items[i].name))
                roles[i].family = k;
        }
    }
    if (status == REFRAIN_OK)
        *out = roles;
    else
        free(roles);
    return status;
}
