/* SPDX-License-Identifier: BSD-3-Clause */
/* A second reader of traces, written from docs/FORMAT.md alone. It shares no code with Refrain, so
 * if the two readers agree, the text is right.
 *
 *     second_reader TRACE           prints a line for each call: rank lane index function slots…
 *                                   (lane: the thread, or @ for definitions)
 *     second_reader --times TRACE   prints the begin and duration of each call, in seconds since the rank's
 *                                   first call: rank[.lane] index began took function
 *     second_reader --check TRACE   prints nothing
 *     second_reader TRACE RAWDIR    compares each call with RAWDIR/rank.R.lane.N.raw (FORMAT.md, Records)
 *
 * Exit status: 0, no fault; 1, a call differs; 2, the trace or a record does not follow the format.
 *
 * The sections are read in the order of the text. Nothing is expanded in memory: value number i of
 * a sequence or series is found by binary search. The program ends at the first fault and frees
 * little memory before. */
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
    read_times(&t); /* they must have as many calls as were expanded */
    if (raw) {
        check_directory(&t, raw);
        printf("%" PRIu64 " ranks, %" PRIu64 " calls: identical\n", t.n_ranks, n_calls);
    }
    return fflush(stdout) ? 2 : 0;
}
