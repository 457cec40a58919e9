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
        OPTION_MODULES, 'm', "modules", "DIR", "look for the program and its libraries there first"          \
    }
#define WORLD                                                                                                \
    {                                                                                                        \
        OPTION_WORLD, 'w', "world", "N", "of a file with several worlds, number N (default: 0)"              \
    }
#define FROM                                                                                                 \
    {                                                                                                        \
        OPTION_FROM, 0, "from", "SECONDS", "only calls from then on, since the beginning of the run"         \
    }
#define TO                                                                                                   \
    {                                                                                                        \
        OPTION_TO, 0, "to", "SECONDS", "only calls that ended by then"                                       \
    }
#define CLOCK                                                                                                \
    {                                                                                                        \
        OPTION_CLOCK, 0, "clock", "WORD",                                                                    \
            "causal: no message arrives before it was sent (default), or linear"                             \
    }
#define CLOCK_IF_OFF                                                                                         \
    {                                                                                                        \
        OPTION_CLOCK, 0, "clock", "WORD",                                                                    \
            "causal: no message arrives before it was sent (default, where clocks are off), or linear"       \
    }
#define SYNTHETIC_TIME                                                                                       \
    {                                                                                                        \
        OPTION_SYNTHETIC_TIME, 0, "synthetic-time", NULL, "make up timestamps from mean times"               \
    }
#define AT                                                                                                   \
    {                                                                                                        \
        OPTION_AT, 0, "at", "PATH",                                                                          \
            "of these constructs of the model, as 3.1.2 or 3.4-7 (see refrain model --paths)"                \
    }
#define AT_WINDOW                                                                                            \
    {                                                                                                        \
        OPTION_WINDOW, 0, "window", "N", "with --at: that of refrain model (default: 512)"                   \
    }
#define RMA                                                                                                  \
    {                                                                                                        \
        OPTION_RMA, 0, "rma", NULL, "of one-sided communication, instead of messages"                        \
    }
#define COORDS                                                                                               \
    {                                                                                                        \
        OPTION_COORDS, 0, "coords", "FILE", "the ranks' coordinates are these: lines rank,x,y,…"           \
    }
#define PATTERNS                                                                                             \
    {                                                                                                        \
        OPTION_PATTERNS, 0, "patterns", "FILE", "look for these patterns, too; see refrain-topology(1)"      \
    }
#define THRESHOLD                                                                                            \
    {                                                                                                        \
        OPTION_THRESHOLD, 0, "threshold", "PERCENT",                                                         \
            "leave out pairs below so much of the largest one (default: 5)"                                  \
    }
#define TOPOLOGY                                                                                             \
    {                                                                                                        \
        OPTION_TOPOLOGY, 0, "topology", "SIZES",                                                             \
            "the ranks form this grid: 8x8; 8x8p is a torus, 8px4 periodic in x"                             \
    }
#define END                                                                                                  \
    {                                                                                                        \
        0, 0, NULL, NULL, NULL                                                                               \
    }

static const struct option_spec record[] = {
    {OPTION_CALLPATH, 0, "callpath", NULL, "record all callers of a call, not only the innermost"},
    {OPTION_CHECKPOINT, 0, "checkpoint", "SECONDS", "how often to write a part, for runs that are killed"},
    {OPTION_FORTRAN_NAMES, 0, "fortran-names", "FORM", "plain, second, capitals …, see refrain-record(1)"},
    {OPTION_FUNCTIONS, 'f', "functions", "PATTERN,…", "record only these; !PATTERN leaves out"},
    {OPTION_LOG, 0, "log", "LEVEL", "error, warning (default), info or debug"},
    {OPTION_OUTPUT, 'o', "output", "FILE", "write the trace there (default: PROGRAM.refrain)"},
    {OPTION_START, 's', "start", "WHEN", "start recording after so many calls, or at a signal"},
    {OPTION_TIME_BUDGET, 0, "time-budget", "BYTES",
     "of the file, for the times of a rank: 1M (default), none …"},
    {OPTION_TIMING, 't', "timing", "MODE", "lossy (default), lossless, aggregate …, see refrain-record(1)"},
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
    {OPTION_DEFINITIONS, 0, "definitions", NULL, "before a rank's calls, what its symbols mean"},
    {OPTION_JSON, 0, "json", NULL, "print a JSON object for each call"},
    {OPTION_TIMES, 0, "times", NULL, "when each call began and how long it took"},
    {OPTION_CLOCK, 0, "clock", "WORD",
     "with --times: of the whole run, linear or causal (default: the rank's own)"},
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
    {OPTION_BY, 'b', "by", "WHAT", "a line for each function (default), site, rank or region"},
    {OPTION_FUNCTION, 'f', "function", "PATTERN", "only functions like MPI_*send; may be repeated"},
    {OPTION_SORT, 's', "sort", "COLUMN",
     "most calls, time, mean, min, max, sent or received first; or by rank"},
    {OPTION_TOP, 't', "top", "N", "the first N lines only"},
    MODULES,
    RANKS("count only these ranks"),
    JSON,
    WORLD,
    HELP,
    END,
};

static const struct option_spec messages[] = {
    RANKS("only what these ranks take part in"),
    {OPTION_SUMMARY, 's', "summary", NULL, "count, by communicator, and list what is wrong"},
    JSON,
    WORLD,
    HELP,
    END,
};

static const struct option_spec loops[] = {
    {OPTION_CALLS, 0, "calls", NULL, "all calls with their arguments, instead of messages"},
    {OPTION_EVENTS, 'e', "events", "FILE", "model the events in a text file, instead of a trace"},
    {OPTION_EXPAND, 0, "expand", NULL, "print the events that the models stand for"},
    RANKS("only these ranks"),
    {OPTION_THREAD, 0, "thread", "T[,T|A-B]", "only these threads of each rank"},
    {OPTION_WINDOW, 0, "window", "N", "look for repetitions of up to N events or loops (default: 512)"},
    JSON,
    WORLD,
    HELP,
    END,
};

static const struct option_spec model[] = {
    {OPTION_EVENTS, 'e', "events", "FILE", "model the events in a text file, instead of a trace"},
    {OPTION_EXPAND, 0, "expand", "RANK", "print the events that the model has of this rank"},
    {OPTION_PATHS, 0, "paths", NULL, "put in front of each line which construct it is"},
    {OPTION_SVG, 0, "svg", NULL, "draw it: print SVG"},
    {OPTION_WINDOW, 0, "window", "N", "look for repetitions of up to N events or loops (default: 512)"},
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
    {OPTION_MESSAGES, 0, "messages", NULL, "colours are for messages instead of bytes"},
    {OPTION_ORDER, 0, "order", "HOW", "of lines and columns: rank (default), or topology: by place in it"},
    {OPTION_OUTPUT, 'o', "output", "FILE", "write there; .csv, .json, .svg and .png tell what"},
    AT_WINDOW,
    WORLD,
    HELP,
    END,
};

static const struct option_spec topology[] = {
    AT,
    RMA,
    {OPTION_COLOR, 0, "color", "WHAT",
     "with --svg: bytes (default), messages, time, or a FILE of rank,value"},
    {OPTION_COMM, 0, "comm", "NAME", "of one communicator: MPI_COMM_WORLD, comm3, or its number 3"},
    COORDS,
    {OPTION_EXPLAIN, 0, "explain", NULL, "print what remained after each test"},
    {OPTION_MATRIX, 0, "matrix", "FILE", "of a file with lines from,to,messages,bytes, instead of a trace"},
    {OPTION_MESSAGES, 0, "messages", NULL, "by messages instead of bytes"},
    PATTERNS,
    {OPTION_PHASES, 0, "phases", NULL, "tell which part of the model has which topology, too"},
    {OPTION_SITES, 0, "sites", NULL, "print what goes which way from which call site"},
    {OPTION_SIZES, 0, "sizes", NULL, "print what goes which way, with the bytes of a message"},
    {OPTION_TIMES, 0, "times", NULL, "print what goes which way, with the time of the calls that send"},
    MODULES,
    THRESHOLD,
    TOPOLOGY,
    {OPTION_SVG, 0, "svg", NULL, "draw it: print SVG"},
    {OPTION_VIEW, 0, "view", "DISTANCE[,ANGLE]", "with --svg: of the planes of three dimensions"},
    JSON,
    AT_WINDOW,
    WORLD,
    HELP,
    END,
};

static const struct option_spec logical[] = {
    COORDS,
    {OPTION_EXPAND, 0, "expand", "RANK", "print the events that the program has of this rank"},
    {OPTION_SITES, 0, "sites", NULL, "say where in the source each statement is"},
    {OPTION_SIZES, 0, "sizes", NULL, "say how many bytes each statement moves"},
    {OPTION_TIMES, 0, "times", NULL, "say how long each statement takes, and its share of the run"},
    MODULES,
    PATTERNS,
    THRESHOLD,
    TOPOLOGY,
    {OPTION_WINDOW, 0, "window", "N", "look for repetitions of up to N events or loops (default: 512)"},
    JSON,
    WORLD,
    HELP,
    END,
};

static const struct option_spec critical[] = {
    {OPTION_TOP, 0, "top", "N", "as many lines (default: 10)"}, CLOCK, JSON, MODULES, WORLD, HELP, END,
};

static const struct option_spec scan[] = {
    {OPTION_AT, 0, "at", "PATH",
     "the construct, as 3.1.2: 2 in the body of 1 in the body of 3; or several, as 3.4-7"},
    {OPTION_POINT, 0, "point", "WORD", "start, end or iteration (default) of a loop; event of others"},
    {OPTION_VALUES, 0, "values", "NAME,…",
     "time, exit, duration, bytes, sent, received, function, arguments"},
    RANKS("only these ranks"),
    {OPTION_POSITIONS, 0, "positions", NULL, "print the loops around, and the number of the event"},
    {OPTION_EMIT_C, 0, "emit-c", NULL, "print a program in C that prints the rows"},
    {OPTION_LOOPS, 0, "loops", NULL, "PATH is in the loops of each rank, as refrain loops prints them"},
    {OPTION_CALLS, 0, "calls", NULL, "with --loops: of all calls, as refrain loops --calls"},
    {OPTION_WINDOW, 0, "window", "N", "look for repetitions of up to N events or loops (default: 512)"},
    MODULES,
    WORLD,
    HELP,
    END,
};

static const struct option_spec merge[] = {
    {OPTION_OUTPUT, 'o', "output", "FILE", "write the trace there (default: DIR without .parts)"},
    HELP,
    END,
};

static const struct option_spec config[] = {JSON, HELP, END};

static const struct option_spec verify[] = {WORLD, HELP, END};

static const struct option_spec otf2[] = {
    {OPTION_OUTPUT, 'o', "output", "DIR", "the directory to make"},
    RANKS("only these ranks"),
    FROM,
    TO,
    CLOCK_IF_OFF,
    SYNTHETIC_TIME,
    {OPTION_COMPAT, 0, "otf2-compat", "2", "no records that readers of OTF2 2.x do not know"},
    MODULES,
    WORLD,
    HELP,
    END,
};

static const struct option_spec chrome[] = {
    {OPTION_OUTPUT, 'o', "output", "FILE", "write there (default: standard output)"},
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
    {OPTION_FROM, 0, "from", "SECONDS", "begin there, counted from the beginning of the run"},
    {OPTION_TO, 0, "to", "SECONDS", "end there"},
    {OPTION_WIDTH, 0, "width", "PIXELS", "of an SVG picture (default: 1200)"},
    {OPTION_NO_MESSAGES, 0, "no-messages", NULL, "draw neither messages nor what joins collective calls"},
    CLOCK,
    SYNTHETIC_TIME,
    WORLD,
    HELP,
    END,
};

static const struct option_spec waits[] = {
    {OPTION_BY, 'b', "by", "WHAT", "a table: function, site, path, region, phase, rank, direction, role"},
    {OPTION_COORDS, 0, "coords", "FILE", "the ranks' coordinates are these: lines rank,x,y,…"},
    {OPTION_TOPOLOGY, 0, "topology", "SIZES",
     "the ranks form this grid: 8x8; 8x8p is a torus, 8px4 periodic in x"},
    {OPTION_METRIC, 0, "metric", "NAME", "only this one, and those below, as mpi_latesender"},
    RANKS("only what these ranks wait, compute and count"),
    {OPTION_TOP, 0, "top", "N", "as many lines (default: 10)"},
    {OPTION_INSTANCES, 0, "instances", "N", "list the N longest single waits, too"},
    {OPTION_FROM, 0, "from", "SECONDS", "only what is later, counted from the beginning of the run"},
    {OPTION_TO, 0, "to", "SECONDS", "only what is earlier"},
    CLOCK_IF_OFF,
    {OPTION_EXPLAIN, 0, "explain", "NAME", "say what a metric means, or list all metrics: all"},
    {OPTION_CSV, 0, "csv", NULL, "print lines metric,function,site,rank,value,unit"},
    {OPTION_SVG, 0, "svg", NULL, "draw it on the topology: print SVG"},
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
    {OPTION_JSON, 0, "json", NULL, "print all that the page has as JSON"},
    MODULES,
    WORLD,
    HELP,
    END,
};

static const struct option_spec diff[] = {
    {OPTION_BY, 'b', "by", "WHAT", "places are call sites (site, default), functions or regions"},
    {OPTION_TOP, 't', "top", "N", "the first N places only (default: 16)"},
    {OPTION_MEAN, 0, "mean", NULL, "all are runs of the same: print mean and spread"},
    JSON,
    MODULES,
    WORLD,
    HELP,
    END,
};

const struct command commands[] = {
    {"record", "PROGRAM [ARGUMENT…]", 1, UINT_MAX, "Run a program with the tracer", record, true, cmd_record},
    {"report", "TRACE [TRACE]", 1, 2, "Tell what a run did and where its time went: a page, or one screen",
     report, false, cmd_report},
    {"diff", "TRACE… [vs] TRACE…", 1, UINT_MAX, "Tell what runs have different: time, calls, bytes, waiting",
     diff, false, cmd_diff},
    {"text", "TRACE", 1, 1, "Print every call", text, false, cmd_text},
    {"info", "TRACE", 1, 1, "Say what a trace holds and how large it is", info, false, cmd_info},
    {"stat", "TRACE", 1, 1, "Sum up calls, bytes and time", stat, false, cmd_stat},
    {"messages", "TRACE", 1, 1, "Match sends with receives, and the calls of collective operations", messages,
     false, cmd_messages},
    {"loops", "TRACE | --events FILE", 0, 1, "Show what each rank does as nested loops", loops, false,
     cmd_loops},
    {"model", "TRACE | --events FILE", 0, 1, "Show what all ranks do together as nested loops", model, false,
     cmd_model},
    {"matrix", "TRACE", 1, 1, "Count messages and bytes from each rank to each other", matrix, false,
     cmd_matrix},
    {"topology", "TRACE", 0, 1, "Tell which grid, torus, tree … the ranks form", topology, false,
     cmd_topology},
    {"logical", "TRACE", 1, 1, "Show the run as one program, with directions in place of ranks", logical,
     false, cmd_logical},
    {"waits", "TRACE", 0, 1, "Tell where time is lost by waiting, and who is to blame", waits, false,
     cmd_waits},
    {"critical", "TRACE", 1, 1, "Show the critical path: what the length of the run is made of", critical,
     false, cmd_critical},
    {"scan", "TRACE", 1, 1, "Print where a construct of the model occurs, with values of its calls", scan,
     false, cmd_scan},
    {"timeline", "TRACE", 1, 1, "Draw when each rank was in which call", timeline, false, cmd_timeline},
    {"verify", "TRACE DIR", 2, 2, "Compare a trace with uncompressed records", verify, false, cmd_verify},
    {"config", "", 0, 0, "Print all environment variables with their values", config, false, cmd_config},
    {"merge", "DIR | TRACE…", 1, UINT_MAX,
     "Make a trace of the parts of a run, or one file of several worlds", merge, false, cmd_merge},
    {"otf2", "TRACE", 1, 1, "Make an OTF2 archive", otf2, false, cmd_otf2},
    {"chrome", "TRACE", 1, 1, "Print JSON for Perfetto and chrome://tracing", chrome, false, cmd_chrome},
    {0},
};
