/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files call_event*.c share: a call being looked at, and an event being put together. */
#ifndef REFRAIN_CALL_EVENT_IMPL_H
#define REFRAIN_CALL_EVENT_IMPL_H

#include "call_event.h"
#include "decoder/call/row_view.h"

struct call_view {
    struct call_event_source *source;
    const struct function *function;
    const struct role *role;
    const int64_t *slots;
    uint32_t n_slots;
    uint8_t *uses; /* by slot, enum call_event_use; NULL: nobody asks */
    struct row_view row;
    struct event_list *out;
    bool noting; /* only `uses` are wanted: no event is put */
};

/* ---- the row (call_event_view.c) ------------------------------------------------------------- */

/* n slots of the call matter so much at least. Values that are none of its slots, as what a probe noted, do
 * not change with them. */
void call_view_use(const struct call_view *v, const int64_t *slots, uint32_t n, enum call_event_use how);
/* Finds the fields of a row. Rows of one function may differ in what is there. */
enum refrain_status call_view_look(struct call_view *v, uint32_t function, uint32_t n_slots);
/* The values of a field; NULL if it is not there. */
const int64_t *call_view_before(const struct call_view *v, enum role_field field);
const int64_t *call_view_after(const struct call_view *v, enum role_field field);
/* The kind of the field's values, if it is there. */
const struct kind *call_view_kind(const struct call_view *v, enum role_field field);
/* An event: who acts and what it is, then what the caller puts into the source's draft, then the end. */
void call_view_begin(struct call_view *v, const char *what);
enum refrain_status call_view_end(struct call_view *v);
/* A handle of a kind by the name that docs/TEXT.md gives it. */
void call_view_put_handle(struct call_view *v, const struct kind *kind, const int64_t *handle);

/* Does a column have one of the slots whose uses were noted? */
bool call_view_varies(const struct call_view *v, const struct group *group);
/* Every row of a site, as the calls of the lane's rank have it, but for columns. */
enum refrain_status
call_event_each_row(struct call_event_source *s, const struct lane_ref *lane, const struct entry *entry,
                    enum refrain_status (*note)(struct call_event_source *s, const struct group *group,
                                                uint32_t function, const int64_t *slots, uint32_t n_slots));

/* ---- what it does ---------------------------------------------------------------------------- */

/* The events of a message or collective operation (call_event_message.c). */
enum refrain_status call_view_put_role(struct call_view *v);
/* Those of the requests that are started, and partitions of them (call_event_request.c). */
enum refrain_status call_view_put_start(struct call_view *v);
enum refrain_status call_view_put_partitions(struct call_view *v);
/* An access to a window, or an epoch of it (call_event_window.c). */
enum refrain_status call_view_put_window(struct call_view *v);
/* What an access to a window moves (call_event_access.c). */
enum refrain_status call_view_put_access(struct call_view *v);
/* Where a region begins or ends (call_event_region.c). */
enum refrain_status call_view_put_region(struct call_view *v, uint32_t function);
/* The partner's number `peer` in a communicator matters; and its rank in the run, GROUPS_NOBODY: nothing says which.
 * (call_event_message.c) */
void call_view_use_peer(const struct call_view *v, const int64_t *comm, const int64_t *peer);
int64_t call_view_peer(const struct call_event_source *s, const int64_t *comm, const int64_t *peer);
void call_view_put_process(struct event_draft *d, int64_t rank);
/* The bytes that a call moves, or its persistent request. */
enum refrain_status call_view_volume(struct call_view *v, struct volume *out);
/* " … send … bytesN": from a rank of the run to another one; GROUPS_NOBODY: outside. `label`: what follows, two numbers;
 * NULL: nothing. */
enum refrain_status call_view_put_transfer(struct call_view *v, int64_t from, int64_t to, uint64_t bytes,
                                           const int64_t *label);

/* What the persistent requests that the lane makes at a site are for (call_event_request.c). */
enum refrain_status call_event_note_site(struct call_event_source *s, const struct lane_ref *lane,
                                         const struct entry *entry);
void call_event_forget_requests(struct call_event_source *s);

/* What the messages are that matched probes of the lane find at a site (call_event_probe.c). NULL: nothing is
 * known of a message. */
enum refrain_status call_event_note_probes(struct call_event_source *s, const struct lane_ref *lane,
                                           const struct entry *entry);
const struct call_event_probe *call_event_find_probe(const struct call_event_source *s, int64_t message);
void call_event_forget_probes(struct call_event_source *s);

/* What the windows of the source's rank were made on (call_event_access.c). */
enum refrain_status call_event_note_windows(struct call_event_source *s);
/* Finds the slot of the communicator that a window was made on. False if it is not known. */
bool call_event_find_window(const struct call_event_source *s, int64_t window, int64_t *comm);

/* The process groups of the source's rank, after its windows (call_event_groups.c). */
enum refrain_status call_event_note_groups(struct call_event_source *s);
/* Finds the members of a group; they belong to the source. False if they are not known. */
bool call_event_find_group(const struct call_event_source *s, int64_t handle, struct process_group *out);

#endif
