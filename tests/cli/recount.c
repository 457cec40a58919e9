/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts again, from lines that the command prints, what the command prints in another form. Shares
 * no code with the decoder.
 *
 *     recount messages TEXT MESSAGES   messages between ranks, as `refrain matrix --csv` prints them
 *     recount accesses TEXT            the same for one-sided communication (`refrain matrix --rma --csv`)
 *     recount parts WHOLE PARTS        fails if the constructs' sum is not a part of the whole
 *     recount events TEXT              the events of all lanes: rank,thread,event,call,tag,function
 *     recount rows TEXT ROWS…          fails if ROWS name a call that TEXT lacks, or are empty
 *     recount range WHOLE PATH ROWS …  fails if WHOLE is not the rows of each construct PATH in its ROWS
 *
 * TEXT is a file of `refrain text --definitions`, MESSAGES one of `refrain messages`, WHOLE and
 * PARTS are files of `refrain matrix --csv` (PARTS: construct_matrices.c), ROWS and the WHOLE of a
 * range files of `refrain scan`. */
#include "recount.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int files; /* at least */
    int (*run)(int n, char **paths);
} commands[] = {
    {"accesses", 1, recount_accesses}, {"events", 1, recount_events}, {"messages", 2, recount_messages},
    {"parts", 2, recount_parts},       {"range", 3, recount_range},   {"rows", 2, recount_rows},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0 && argc - 2 >= commands[i].files)
            return commands[i].run(argc - 2, argv + 2);
    fprintf(stderr, "usage: recount accesses|events|messages|parts|range|rows FILE…\n");
    return 2;
}
