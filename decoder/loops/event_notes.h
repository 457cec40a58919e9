/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes on events, from their calls: source locations, bytes and times. A note is about all events of one
 * statement. The caller goes through the events of a lane and chooses the note to which each event is
 * added. */
#ifndef REFRAIN_EVENT_NOTES_H
#define REFRAIN_EVENT_NOTES_H

#include "decoder/times/timed_lane.h"
#include "decoder/trace/symbols.h"
#include "event_lane.h"

enum { ANNOTATE_SITES = 1, ANNOTATE_SIZES = 2, ANNOTATE_TIMES = 4 };

/* Most call sites that are shown for a statement. */
enum { ANNOTATE_SITES_MOST = 4 };
/* Most functions between two statements that are counted separately. */
enum { ANNOTATE_AFTER_MOST = 8 };

struct event_note {
    uint32_t sites[ANNOTATE_SITES_MOST];
    uint32_t n_sites; /* the first ones; ANNOTATE_SITES_MOST + 1: there are more */
    uint64_t calls;
    uint64_t time;        /* in all calls, ns */
    uint64_t least, most; /* bytes of one call, if `sized` */
    bool sized;
    /* Calls that are no statements, such as MPI_Waitall, between this statement and the next one: */
    struct {
        const char *function; /* NULL: end; the last entry also counts functions that find no free entry */
        uint64_t time;        /* ns in all calls of the function */
    } after[ANNOTATE_AFTER_MOST];
};

struct event_noting {
    unsigned what; /* ANNOTATE_… */
    const struct reader *reader;
    struct event_templates templates;
    struct call_event_source source;
    struct event_lane lane;
    struct timestamps_source times; /* for ANNOTATE_TIMES */
    struct roles roles;             /* for ANNOTATE_TIMES */
    struct timed_lane timed;
    uint64_t begin, end;     /* of the run; if times are synthetic, `begin` is the end of the process's own
                                MPI_Init */
    uint64_t next_call;      /* number of the next call of `timed` */
    struct event_note *last; /* the statement that was made last; NULL: none */
    uint64_t run;            /* ns: the run (run_begin.h), of all lanes together */
};

/* The arguments must outlive *n. The caller frees *n, also after an error. */
enum refrain_status event_noting_create(struct event_noting *n, const struct reader *r,
                                        const struct definitions *d, enum call_event_mode mode,
                                        unsigned what);
void event_noting_free(struct event_noting *n);
/* Go through a lane: start, its events in order, end; stop also after an error. */
enum refrain_status event_noting_start(struct event_noting *n, uint32_t rank, uint32_t thread);
/* Adds event number `number` of the lane to a note: its site and times. */
enum refrain_status event_noting_take(struct event_noting *n, uint64_t number, struct event_note *note);
/* Adds the bytes of the same event. Its verb, the text up to the first blank, says which bytes: those sent,
 * those received, or the larger of both numbers. */
enum refrain_status event_noting_bytes(struct event_noting *n, const char *verb, size_t length,
                                       struct event_note *note, uint64_t *bytes);
enum refrain_status event_noting_end(struct event_noting *n);
void event_noting_stop(struct event_noting *n);

/* "exchange (halo.c:31)" */
void event_note_put_sites(const struct event_note *note, const struct reader *r, const struct symbols *s,
                          struct bytes *out);
/* "80 bytes", "8 to 80 bytes" */
void event_note_put_bytes(const struct event_note *note, struct bytes *out);
/* "1.2 us, 3.1 %, then MPI_Waitall 12 %", of a run of so many ns. */
void event_note_put_times(const struct event_note *note, uint64_t run, struct bytes *out);

#endif
