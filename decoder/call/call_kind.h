/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls are for, in as many kinds as colours can be told apart in a picture; of which kind the calls of a
 * function are, functions.def says. */
#ifndef REFRAIN_CALL_KIND_H
#define REFRAIN_CALL_KIND_H

enum call_kind {
    CALL_BLOCKING,    /* messages: the call returns when its own part is done */
    CALL_NONBLOCKING, /* messages: it only begins something */
    CALL_WAITING,     /* completes requests or looks for messages, or tries to */
    CALL_COLLECTIVE,  /* blocking or not */
    CALL_ONE_SIDED,
    CALL_FILE,
    CALL_OTHER, /* set-up, inquiry, datatypes, communicators */
    CALL_KINDS
};

/* How a kind looks. The colours are those of Okabe and Ito ("Color Universal Design", 2008), which the
 * colour-blind can tell apart, too; what is of no interest is grey. */
struct call_look {
    const char *id;     /* a word: "blocking" */
    const char *name;   /* for the legend */
    const char *colour; /* "#0072B2" */
    const char *ink;    /* of text on it */
};
extern const struct call_look call_looks[CALL_KINDS];
extern const struct call_look call_look_rest; /* what is between calls */

#endif
