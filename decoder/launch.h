/* Whether and how a program can be run with the tracer preloaded. */
#ifndef REFRAIN_LAUNCH_H
#define REFRAIN_LAUNCH_H

#include "array.h"
#include "status.h"

struct launch {
    char *program; /* path of the file to run */
    char *library; /* path of the tracer */
    bool script;   /* the program begins with "#!" */
};

/* Finds the program (by PATH unless it has a slash) and the tracer (by REFRAIN_LIBRARY, or where it lies
 * relative to this command), and refuses what cannot work: a program that is not there or cannot be run, one
 * that is statically linked, one that uses another MPI library than the tracer. One without any MPI library
 * gets a warning. */
enum refrain_status launch_prepare(struct launch *l, const char *program);
void launch_free(struct launch *l);

#endif
