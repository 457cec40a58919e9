/* SPDX-License-Identifier: BSD-3-Clause */
/* The definitions lane: records of the pseudo functions in definition_records.def. All threads share it. A
 * thread that records must be inside the tracer (thread.h), or have paused the others. */
#ifndef REFRAIN_DEFINITION_RECORDS_H
#define REFRAIN_DEFINITION_RECORDS_H

#include "src/core/trace/functable.h"
#include "src/core/trace/trace.h"
#include "verify_writer.h"

struct comm;

/* Pseudo function d of the table has the function number FUNCTION_COUNT + d in sites. */
extern const struct functable definition_records_table;

/* Make the lane, with a site for each pseudo function. */
enum refrain_status definition_records_start(void);
/* Call these while threads are paused: store the lane in the rank's trace; get its writer of raw records;
 * free it. */
enum refrain_status definition_records_store(uint32_t rank, struct trace *t);
struct verify_writer *definition_records_verify_writer(void);
void definition_records_clear(void);

/* These stop the tracer when they fail. Handles are slots. */
void definition_records_comm(const struct comm *comm, const char *function, int64_t parent,
                             uint64_t sequence);
void definition_records_datatype(int64_t type, int64_t size, int64_t lb, int64_t extent);
void definition_records_process(const char *host, int64_t processors);
void definition_records_processor(int64_t ready);
void definition_records_lane(uint32_t lane, uint32_t thread);
void definition_records_order(uint32_t lane, uint64_t from, uint32_t before, uint64_t calls);
void definition_records_end(const char *how, int64_t detail);

#endif
