/* SPDX-License-Identifier: BSD-3-Clause */
/* The program ends by itself, without MPI_Finalize (ending.h), or with sessions alone (last_rank_merge.h).
 *
 *     exit, return from main     the destructor in exit.c
 *     quick_exit                 a handler of at_quick_exit
 *     _exit, _Exit               interpose_exit.c; only in librefrain.so */
#ifndef REFRAIN_EXIT_H
#define REFRAIN_EXIT_H

/* The process ends in this call, without destructors. In signal handlers, too. */
void exit_at_once(void);
/* It has children by fork. */
void exit_has_children(void);

#endif
