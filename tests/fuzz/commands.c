/* SPDX-License-Identifier: BSD-3-Clause */
/* Fuzz target: passes a file to sub-commands as their operand, each with several sets of options.
 * Output goes to a folder in TMPDIR and is not examined.
 *
 * Claim in addition to no crash: each refusal has a message.
 *
 * FUZZ_COMMAND in the environment is the sub-command; without it, all run one after another. A file
 * may stand for far more calls than it has bytes, so only short traces are used (size.h). */
#include "decoder/cli/options.h"
#include "decoder/trace/reader.h"
#include "size.h"
#include "src/core/base/log.h"
#include "target.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* Words separated by blanks. IN is the input, OUT a place for output, RAW a folder with records of
 * another run, PARTS a folder with the input as the part of rank 0, MATRIX the matrix of a ring. */
static const struct {
    const char *line;
    bool text; /* the input is text */
} lines[] = {
    {"text IN", false},
    {"text --json --callsite --definitions IN", false},
    {"text --times --call 2..9 --rank 0-1 --thread 0 --function MPI_* IN", false},
    {"info IN", false},
    {"info --json --causality IN", false},
    {"stat IN", false},
    {"stat --by site --json IN", false},
    {"stat --by rank --rank 0 IN", false},
    {"stat --by region --json IN", false},
    {"messages IN", false},
    {"messages --json --rank 0 IN", false},
    {"messages --summary IN", false},
    {"loops IN", false},
    {"loops --calls --expand IN", false},
    {"loops --events IN", true},
    {"loops --expand --window 3 --events IN", true},
    {"model IN", false},
    {"model --json IN", false},
    {"model --svg IN", false},
    {"model --paths --expand 0 IN", false},
    {"model --paths --events IN", true},
    {"matrix --csv IN", false},
    {"matrix --rma --json IN", false},
    {"matrix --svg --messages IN", false},
    {"matrix --png -o OUT/matrix.png IN", false},
    {"matrix --at 1 IN", false},
    {"topology IN", false},
    {"topology --json --explain --threshold 0 IN", false},
    {"topology --svg --messages --at 1 IN", false},
    {"topology --rma --svg --view 2,40 IN", false},
    {"topology --explain --matrix IN", true},
    {"topology --svg --matrix IN", true},
    {"topology --explain --patterns IN --matrix MATRIX", true},
    {"topology --svg --color IN --matrix MATRIX", true},
    {"logical --sites --sizes IN", false},
    {"logical --json --times IN", false},
    {"logical --expand 0 IN", false},
    {"waits --json --instances 5 --clock causal IN", false},
    {"waits --csv --from 0.000001 IN", false},
    {"critical --clock causal IN", false},
    {"critical --json IN", false},
    {"critical --by phase IN", false},
    {"critical --by region --json IN", false},
    {"waits -o OUT/waits.cube IN", false},
    {"waits -o OUT/waits.cubex IN", false},
    {"scan --at 1 --values time,exit,duration,bytes,sent,received,function,arguments IN", false},
    {"scan --at 1 --positions IN", false},
    {"scan --at 1 --emit-c IN", false},
    {"scan --loops --at 1 --calls IN", false},
    {"timeline --synthetic-time -o OUT/timeline.svg IN", false},
    {"timeline --clock causal --from 0.000001 -o OUT/timeline.html IN", false},
    {"report IN", false},
    {"report --json IN", false},
    {"report -o OUT/report.html IN", false},
    {"report IN IN", false},
    {"report -o OUT/report.html IN IN", false},
    {"diff --by region IN IN", false},
    {"diff --json IN vs IN IN", false},
    {"diff --by model IN IN", false},
    {"diff -o OUT/diff.cube IN IN", false},
    {"diff --mean -o OUT/diff.cubex IN IN", false},
    {"verify IN RAW", false},
    {"merge -o OUT/merged.refrain IN", false},
    {"merge -o OUT/merged.refrain IN IN", false},
    {"merge -o OUT/merged.refrain PARTS", true},
    {"otf2 --synthetic-time -o OUT/archive IN", false},
    {"otf2 --clock causal -o OUT/archive IN", false},
    {"chrome --synthetic-time --messages IN", false},
    {"chrome --args --messages --clock causal --to 1 IN", false},
};

enum { WORDS = 12, LONGEST = 256, PNG_EVERY = 64 };

/* Libraries keep some memory: librsvg keeps fonts. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void); /* for the library */
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig\n";
}

static char out[LONGEST], in[LONGEST], matrix[LONGEST];
static int input = -1;

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    (void)s;
    (void)kind;
    return at->level > 0 ? remove(path) : 0;
}

static void empty(void)
{
    nftw(out, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void clean_up(void)
{
    empty();
    rmdir(out);
}

/* Checks that every sub-command that reads files is in the table. */
static void look_at_lines(void)
{
    for (const struct command *c = commands; c->name; c++) {
        const size_t n = strlen(c->name);
        size_t i = 0;
        while (i < sizeof lines / sizeof lines[0] &&
               (strncmp(lines[i].line, c->name, n) != 0 || lines[i].line[n] != ' '))
            i++;
        CLAIM(i < sizeof lines / sizeof lines[0] || strcmp(c->name, "record") == 0 ||
              strcmp(c->name, "config") == 0);
    }
}

/* Makes a file without a name; `path` names it through /proc. */
static int make_file(const char *name, char path[LONGEST])
{
    const int fd = memfd_create(name, 0);
    CLAIM(fd >= 0);
    snprintf(path, LONGEST, "/proc/self/fd/%d", fd);
    return fd;
}

static void start(void)
{
    static const char ring[] = "from,to,messages,bytes\n0,1,1,8\n1,2,1,8\n2,3,1,8\n3,0,1,8\n";
    const char *folder = getenv("TMPDIR");
    snprintf(out, sizeof out, "%s/refrain-fuzz-XXXXXX", folder ? folder : "/tmp");
    CLAIM(mkdtemp(out));
    atexit(clean_up);
    look_at_lines();
    input = make_file("input", in);
    CLAIM(write(make_file("matrix", matrix), ring, sizeof ring - 1) == (ssize_t)sizeof ring - 1);
    const int nowhere = open("/dev/null", O_WRONLY);
    CLAIM(nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0);
    close(nowhere);
}

static bool put_input(const uint8_t *data, size_t n)
{
    return ftruncate(input, 0) == 0 && pwrite(input, data, n, 0) == (ssize_t)n;
}

static void put_parts(char *to)
{
    char part[3 * LONGEST];
    snprintf(to, 2 * LONGEST, "%s/in.parts", out);
    snprintf(part, sizeof part, "%s/in.parts/rank.0.part", out);
    CLAIM(mkdir(to, 0777) == 0 && symlink(in, part) == 0);
}

/* Replaces a place, which may also be the beginning of a path. */
static void put_word(char *to, const char *word)
{
    if (strcmp(word, "IN") == 0)
        snprintf(to, LONGEST, "%s", in);
    else if (strcmp(word, "MATRIX") == 0)
        snprintf(to, LONGEST, "%s", matrix);
    else if (strcmp(word, "PARTS") == 0)
        put_parts(to);
    else if (strcmp(word, "RAW") == 0)
        snprintf(to, LONGEST, "%s", out);
    else if (strncmp(word, "OUT/", 4) == 0)
        snprintf(to, 2 * LONGEST, "%s%s", out, word + 3);
    else
        snprintf(to, LONGEST, "%s", word);
}

static void run(const char *line)
{
    static char words[WORDS][2 * LONGEST];
    char copy[LONGEST], *argv[WORDS + 1] = {0}, *rest = copy;
    struct options options;
    int argc = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (const char *word; (word = strsep(&rest, " ")); argc++) {
        CLAIM(argc < WORDS);
        put_word(words[argc], word);
        argv[argc] = words[argc];
    }
    const struct command *command = command_find(argv[0]);
    CLAIM(command && options_parse(&options, command, argc, argv) == REFRAIN_OK);
    const unsigned errors = log_error_count();
    const enum refrain_status status = command->run(&options);
    CLAIM(status == REFRAIN_OK || status == REFRAIN_ERR_CHECK || log_error_count() > errors);
    options_free(&options);
    if (strstr(line, "OUT/"))
        empty();
}

/* Is it a trace that is small enough? */
static bool is_trace(const uint8_t *data, size_t n)
{
    struct reader r;
    if (reader_read(&r, "input", data, n, 0) != REFRAIN_OK)
        return false;
    const bool small = size_is_small(&r.trace, LANE_DEFINITIONS) && size_is_small(&r.trace, LANE_THREAD);
    reader_close(&r);
    return small;
}

/* librsvg needs twenty times as long for a PNG as everything else takes, so only some inputs are
 * drawn, always the same ones. */
static bool is_due(const char *line, const uint8_t *data, size_t n)
{
    return !strstr(line, "--png") || XXH3_64bits(data, n) % PNG_EVERY == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const char *wanted = getenv("FUZZ_COMMAND");
    if (input < 0)
        start();
    const bool trace = is_trace(data, n);
    CLAIM(put_input(data, n));
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const size_t length = strcspn(lines[i].line, " ");
        const bool is_wanted =
            !wanted || (strlen(wanted) == length && memcmp(wanted, lines[i].line, length) == 0);
        if (is_wanted && (lines[i].text || trace) && is_due(lines[i].line, data, n))
            run(lines[i].line);
    }
    return 0;
}
