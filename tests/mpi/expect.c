#include "expect.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RING = 64, TEXT_MAX = 16384 };

int rank, size;

static const char *prefix;
static char *lines; /* the lines so far, each ended by a newline; the rank may not be known yet */
static size_t n_bytes;
static FILE *book; /* writes to `lines` */

static void die(const char *what)
{
    perror(what);
    PMPI_Abort(MPI_COMM_WORLD, 3);
}

void expect(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(book, format, args);
    va_end(args);
    fputc('\n', book);
}

void expect_open(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s PREFIX\n", argv[0]);
        exit(2);
    }
    prefix = argv[1];
    book = open_memstream(&lines, &n_bytes);
    if (!book) {
        perror("open_memstream");
        exit(3);
    }
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

/* Numbers the lines and writes them to PREFIX.RANK. */
static void write_file(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.%d", prefix, rank);
    FILE *file = fopen(path, "w");
    if (!file)
        die(path);
    long long index = 0;
    for (char *line = lines, *end; (end = strchr(line, '\n')); line = end + 1)
        fprintf(file, "%d  %lld  %.*s\n", rank, index++, (int)(end - line), line);
    if (fclose(file) != 0)
        die(path);
}

int expect_end(void)
{
    OK("MPI_Finalize()");
    if (fclose(book) != 0)
        die("expected lines");
    write_file();
    MPI_Finalize();
    free(lines);
    return 0;
}

/* ---- texts of values ----------------------------------------------------------------------------------- */

/* The next buffer of the ring. */
static char *next_text(void)
{
    static char ring[RING][TEXT_MAX];
    static int next;
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

/* The name of a value, or its digits. `names` ends with a NULL name. */
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
    static const struct name names[] = {NAME(MPI_SUCCESS),
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
                                        NAME(MPI_ERR_IN_STATUS),
                                        NAME(MPI_ERR_PENDING),
                                        NAME(MPI_ERR_KEYVAL),
                                        NAME(MPI_ERR_INFO),
                                        NAME(MPI_ERR_INFO_KEY),
                                        NAME(MPI_ERR_INFO_NOKEY),
                                        NAME(MPI_ERR_INFO_VALUE),
                                        NAME(MPI_ERR_NO_SUCH_FILE),
                                        NAME(MPI_ERR_FILE),
                                        NAME(MPI_ERR_IO),
                                        {0, NULL}};
    return name_text(names, code);
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

/* [a, b]: element i is made by `element`. */
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

static const char *int_element(const void *values, int i)
{
    return format_text("%d", ((const int *)values)[i]);
}

static const char *rank_element(const void *values, int i)
{
    return rank_text(((const int *)values)[i]);
}

static const char *aint_element(const void *values, int i)
{
    return format_text("%lld", (long long)((const MPI_Aint *)values)[i]);
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

const char *int_list(int n, const int *values)
{
    return list_text(n, values, int_element);
}

const char *rank_list(int n, const int *values)
{
    return list_text(n, values, rank_element);
}

const char *aint_list(int n, const MPI_Aint *values)
{
    return list_text(n, values, aint_element);
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
    return status_format(status, status->MPI_ERROR);
}
