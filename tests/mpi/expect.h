/* SPDX-License-Identifier: BSD-3-Clause */
/* What a test program expects its own trace to say.
 *
 * Each program makes MPI calls and writes, beside every one of them, the line that `refrain text` shall print
 * for it (docs/TEXT.md). At the end the lines of rank R stand in the file PREFIX.R, where PREFIX is the
 * program's argument; tests/mpi/run.sh compares them with the trace, on each number of ranks that the program's
 * line `ranks: 1 2 4` says. Nothing here is shared with Refrain: names, numbers of handles and values are reasoned
 * out in the programs, or are what the program itself got from MPI. `ptr` stands for any address that is no
 * constant; only the programs memory* say which (run.sh).
 *
 *     MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
 *     OK("MPI_Bcast(buffer=ptr, count=1, datatype=MPI_INT, root=0, comm=MPI_COMM_WORLD)");
 *
 * A handle's number depends on its call site, so that a program must be compiled without optimisation: a
 * compiler may unroll a loop or join two calls. Helpers that need MPI themselves use PMPI_, which is not
 * traced. */
#ifndef EXPECT_H
#define EXPECT_H

#include <mpi.h>

/* Some programs are compiled once more so that all their calls are those of the large-count procedures:
 * MPI_Send is MPI_Send_c then, and the lines say so, although they are written for MPI_Send (large_header.sh
 * makes the header that defines LARGE_NAMES; a line `ranks: 1 2; large: 3` says on how many ranks these are run).
 * The types of what the procedures take arrays of or pointers to: */
#ifdef LARGE_NAMES
typedef MPI_Count count_t;  /* int of the other form */
typedef MPI_Aint place_t;   /* displacements of collective operations: int of the other form */
typedef MPI_Count extent_t; /* MPI_Aint of the other form */
#else
typedef int count_t;
typedef int place_t;
typedef MPI_Aint extent_t;
#endif

extern int rank, size; /* of MPI_COMM_WORLD, valid after expect_start */

/* One line, printf style, without rank and index. */
void expect(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define EXPECT(...)     expect(__VA_ARGS__)
#define OK(format, ...) expect(format " = MPI_SUCCESS", ##__VA_ARGS__)

/* MPI_Init, MPI_Comm_rank and MPI_Comm_size, and their lines. */
void expect_start(int *argc, char ***argv);
/* With MPI_Init_thread, whose line is the only one so far. Fails if less is provided than required. */
void expect_start_threads(int *argc, char ***argv, int required);
/* Only opens the books: for programs that initialise MPI in a way of their own. expect_world learns rank and
 * size. */
void expect_open(int argc, char **argv);
void expect_world(void);
/* What this thread expects from now on is of lane `number`; without it, of lane 0. One thread at a time. */
void expect_thread(int number);
/* MPI_Finalize and its line; writes the file. Returns the exit status of main. */
int expect_end(void);
/* The same without MPI_Finalize. */
int expect_close(void);

/* Texts of values. Each lives in a ring of buffers of the thread until many later calls. */
const char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *rank_text(int value);  /* of kind RANK: 3, MPI_PROC_NULL, MPI_ANY_SOURCE … */
const char *tag_text(int value);   /* 5, MPI_ANY_TAG */
const char *index_text(int value); /* 0, MPI_UNDEFINED */
const char *error_text(int code); /* MPI_SUCCESS, MPI_ERR_RANK …, or the number of a code that is no class */
const char *result_text(int code); /* of what a procedure returned: the class of the error */
const char *quoted(const char *string);
const char *quoted_list(int n, char *const *strings);
const char *int_list(int n, const int *values);
const char *rank_list(int n, const int *values);
const char *aint_list(int n, const MPI_Aint *values);
const char *count_list(int n, const count_t *values);
const char *place_list(int n, const place_t *values);
const char *extent_list(int n, const extent_t *values);
const char *same_list(int n, const char *text); /* [text, text, …] */

/* The status of a receive: as reasoned out, or as the program got it. */
const char *status_is(int source, int tag, long long bytes);
const char *status_text(const MPI_Status *status);
/* The same with the error of the field, as after MPI_ERR_IN_STATUS. */
const char *status_with_error(const MPI_Status *status);
/* The only status of a call that returned an error, but received a message. */
const char *status_after(const MPI_Status *status, int code);

/* Statuses without values: of a send or a collective, and of a null or inactive request. */
#define SENT  "{error=MPI_SUCCESS}"
#define EMPTY "{source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, error=MPI_SUCCESS, bytes=0}"

#define WORLD "comm=MPI_COMM_WORLD"

#endif
