/* SPDX-License-Identifier: BSD-3-Clause */
/* The program exits without MPI_Finalize (ending.h), or has only used sessions (last_rank_merge.h).
 *
 *     exit, return from main     the destructor in exit.c
 *     quick_exit                 a handler of at_quick_exit
 *     _exit, _Exit               interpose_exit.c; only in librefrain.so */
#ifndef REFRAIN_EXIT_H
#define REFRAIN_EXIT_H

/* The process ends in this call, without running destructors. Safe in signal handlers. */
void exit_at_once(void);
/* The process has called fork. */
void exit_has_children(void);

#endif
