/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether and how a program can be run with the tracer preloaded. */
#ifndef REFRAIN_LAUNCH_H
#define REFRAIN_LAUNCH_H

#include "src/core/base/array.h"
#include "src/core/base/status.h"

struct launch {
    char *program; /* path of the file to run */
    char *library; /* path of the tracer */
    char *first;   /* a library that must come before all others; NULL: none */
    bool script;   /* the program begins with "#!" */
};

/* Finds the program (by PATH unless it has a slash) and the tracer (tracers.h) for the MPI library that the
 * program is linked with. For a program that is linked with none (it may load one, as Python does, and gets a
 * warning) and for scripts it is the one whose launcher started us; without a launcher, the only one. Refuses
 * what cannot work: a program that is not there, cannot be run, is statically linked, or uses an MPI library
 * without a tracer. */
enum refrain_status launch_prepare(struct launch *l, const char *program);
void launch_free(struct launch *l);

#endif
