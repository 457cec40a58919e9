/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands.h"

#include <limits.h>

#define HELP                                                                                                 \
    {                                                                                                        \
        OPTION_HELP, 'h', "help", NULL, "print this text"                                                    \
    }
#define JSON                                                                                                 \
    {                                                                                                        \
        OPTION_JSON, 0, "json", NULL, "print JSON"                                                           \
    }
#define RANKS(what)                                                                                          \
    {                                                                                                        \
        OPTION_RANK, 'r', "rank", "R[,R|A-B]", what                                                          \
    }
#define MODULES                                                                                              \
    {                                                                                                        \
        OPTION_MODULES, 'm', "modules", "DIR", "look in DIR first for the program and its libraries"         \
    }
#define WORLD                                                                                                \
    {                                                                                                        \
        OPTION_WORLD, 'w', "world", "N", "world N of a file with several worlds (default: 0)"                \
    }
#define FROM                                                                                                 \
    {                                                                                                        \
        OPTION_FROM, 0, "from", "SECONDS", "only calls that begin at or after this time of the run"          \
    }
#define TO                                                                                                   \
    {                                                                                                        \
        OPTION_TO, 0, "to", "SECONDS", "only calls that end before this time of the run"                     \
    }
#define CLOCK                                                                                                \
    {                                                                                                        \
        OPTION_CLOCK, 0, "clock", "WORD",                                                                    \
            "causal (default): no message arrives before it is sent; or linear"                              \
    }
#define CLOCK_IF_OFF                                                                                         \
    {                                                                                                        \
        OPTION_CLOCK, 0, "clock", "WORD",                                                                    \
            "causal (default if clocks differ): no message arrives before it is sent; or linear"             \
    }
#define SYNTHETIC_TIME                                                                                       \
    {                                                                                                        \
        OPTION_SYNTHETIC_TIME, 0, "synthetic-time", NULL,                                                    \
            "use mean times if the trace has no times of calls"                                              \
    }
#define AT                                                                                                   \
    {                                                                                                        \
        OPTION_AT, 0, "at", "PATH",                                                                          \
            "only these constructs of the model: 3.1.2 or 3.4-7 (refrain model --paths)"                     \
    }
#define AT_WINDOW                                                                                            \
    {                                                                                                        \
        OPTION_WINDOW, 0, "window", "N", "with --at: --window of refrain model (default: 512)"               \
    }
#define RMA                                                                                                  \
    {                                                                                                        \
        OPTION_RMA, 0, "rma", NULL, "count one-sided communication instead of messages"                      \
    }
#define COORDS                                                                                               \
    {                                                                                                        \
        OPTION_COORDS, 0, "coords", "FILE", "read the ranks' coordinates from FILE: lines rank,x,y,…"      \
    }
#define PATTERNS                                                                                             \
    {                                                                                                        \
        OPTION_PATTERNS, 0, "patterns", "FILE",                                                              \
            "also look for the patterns in FILE, see refrain-topology(1)"                                    \
    }
#define THRESHOLD                                                                                            \
    {                                                                                                        \
        OPTION_THRESHOLD, 0, "threshold", "PERCENT",                                                         \
            "leave out pairs with less than PERCENT of the largest one (default: 5)"                         \
    }
#define TOPOLOGY                                                                                             \
    {                                                                                                        \
        OPTION_TOPOLOGY, 0, "topology", "SIZES",                                                             \
            "sizes of the ranks' grid: 8x8; 8x8p is a torus, 8px4 periodic in x"                             \
    }
#define END                                                                                                  \
    {                                                                                                        \
        0, 0, NULL, NULL, NULL                                                                               \
    }

static const struct option_spec record[] = {
    {OPTION_CALLPATH, 0, "callpath", NULL, "record all callers of a call, not only the innermost"},
    {OPTION_CHECKPOINT, 0, "checkpoint", "SECONDS", "write a part this often, in case the run is killed"},
    {OPTION_FORTRAN_NAMES, 0, "fortran-names", "FORM",
     "names of Fortran procedures: plain …, see refrain-record(1)"},
    {OPTION_FUNCTIONS, 'f', "functions", "PATTERN,…", "record only these functions; !PATTERN leaves out"},
    {OPTION_LOG, 0, "log", "LEVEL",
     "print messages from LEVEL: error, warning, notice (default), info, debug"},
    {OPTION_OUTPUT, 'o', "output", "FILE",
     "write the trace to FILE, which is replaced (default: PROGRAM.refrain)"},
    {OPTION_START, 's', "start", "WHEN", "start recording after this many calls, or at a signal"},
    {OPTION_TIME_BUDGET, 0, "time-budget", "BYTES",
     "limit for the times of one rank in the file: 1M (default), none …"},
    {OPTION_TIMING, 't', "timing", "MODE", "precision of times: lossy (default), lossless, aggregate …"},
    {OPTION_VERIFY, 0, "verify", "DIR", "also keep every record uncompressed in DIR"},
    HELP,
    END,
};

static const struct option_spec text[] = {
    RANKS("only these ranks"),
    {OPTION_THREAD, 0, "thread", "T[,T|A-B]", "only these threads of each rank"},
    {OPTION_FUNCTION, 'f', "function", "PATTERN", "only functions like MPI_*send; may be repeated"},
    {OPTION_CALL, 'c', "call", "A..B", "only calls number A to B of each thread"},
    {OPTION_CALLSITE, 0, "callsite", NULL, "add where each call was made"},
    MODULES,
    {OPTION_DEFINITIONS, 0, "definitions", NULL, "print what the symbols of a rank mean, before its calls"},
    {OPTION_JSON, 0, "json", NULL, "print a JSON object for each call"},
    {OPTION_TIMES, 0, "times", NULL, "add when each call began and how long it took"},
    {OPTION_CLOCK, 0, "clock", "WORD",
     "with --times: times of the whole run: linear or causal (default: of each rank)"},
    WORLD,
    HELP,
    END,
};

static const struct option_spec info[] = {
    {OPTION_CAUSALITY, 0, "causality", NULL, "count messages that arrive before they were sent"},
    JSON,
    WORLD,
    HELP,
    END,
};

static const struct option_spec stat[] = {
    {OPTION_BY, 'b', "by", "WHAT", "one line per function (default), site, rank or region"},
    {OPTION_FUNCTION, 'f', "function", "PATTERN", "only functions like MPI_*send; may be repeated"},
    {OPTION_SORT, 's', "sort", "COLUMN",
     "sort by calls, time, share, mean, min, max, sent, received or rank"},
    {OPTION_TOP, 't', "top", "N", "print only the first N lines"},
    MODULES,
    RANKS("count only these ranks"),
    JSON,
    WORLD,
    HELP,
    END,
};

static const struct option_spec messages[] = {
    RANKS("only messages and operations of these ranks"),
    {OPTION_SUMMARY, 's', "summary", NULL, "counts per communicator, and a list of errors"},
    JSON,
    WORLD,
    HELP,
    END,
};

static const struct option_spec loops[] = {
    {OPTION_CALLS, 0, "calls", NULL, "show all calls with their arguments, instead of messages"},
    {OPTION_EVENTS, 'e', "events", "FILE", "read events from a text file instead of a trace"},
    {OPTION_EXPAND, 0, "expand", NULL, "execute the models: print their events"},
    {OPTION_SITES, 0, "sites", NULL, "add the place in the source of each event"},
    {OPTION_SIZES, 0, "sizes", NULL, "add how many bytes each event moves"},
    {OPTION_TIMES, 0, "times", NULL, "add how long each event takes, and its share of the run"},
    MODULES,
    RANKS("only these ranks"),
    {OPTION_THREAD, 0, "thread", "T[,T|A-B]", "only these threads of each rank"},
    {OPTION_WINDOW, 0, "window", "N", "longest repetition, in events and loops (default: 512)"},
    JSON,
    WORLD,
    HELP,
    END,
};

static const struct option_spec model[] = {
    COORDS,
    {OPTION_EVENTS, 'e', "events", "FILE", "read events from a text file instead of a trace"},
    {OPTION_EXPAND, 0, "expand", "RANK", "execute the model: print the events of RANK"},
    {OPTION_PATHS, 0, "paths", NULL, "list constructs with their paths"},
    {OPTION_SITES, 0, "sites", NULL, "add the place in the source of each line"},
    {OPTION_SIZES, 0, "sizes", NULL, "add how many bytes each line moves"},
    {OPTION_TIMES, 0, "times", NULL, "add how long each line takes, and its share of the run"},
    MODULES,
    PATTERNS,
    THRESHOLD,
    TOPOLOGY,
    {OPTION_SVG, 0, "svg", NULL, "draw a picture: print SVG"},
    {OPTION_WINDOW, 0, "window", "N", "longest repetition, in events and loops (default: 512)"},
    JSON,
    WORLD,
    HELP,
    END,
};

static const struct option_spec matrix[] = {
    AT,
    RMA,
    {OPTION_CSV, 0, "csv", NULL, "print lines from,to,messages,bytes"},
    JSON,
    {OPTION_SVG, 0, "svg", NULL, "draw a heat map: print SVG"},
    {OPTION_PNG, 0, "png", NULL, "draw a heat map: write PNG"},
    {OPTION_MESSAGES, 0, "messages", NULL, "colours show messages instead of bytes"},
    {OPTION_ORDER, 0, "order", "HOW", "order of ranks: rank (default), or topology"},
    {OPTION_OUTPUT, 'o', "output", "FILE",
     "write to FILE; its ending selects the format: .csv, .json, .svg, .png, .txt"},
    AT_WINDOW,
    WORLD,
    HELP,
    END,
};

static const struct option_spec topology[] = {
    AT,
    RMA,
    {OPTION_COLOR, 0, "color", "WHAT",
     "with --svg: colour by bytes (default), messages, time, or a FILE of rank,value"},
    {OPTION_COMM, 0, "comm", "NAME", "only one communicator: MPI_COMM_WORLD, comm3, or its number 3"},
    COORDS,
    {OPTION_EXPLAIN, 0, "explain", NULL, "print which patterns remain after each test"},
    {OPTION_MATRIX, 0, "matrix", "FILE", "read lines from,to,messages,bytes from FILE instead of a trace"},
    {OPTION_MESSAGES, 0, "messages", NULL, "compare messages instead of bytes"},
    PATTERNS,
    {OPTION_PHASES, 0, "phases", NULL, "also print the topology of each part of the model"},
    {OPTION_SITES, 0, "sites", NULL, "print directions and call sites of messages"},
    {OPTION_SIZES, 0, "sizes", NULL, "print directions and sizes of messages"},
    {OPTION_TIMES, 0, "times", NULL, "print directions of messages, and the time of the sending calls"},
    MODULES,
    THRESHOLD,
    TOPOLOGY,
    {OPTION_SVG, 0, "svg", NULL, "draw a picture: print SVG"},
    {OPTION_VIEW, 0, "view", "DISTANCE[,ANGLE]", "with --svg: how to draw three dimensions"},
    JSON,
    AT_WINDOW,
    WORLD,
    HELP,
    END,
};

static const struct option_spec logical[] = {
    COORDS,
    {OPTION_EXPAND, 0, "expand", "RANK", "execute the program: print the events of RANK"},
    {OPTION_SITES, 0, "sites", NULL, "add the source line of each statement"},
    {OPTION_SIZES, 0, "sizes", NULL, "add how many bytes each statement moves"},
    {OPTION_TIMES, 0, "times", NULL, "add how long each statement takes, and its share of the run"},
    MODULES,
    PATTERNS,
    THRESHOLD,
    TOPOLOGY,
    {OPTION_WINDOW, 0, "window", "N", "longest repetition, in events and loops (default: 512)"},
    JSON,
    WORLD,
    HELP,
    END,
};

static const struct option_spec critical[] = {
    {OPTION_OUTPUT, 'o', "output", "FILE", "draw the path over the timeline: FILE.html"},
    {OPTION_BY, 'b', "by", "WHAT", "efficiencies by phase or region"},
    {OPTION_TOP, 0, "top", "N", "print N lines per table (default: 10)"},
    CLOCK,
    JSON,
    MODULES,
    WORLD,
    HELP,
    END,
};

static const struct option_spec scan[] = {
    {OPTION_AT, 0, "at", "PATH",
     "the construct: 3.1.2 is 2 in the body of 1 in the body of 3; 3.4-7 is several"},
    {OPTION_POINT, 0, "point", "WORD", "of a loop: start, end or iteration (default); of others: event"},
    {OPTION_VALUES, 0, "values", "NAME,…",
     "time, exit, duration, bytes, sent, received, function, or a parameter"},
    RANKS("only these ranks"),
    {OPTION_POSITIONS, 0, "positions", NULL, "print the enclosing loops, and a formula for the event number"},
    {OPTION_EMIT_C, 0, "emit-c", NULL, "print a program in C that prints the rows"},
    {OPTION_LOOPS, 0, "loops", NULL, "PATH is a path in the loops of each rank, see refrain loops"},
    {OPTION_CALLS, 0, "calls", NULL, "with --loops: PATH is a path in refrain loops --calls"},
    {OPTION_WINDOW, 0, "window", "N", "longest repetition, in events and loops (default: 512)"},
    MODULES,
    WORLD,
    HELP,
    END,
};

static const struct option_spec merge[] = {
    {OPTION_OUTPUT, 'o', "output", "FILE", "write the trace to FILE (default: DIR without .parts)"},
    HELP,
    END,
};

static const struct option_spec config[] = {JSON, HELP, END};

static const struct option_spec verify[] = {WORLD, HELP, END};

static const struct option_spec otf2[] = {
    {OPTION_OUTPUT, 'o', "output", "DIR", "the directory to create"},
    RANKS("only these ranks"),
    FROM,
    TO,
    CLOCK_IF_OFF,
    SYNTHETIC_TIME,
    {OPTION_COMPAT, 0, "otf2-compat", "2", "use only records that readers of OTF2 2.x know"},
    MODULES,
    WORLD,
    HELP,
    END,
};

static const struct option_spec chrome[] = {
    {OPTION_OUTPUT, 'o', "output", "FILE", "write to FILE (default: standard output)"},
    RANKS("only these ranks"),
    FROM,
    TO,
    CLOCK,
    SYNTHETIC_TIME,
    {OPTION_ARGS, 'a', "args", NULL, "add the arguments of each call"},
    {OPTION_MESSAGES, 0, "messages", NULL, "add an arrow for each message"},
    MODULES,
    WORLD,
    HELP,
    END,
};

static const struct option_spec timeline[] = {
    {OPTION_OUTPUT, 'o', "output", "FILE", "the picture to write: FILE.svg, or FILE.html to zoom in"},
    RANKS("draw only these ranks"),
    {OPTION_FROM, 0, "from", "SECONDS", "begin of the picture, in seconds since the begin of the run"},
    {OPTION_TO, 0, "to", "SECONDS", "end of the picture"},
    {OPTION_WIDTH, 0, "width", "PIXELS", "width of an SVG picture (default: 1200)"},
    {OPTION_NO_MESSAGES, 0, "no-messages", NULL, "do not draw messages and collective operations"},
    MODULES,
    CLOCK,
    SYNTHETIC_TIME,
    WORLD,
    HELP,
    END,
};

static const struct option_spec waits[] = {
    {OPTION_BY, 'b', "by", "WHAT", "table by function, site, path, region, phase, rank, direction or role"},
    {OPTION_COORDS, 0, "coords", "FILE", "read the ranks' coordinates from FILE: lines rank,x,y,…"},
    {OPTION_TOPOLOGY, 0, "topology", "SIZES",
     "sizes of the ranks' grid: 8x8; 8x8p is a torus, 8px4 periodic in x"},
    {OPTION_METRIC, 0, "metric", "NAME", "only this metric and its sub-metrics, such as mpi_latesender"},
    RANKS("only these ranks"),
    {OPTION_TOP, 0, "top", "N", "print N lines per table (default: 10)"},
    {OPTION_INSTANCES, 0, "instances", "N", "also list the N longest single waits"},
    {OPTION_FROM, 0, "from", "SECONDS", "only after this time of the run"},
    {OPTION_TO, 0, "to", "SECONDS", "only before this time of the run"},
    CLOCK_IF_OFF,
    {OPTION_EXPLAIN, 0, "explain", "NAME", "explain a metric; all: list all metrics"},
    {OPTION_CSV, 0, "csv", NULL, "print lines metric,function,site,rank,value,unit"},
    {OPTION_SVG, 0, "svg", NULL, "draw the metric on the topology: print SVG"},
    {OPTION_OUTPUT, 'o', "output", "FILE",
     "write a profile for CUBE: FILE.cube (CUBE 3), FILE.cubex (CUBE 4)"},
    JSON,
    MODULES,
    WORLD,
    HELP,
    END,
};

static const struct option_spec report[] = {
    {OPTION_OUTPUT, 'o', "output", "FILE", "write a page to open in a browser: FILE.html"},
    {OPTION_TEXT, 0, "text", NULL, "print one screen of text (default)"},
    {OPTION_JSON, 0, "json", NULL, "print the contents of the page as JSON"},
    MODULES,
    WORLD,
    HELP,
    END,
};

static const struct option_spec diff[] = {
    {OPTION_BY, 'b', "by", "WHAT", "compare call sites (site, default), functions, regions, or models"},
    {OPTION_TOP, 't', "top", "N", "print only the first N places (default: 16)"},
    {OPTION_MEAN, 0, "mean", NULL, "runs of the same program: print mean and standard deviation"},
    {OPTION_OUTPUT, 'o', "output", "FILE",
     "write the difference, or with --mean the mean, for CUBE: FILE.cube or FILE.cubex"},
    JSON,
    MODULES,
    WORLD,
    HELP,
    END,
};

const struct command commands[] = {
    {"record", "PROGRAM [ARGUMENT…]", 1, UINT_MAX, "Run a program with the tracer", record, true, false,
     cmd_record},
    {"report", "TRACE [TRACE]", 1, 2, "Summarize what a run did and where its time went: HTML page or text",
     report, false, true, cmd_report},
    {"diff", "TRACE… [vs] TRACE…", 1, UINT_MAX, "Compare runs: time, calls, bytes, waiting", diff, false,
     true, cmd_diff},
    {"text", "TRACE", 1, 1, "Print every call", text, false, false, cmd_text},
    {"info", "TRACE", 1, 1, "Print what a trace contains and its size", info, false, false, cmd_info},
    {"stat", "TRACE", 1, 1, "Sum up calls, bytes and time", stat, false, false, cmd_stat},
    {"messages", "TRACE", 1, 1, "Print matched messages and collective operations, and errors in them",
     messages, false, false, cmd_messages},
    {"loops", "TRACE | --events FILE", 0, 1, "Show what each rank does as nested loops", loops, false, false,
     cmd_loops},
    {"model", "TRACE | --events FILE", 0, 1, "Show what all ranks do together as nested loops", model, false,
     false, cmd_model},
    {"matrix", "TRACE", 1, 1, "Count messages and bytes from each rank to each other", matrix, false, false,
     cmd_matrix},
    {"topology", "TRACE", 0, 1, "Find the topology of the communication: grid, torus, tree …", topology,
     false, false, cmd_topology},
    {"logical", "TRACE", 1, 1, "Show the run as one program for all ranks, with directions for partners",
     logical, false, false, cmd_logical},
    {"waits", "TRACE", 0, 1, "Show where ranks wait, how long, and which ranks cause it", waits, false, true,
     cmd_waits},
    {"critical", "TRACE", 1, 1,
     "Show the critical path: the calls and computation that determine the run time", critical, false, true,
     cmd_critical},
    {"scan", "TRACE", 1, 1, "List each occurrence of a construct of the model, with values of its calls",
     scan, false, false, cmd_scan},
    {"timeline", "TRACE", 1, 1, "Draw the calls of each rank over time", timeline, false, false,
     cmd_timeline},
    {"verify", "TRACE DIR", 2, 2, "Compare a trace with uncompressed records", verify, false, false,
     cmd_verify},
    {"config", "", 0, 0, "Print all environment variables with their values", config, false, false,
     cmd_config},
    {"merge", "DIR | TRACE…", 1, UINT_MAX,
     "Build a trace from the parts of a run, or join the traces of several worlds", merge, false, false,
     cmd_merge},
    {"otf2", "TRACE", 1, 1, "Write an OTF2 archive", otf2, false, false, cmd_otf2},
    {"chrome", "TRACE", 1, 1, "Print JSON for Perfetto and chrome://tracing", chrome, false, false,
     cmd_chrome},
    {0},
};
