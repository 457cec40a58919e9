/* SPDX-License-Identifier: BSD-3-Clause */
#include "expect.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RING = 128, TEXT_MAX = 16384, BOOKS = 16 };

int rank, size;

static const char *prefix;
static struct book {
    char *lines; /* lines so far, each with a newline; the rank may be unknown yet */
    size_t n_bytes;
    FILE *file;                  /* writes to `lines`; NULL: not opened */
} books[BOOKS];                  /* by lane */
static _Thread_local int number; /* of this thread's lane */

static void die(const char *what)
{
    perror(what);
    PMPI_Abort(MPI_COMM_WORLD, 3);
}

#ifdef LARGE_NAMES
/* Calls of MPI_Send may be calls of MPI_Send_c. */
static const char *of_name(const char *format)
{
    static const char *const names[] = {LARGE_NAMES};
    const size_t n = strcspn(format, "(");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) == n && strncmp(names[i], format, n) == 0) {
            fprintf(books[number].file, "%s_c", names[i]);
            return format + n;
        }
    }
    return format;
}
#else
static const char *of_name(const char *format)
{
    return format;
}
#endif

void expect(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(books[number].file, of_name(format), args);
    va_end(args);
    fputc('\n', books[number].file);
}

void expect_thread(int of_lane)
{
    number = of_lane;
    struct book *b = &books[number];
    if (!b->file)
        b->file = open_memstream(&b->lines, &b->n_bytes);
    if (!b->file) {
        perror("open_memstream");
        exit(3);
    }
}

void expect_open(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s PREFIX\n", argv[0]);
        exit(2);
    }
    prefix = argv[1];
    expect_thread(0);
}

void expect_world(void)
{
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
}

void expect_start(int *argc, char ***argv)
{
    expect_open(*argc, *argv);
    const char *arguments = quoted_list(*argc, *argv);
    MPI_Init(argc, argv);
    OK("MPI_Init(argc=%d, argv=%s)", *argc, arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    OK("MPI_Comm_rank(" WORLD ", rank=%d)", rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    OK("MPI_Comm_size(" WORLD ", size=%d)", size);
}

static const char *level(int threads)
{
    return threads == MPI_THREAD_MULTIPLE     ? "MPI_THREAD_MULTIPLE"
           : threads == MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED"
           : threads == MPI_THREAD_FUNNELED   ? "MPI_THREAD_FUNNELED"
                                              : "MPI_THREAD_SINGLE";
}

void expect_start_threads(int *argc, char ***argv, int required)
{
    int provided;
    expect_open(*argc, *argv);
    const char *arguments = quoted_list(*argc, *argv);
    MPI_Init_thread(argc, argv, required, &provided);
    if (provided < required)
        die("MPI_Init_thread provides less than was required");
    OK("MPI_Init_thread(argc=%d, argv=%s, required=%s, provided=%s)", *argc, arguments, level(required),
       level(provided));
    expect_world();
}

/* Numbers the lines and writes them to PREFIX.RANK. */
static void write_file(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.%d", prefix, rank);
    FILE *file = fopen(path, "w");
    if (!file)
        die(path);
    for (int i = 0; i < BOOKS; i++) {
        long long index = 0;
        const char *place = i == 0 ? format_text("%d", rank) : format_text("%d.%d", rank, i);
        for (char *line = books[i].lines, *end; line && (end = strchr(line, '\n')); line = end + 1)
            fprintf(file, "%s  %lld  %.*s\n", place, index++, (int)(end - line), line);
    }
    if (fclose(file) != 0)
        die(path);
}

int expect_close(void)
{
    for (int i = 0; i < BOOKS; i++) {
        if (books[i].file && fclose(books[i].file) != 0)
            die("expected lines");
    }
    write_file();
    for (int i = 0; i < BOOKS; i++)
        free(books[i].lines);
    return 0;
}

int expect_end(void)
{
    OK("MPI_Finalize()");
    const int status = expect_close();
    MPI_Finalize();
    return status;
}

/* ---- texts of values ------------------------------------------------------------------------- */

/* Returns the next buffer of the ring. */
static char *next_text(void)
{
    static _Thread_local char ring[RING][TEXT_MAX];
    static _Thread_local int next;
    return ring[next++ % RING];
}

const char *format_text(const char *format, ...)
{
    char *text = next_text();
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, TEXT_MAX, format, args);
    va_end(args);
    if (length < 0 || length >= TEXT_MAX)
        die("a text is too long");
    return text;
}

struct name {
    int value;
    const char *name;
};

/* Returns the name of a value, or its digits. `names` ends with a NULL name. */
static const char *name_text(const struct name *names, int value)
{
    for (; names->name; names++)
        if (names->value == value)
            return names->name;
    return format_text("%d", value);
}

#define NAME(constant)                                                                                       \
    {                                                                                                        \
        constant, #constant                                                                                  \
    }

const char *rank_text(int value)
{
    static const struct name names[] = {
        NAME(MPI_PROC_NULL), NAME(MPI_ANY_SOURCE), NAME(MPI_ROOT), NAME(MPI_UNDEFINED), {0, NULL}};
    return name_text(names, value);
}

const char *tag_text(int value)
{
    static const struct name names[] = {NAME(MPI_ANY_TAG), {0, NULL}};
    return name_text(names, value);
}

const char *index_text(int value)
{
    static const struct name names[] = {NAME(MPI_UNDEFINED), {0, NULL}};
    return name_text(names, value);
}

const char *error_text(int code)
{
    static const struct name names[] = {
        NAME(MPI_SUCCESS),
        NAME(MPI_ERR_BUFFER),
        NAME(MPI_ERR_COUNT),
        NAME(MPI_ERR_TYPE),
        NAME(MPI_ERR_TAG),
        NAME(MPI_ERR_COMM),
        NAME(MPI_ERR_RANK),
        NAME(MPI_ERR_REQUEST),
        NAME(MPI_ERR_ROOT),
        NAME(MPI_ERR_GROUP),
        NAME(MPI_ERR_OP),
        NAME(MPI_ERR_TOPOLOGY),
        NAME(MPI_ERR_DIMS),
        NAME(MPI_ERR_ARG),
        NAME(MPI_ERR_UNKNOWN),
        NAME(MPI_ERR_TRUNCATE),
        NAME(MPI_ERR_OTHER),
        NAME(MPI_ERR_INTERN),
        NAME(MPI_ERR_PENDING),
        NAME(MPI_ERR_IN_STATUS),
        NAME(MPI_ERR_ACCESS),
        NAME(MPI_ERR_AMODE),
        NAME(MPI_ERR_ASSERT),
        NAME(MPI_ERR_BAD_FILE),
        NAME(MPI_ERR_BASE),
        NAME(MPI_ERR_CONVERSION),
        NAME(MPI_ERR_DISP),
        NAME(MPI_ERR_DUP_DATAREP),
        NAME(MPI_ERR_FILE_EXISTS),
        NAME(MPI_ERR_FILE_IN_USE),
        NAME(MPI_ERR_FILE),
        NAME(MPI_ERR_INFO_KEY),
        NAME(MPI_ERR_INFO_NOKEY),
        NAME(MPI_ERR_INFO_VALUE),
        NAME(MPI_ERR_INFO),
        NAME(MPI_ERR_IO),
        NAME(MPI_ERR_KEYVAL),
        NAME(MPI_ERR_LOCKTYPE),
        NAME(MPI_ERR_NAME),
        NAME(MPI_ERR_NO_MEM),
        NAME(MPI_ERR_NOT_SAME),
        NAME(MPI_ERR_NO_SPACE),
        NAME(MPI_ERR_NO_SUCH_FILE),
        NAME(MPI_ERR_PORT),
        NAME(MPI_ERR_QUOTA),
        NAME(MPI_ERR_READ_ONLY),
        NAME(MPI_ERR_RMA_ATTACH),
        NAME(MPI_ERR_RMA_CONFLICT),
        NAME(MPI_ERR_RMA_RANGE),
        NAME(MPI_ERR_RMA_SHARED),
        NAME(MPI_ERR_RMA_SYNC),
        NAME(MPI_ERR_SERVICE),
        NAME(MPI_ERR_SIZE),
        NAME(MPI_ERR_SPAWN),
        NAME(MPI_ERR_UNSUPPORTED_DATAREP),
        NAME(MPI_ERR_UNSUPPORTED_OPERATION),
        NAME(MPI_ERR_WIN),
        NAME(MPI_T_ERR_CANNOT_INIT),
        NAME(MPI_T_ERR_NOT_INITIALIZED),
        NAME(MPI_T_ERR_MEMORY),
        NAME(MPI_T_ERR_INVALID_INDEX),
        NAME(MPI_T_ERR_INVALID_ITEM),
        NAME(MPI_T_ERR_INVALID_SESSION),
        NAME(MPI_T_ERR_INVALID_HANDLE),
        NAME(MPI_T_ERR_OUT_OF_HANDLES),
        NAME(MPI_T_ERR_OUT_OF_SESSIONS),
        NAME(MPI_T_ERR_CVAR_SET_NOT_NOW),
        NAME(MPI_T_ERR_CVAR_SET_NEVER),
        NAME(MPI_T_ERR_PVAR_NO_WRITE),
        NAME(MPI_T_ERR_PVAR_NO_STARTSTOP),
        NAME(MPI_T_ERR_PVAR_NO_ATOMIC),
        NAME(MPI_ERR_LASTCODE),
        NAME(MPI_ERR_RMA_FLAVOR),
        NAME(MPI_T_ERR_INVALID),
        NAME(MPI_T_ERR_INVALID_NAME),
#if MPI_VERSION >= 4
        NAME(MPI_ERR_PROC_ABORTED),
        NAME(MPI_ERR_VALUE_TOO_LARGE),
        NAME(MPI_ERR_SESSION),
        NAME(MPI_T_ERR_NOT_SUPPORTED),
#endif
        {0, NULL}
    };
    return name_text(names, code);
}

const char *result_text(int code)
{
    int class = code;
    if (code != MPI_SUCCESS)
        PMPI_Error_class(code, &class);
    return error_text(class);
}

const char *quoted(const char *string)
{
    char *text = next_text(), *out = text, *last = text + TEXT_MAX - 6;
    *out++ = '"';
    for (; *string && out < last; string++) {
        static const char plain[] = "\"\\\n\t\r\a\b\f\v", letter[] = "\"\\ntrabfv";
        const char *escape = strchr(plain, *string);
        if (escape) {
            *out++ = '\\';
            *out++ = letter[escape - plain];
        } else {
            *out++ = *string;
        }
    }
    *out++ = '"';
    *out = '\0';
    return text;
}

/* Returns [a, b]; `element` makes the text of element i. */
static const char *list_text(int n, const void *values, const char *(*element)(const void *values, int i))
{
    char *text = next_text();
    size_t length = 0;
    text[length++] = '[';
    for (int i = 0; i < n; i++) {
        int added = snprintf(text + length, TEXT_MAX - length, "%s%s", i > 0 ? ", " : "", element(values, i));
        if (added < 0 || length + (size_t)added + 2 > TEXT_MAX)
            die("a list is too long");
        length += (size_t)added;
    }
    text[length++] = ']';
    text[length] = '\0';
    return text;
}

/* int_list and similar functions. */
#define LIST_OF_NUMBERS(name, type)                                                                          \
    static const char *name##_element(const void *values, int i)                                             \
    {                                                                                                        \
        return format_text("%lld", (long long)((const type *)values)[i]);                                    \
    }                                                                                                        \
                                                                                                             \
    const char *name##_list(int n, const type *values)                                                       \
    {                                                                                                        \
        return list_text(n, values, name##_element);                                                         \
    }

LIST_OF_NUMBERS(int, int)
LIST_OF_NUMBERS(aint, MPI_Aint)
LIST_OF_NUMBERS(count, count_t)
LIST_OF_NUMBERS(place, place_t)
LIST_OF_NUMBERS(extent, extent_t)

static const char *rank_element(const void *values, int i)
{
    return rank_text(((const int *)values)[i]);
}

static const char *quoted_element(const void *values, int i)
{
    return quoted(((char *const *)values)[i]);
}

static const char *same_element(const void *values, int i)
{
    (void)i;
    return values;
}

const char *rank_list(int n, const int *values)
{
    return list_text(n, values, rank_element);
}

const char *quoted_list(int n, char *const *strings)
{
    return list_text(n, strings, quoted_element);
}

const char *same_list(int n, const char *text)
{
    return list_text(n, text, same_element);
}

const char *status_is(int source, int tag, long long bytes)
{
    return format_text("{source=%s, tag=%s, error=MPI_SUCCESS, bytes=%lld}", rank_text(source), tag_text(tag),
                       bytes);
}

static const char *status_format(const MPI_Status *status, int error)
{
    int bytes, cancelled;
    PMPI_Get_count(status, MPI_BYTE, &bytes);
    PMPI_Test_cancelled(status, &cancelled);
    return format_text("{source=%s, tag=%s, error=%s, bytes=%d%s}", rank_text(status->MPI_SOURCE),
                       tag_text(status->MPI_TAG), error_text(error), bytes, cancelled ? ", cancelled=1" : "");
}

const char *status_text(const MPI_Status *status)
{
    return status_format(status, MPI_SUCCESS);
}

const char *status_with_error(const MPI_Status *status)
{
    return status_after(status, status->MPI_ERROR);
}

const char *status_after(const MPI_Status *status, int code)
{
    int class = MPI_SUCCESS;
    PMPI_Error_class(code, &class);
    return status_format(status, class);
}
