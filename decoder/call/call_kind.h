/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of calls, no more than a picture can show in distinct colours; functions.def has the kind of each function. */
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

/* Colours of kinds, from Okabe and Ito ("Color Universal Design", 2008), which the colour-blind can distinguish; grey is for kinds of no interest. */
struct call_look {
    const char *id;     /* a word: "blocking" */
    const char *name;   /* for the legend */
    const char *colour; /* "#0072B2" */
    const char *ink;    /* of text on it */
};
extern const struct call_look call_looks[CALL_KINDS];
extern const struct call_look call_look_rest; /* what is between calls */

#endif
