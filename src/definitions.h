/* The definitions lane: records of the pseudo functions in definitions.def. Needs the tracer's lock. */
#ifndef REFRAIN_DEFINITIONS_H
#define REFRAIN_DEFINITIONS_H

#include "functable.h"

struct comm;

/* Pseudo function d of the table has the function number FUNCTION_COUNT + d in sites. */
extern const struct functable definitions_table;

/* Gives the pseudo functions their sites in the lane. */
enum refrain_status definitions_start(void);

/* These stop the tracer when they fail. Handles are slots. */
void definitions_comm(const struct comm *comm, const char *function, int64_t parent, uint64_t sequence);
void definitions_datatype(int64_t type, int64_t size, int64_t lb, int64_t extent);
void definitions_process(const char *host);
void definitions_end(const char *how, int64_t detail);

#endif
