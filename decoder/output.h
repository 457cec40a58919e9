/* What the command prints on stdout, through one large buffer. A reader that goes away (a closed pipe) ends
 * the output without an error: nobody wants the rest. */
#ifndef REFRAIN_OUTPUT_H
#define REFRAIN_OUTPUT_H

#include "bytes.h"
#include "status.h"

struct output {
    struct bytes text; /* put what shall be printed here */
    bool closed;       /* the reader went away; whoever prints much should stop */
};

/* Write when the buffer has become large. */
enum refrain_status output_drain(struct output *o);
/* Write all that is left, and give the memory back. */
enum refrain_status output_close(struct output *o);

#endif
