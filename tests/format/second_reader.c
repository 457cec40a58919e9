/* SPDX-License-Identifier: BSD-3-Clause */
/* A second reader of traces, written from docs/FORMAT.md alone. It shares no code with Refrain, so that what
 * the two readers agree on is what that text says.
 *
 *     second_reader TRACE           prints a line for each call: rank lane index function slots…
 *                                   (lane: the thread, or @ for definitions)
 *     second_reader --times TRACE   prints when each call began and how long it took, in seconds since the
 *                                   first one of the rank: rank[.lane] index began took function
 *     second_reader --check TRACE   prints nothing
 *     second_reader TRACE RAWDIR    compares each call with RAWDIR/rank.R.lane.N.raw (FORMAT.md, Records)
 *
 * Exit status: 0, all is well; 1, a call differs; 2, the trace or a record is not as the format says.
 *
 * The sections are read in the order of the text. Nothing is expanded in memory: sequences and series are
 * asked for their value number i, by binary search. The program ends at the first fault and frees little
 * before its end. */
#include "steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    enum work work = argc > 2 ? COMPARE : PRINT;
    if (argc > 1 && argv[1][0] == '-')
        work = strcmp(argv[1], "--times") == 0 ? PRINT_TIMES : CHECK;
    const bool option = work == PRINT_TIMES || work == CHECK;
    if (argc < 2 + option || argc > 3) {
        fprintf(stderr, "usage: second_reader TRACE [RAWDIR], or second_reader --times|--check TRACE\n");
        return 2;
    }
    const char *raw = work == COMPARE ? argv[2] : NULL;
    trace_name = argv[1 + option];
    struct input file = read_file(trace_name);
    static struct trace t;

    read_container(&t, &file);
    read_meta(&t);
    read_functions(&t);
    read_sites(&t);
    read_pool(&t, RULE, &t.skeletons);
    read_pool(&t, STRM, &t.streams);
    read_series(&t);
    read_signatures(&t);
    read_shapes(&t);
    read_clocks(&t);
    uint64_t n_calls = expand(&t, work, raw);
    read_times(&t); /* which have as many calls as were expanded */
    if (raw) {
        check_directory(&t, raw);
        printf("%" PRIu64 " ranks, %" PRIu64 " calls: identical\n", t.n_ranks, n_calls);
    }
    return fflush(stdout) ? 2 : 0;
}
