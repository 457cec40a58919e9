/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call is as events of a loop model (refrain-loops(1)): its messages and collective operations, or the
 * call itself with its arguments; or, for sums, what it sends or accesses. All that can be told by the call's
 * row alone.
 *
 *     MPI_Sendrecv(dest=1, sendtag=5, source=3, recvtag=5)      0 send 1 tag5    0 recv 3 tag5
 *                                                      sent:    0 send 1 bytes80
 *                                                  labelled:    0 send 1 bytes80 comm1 tag5
 *     MPI_Send(dest=1, tag=5, comm=comm2)                       0 send 3 tag5 comm2
 *     MPI_Bcast(root=0, comm=comm2)                             0 sync MPI_Bcast comm2
 *     MPI_Put(target_rank=1, win=win0)                          0 put 1 win0
 *     MPI_Win_start(group1, win=win0)                           0 start 3 win0    0 start 1 win0
 *     MPI_Fetch_and_op(target_rank=1, win=win0)   accesses:     0 send 1 bytes8  1 send 0 bytes8
 *
 * A partner is a rank in the run, whatever the communicator, which is named unless it is MPI_COMM_WORLD.
 * A receive is where it is posted. Of one that completes in another call the source and tag are those that
 * were asked for, which may be any; of a message that a matched probe has found they are the probe's, or what
 * the receiving call says, as long as a number of the rank's messages stands for one communicator; a call that did not return or failed, and a partner that is nobody, make
 * no event. A persistent request is what it was made for, each time that it is started, as long as a number
 * of the rank's requests means the same one throughout the thread's calls; otherwise MPI_Start is a local
 * event. Its partitions are ready or arrived; a test that finds nothing is no event. */
#ifndef REFRAIN_CALL_EVENT_H
#define REFRAIN_CALL_EVENT_H

#include "decoder/call/failure.h"
#include "decoder/call/groups.h"
#include "decoder/call/volume.h"
#include "decoder/match/stream/process_groups.h"
#include "decoder/render/render.h"
#include "event_template.h"

enum call_event_mode {
    CALL_EVENT_MESSAGES,
    CALL_EVENT_CALLS,
    CALL_EVENT_SENT, /* the sends of CALL_EVENT_MESSAGES, with bytes instead of the tag, and local events */
    CALL_EVENT_LABELLED, /* the same, with two numbers more: the communicator, as in group_view, -1 if nothing says
                            which, and the tag; without its column, if it has one */
    CALL_EVENT_ACCESSES /* what accesses to windows move, as if it were sent: by the origin, by the target, or
                           both; a local event where nothing says which processes the window has */
};

/* How a slot of a row has to do with its events. */
enum call_event_use {
    CALL_EVENT_UNUSED = SLOT_UNUSED,
    CALL_EVENT_NUMBER,                /* a number in them */
    CALL_EVENT_WHOLE,                 /* the same as long as it is not less than 0 */
    CALL_EVENT_DECIDES = SLOT_DECIDES /* what events they are, or where other slots lie */
};

struct call_event_source {
    const struct reader *reader;
    const struct definitions *definitions;
    enum call_event_mode mode;
    struct event_templates *templates;
    struct groups groups;
    struct renderer renderer;
    struct roles roles;
    struct volume_source volumes;
    struct failures failures;
    int64_t any_source, any_tag, proc_null; /* values; FUNCTABLE_UNUSED where the run did not use them */
    struct event_draft draft;
    struct volume_sum volume; /* scratch */
    uint32_t rank;
    ARRAY(uint32_t) communicators; /* numbers in the run of those that events name */
    struct map named;              /* the same as a set */
    struct map started;            /* request symbol of the lane at hand -> requests */
    ARRAY(struct call_event_request {
        struct event_list events;
        bool unclear; /* it is not one thing only */
        bool partitioned;
    })
    requests;
    struct map partitioned; /* hash of events -> request, or that there are several */
    ARRAY(struct call_event_window {
        int64_t window; /* slots */
        int64_t comm;
    })
    windows;                              /* those of the rank at hand */
    bool has_windows;                     /* the trace has accesses or epochs */
    bool windows_vary;                    /* and others, of which the rows do not tell */
    struct process_groups process_groups; /* those of the rank at hand */
    bool groups_vary;                     /* and others, of which the rows do not tell */
    bool has_partners;                    /* the trace has epochs between groups */
    bool checking_groups, groups_changed; /* of a walk over the calls that make groups */
    struct map found;                     /* message symbol of the lane at hand -> probes */
    ARRAY(struct call_event_probe {
        int64_t comm; /* as in slots of the call that found it; the same */
        int64_t source;
        int64_t tag;
        const struct kind *kind; /* of comm */
        bool unclear;            /* the number is not of one communicator only; */
        bool any;                /* not of one source and tag only */
    })
    probes;
};

enum refrain_status call_event_source_create(struct call_event_source *s, const struct reader *r,
                                             const struct definitions *d, enum call_event_mode mode,
                                             struct event_templates *templates);
void call_event_source_free(struct call_event_source *s);
/* From now on calls are of this lane. */
enum refrain_status call_event_lane(struct call_event_source *s, const struct lane_ref *lane);
/* May a call of this function have events? */
bool call_event_may(const struct call_event_source *s, uint32_t function);
/* Appends the events of a call to the list. If `uses` is not NULL, uses[i] is raised to how slot i matters
 * (enum call_event_use): also those that would if other values decided otherwise. */
enum refrain_status call_event_put(struct call_event_source *s, uint32_t function, const int64_t *slots,
                                   uint32_t n_slots, struct event_list *out, uint8_t *uses);

#endif
