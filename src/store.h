/* The trace of this rank, made from what the tracer holds. */
#ifndef REFRAIN_STORE_H
#define REFRAIN_STORE_H

#include "trace.h"

/* Fills the empty trace `t`, which is the caller's to free also after an error. The lanes stay as they are
 * and may go on. Needs the tracer's lock, and the rank to be known. */
enum refrain_status store_rank(struct trace *t);

#endif
