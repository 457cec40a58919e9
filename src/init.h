/* MPI_Init and MPI_Init_thread: what the tracer does when MPI is there. */
#ifndef REFRAIN_INIT_H
#define REFRAIN_INIT_H

struct call;

/* In the recorded call, after it has succeeded. Needs the tracer's lock. */
void init_up(struct call *call);
/* The result of a call that is not recorded. When that is because of an error of the tracer's, it connects
 * with the other ranks all the same: they would wait for this one. Returns `result`. */
int init_passed(int result);

#endif
