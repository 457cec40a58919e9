/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a scanner in C: loops with their polynomials, and refrain_reader.h to read the calls. */
#include "scan.h"

#include "decoder/util/text.h"
#include "decoder/util/text_table.h"
#include "src/core/base/log.h"

#include <string.h>

static const char head[] =
    "/* Prints what `refrain scan` prints, made by `refrain scan --emit-c`:\n"
    " *\n"
    " *     cc -o scanner scanner.c $(pkg-config --cflags --libs refrain-reader)\n"
    " *     ./scanner TRACE\n"
    " *\n"
    " * Numbers of events are polynomials in the indices, which count from 1. */\n"
    "#include <refrain_reader.h>\n"
    "\n"
    "#include <inttypes.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "\n"
    "typedef __int128 wide; /* sums that are divided may be larger than what comes out */\n"
    "\n";

static const char rows[] =
    "/* A construct in a process. */\n"
    "struct part {\n"
    "    uint32_t rank, thread;\n"
    "    const char *construct; /* NULL: there is but one */\n"
    "    void (*scan)(const struct part *p);\n"
    "};\n"
    "\n"
    "static struct refrain_reader *reader;\n"
    "\n"
    "static void put_field(const char *text)\n"
    "{\n"
    "    if (!strpbrk(text, \",\\\"\\n\")) {\n"
    "        fputs(text, stdout);\n"
    "        return;\n"
    "    }\n"
    "    putchar('\"');\n"
    "    for (; *text; text++) {\n"
    "        if (*text == '\"')\n"
    "            putchar('\"');\n"
    "        putchar(*text);\n"
    "    }\n"
    "    putchar('\"');\n"
    "}\n"
    "\n"
    "/* Reads the event's call. The reader says what is wrong. */\n"
    "static void put_row(const struct part *p, const int64_t *indices, int64_t event)\n"
    "{\n"
    "    if (refrain_reader_seek(reader, (uint64_t)event) != 0)\n"
    "        exit(2);\n"
    "    printf(\"%\" PRIu32 \",%\" PRIu32, p->rank, p->thread);\n"
    "    if (p->construct)\n"
    "        printf(\",%s\", p->construct);\n"
    "    for (int d = 0; d < DEPTH; d++)\n"
    "        printf(\",%\" PRId64, indices[d]);\n"
    "    printf(\",%\" PRId64 \",%\" PRIu64, event, refrain_reader_call(reader));\n"
    "    for (const char *const *name = values; *name; name++) {\n"
    "        const char *value = refrain_reader_value(reader, *name);\n"
    "        if (!value)\n"
    "            exit(2);\n"
    "        putchar(',');\n"
    "        put_field(value);\n"
    "    }\n"
    "    putchar('\\n');\n"
    "}\n"
    "\n";

static const char tail[] = "int main(int argc, char **argv)\n"
                           "{\n"
                           "    if (argc != 2) {\n"
                           "        fprintf(stderr, \"usage: %s TRACE\\n\", argv[0]);\n"
                           "        return 2;\n"
                           "    }\n"
                           "    if (!(reader = refrain_reader_open(argv[1], WORLD, events)))\n"
                           "        return 2;\n"
                           "    puts(header);\n"
                           "    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {\n"
                           "        if (refrain_reader_lane(reader, parts[i].rank, parts[i].thread) != 0)\n"
                           "            return 2;\n"
                           "        parts[i].scan(&parts[i]);\n"
                           "    }\n"
                           "    refrain_reader_close(reader);\n"
                           "    return fflush(stdout) == 0 ? 0 : 2;\n"
                           "}\n";

static void put_quoted(const char *text, struct bytes *out)
{
    text_quote_c(out, text, strlen(text));
}

static void put_constants(const struct scan *s, struct bytes *out)
{
    struct bytes header = {0};
    scan_put_header(s, &header);
    text_printf(out, "enum { DEPTH = %u, WORLD = %u };\n", s->depth, s->world);
    text_printf(out, "static const enum refrain_reader_events events = %s;\n",
                s->calls ? "REFRAIN_READER_CALLS" : "REFRAIN_READER_MESSAGES");
    text_put(out, "static const char header[] = ");
    text_quote_c(out, (const char *)header.data, header.n);
    text_put(out, ";\nstatic const char *const values[] = {");
    for (size_t i = 0; i < s->values.n; i++) {
        put_quoted(s->values.items[i].name, out);
        text_put(out, ", ");
    }
    text_put(out, "NULL};\n\n");
    out->failed = out->failed || header.failed;
    bytes_free(&header);
}

static void put_indent(uint32_t depth, struct bytes *out)
{
    for (uint32_t d = 0; d <= depth; d++)
        text_put(out, "    ");
}

/* Writes it in C for indices that count from 1. Returns false if a number overflows. */
static bool put_shown(const struct polynomial *p, struct bytes *out)
{
    struct polynomial shown = {0};
    polynomial_add_from_one(&shown, p);
    const bool fits = !shown.inexact && polynomial_put_c(&shown, out);
    out->failed = out->failed || shown.failed;
    polynomial_free(&shown);
    return fits;
}

/* Writes the function that walks the loops of a part. Returns false if it has no polynomials. */
static bool put_nest(const struct occurrences *o, size_t number, struct bytes *out)
{
    bool fits = occurrences_are_polynomial(o);
    text_printf(out, "static void scan_%zu(const struct part *p)\n{\n", number);
    for (uint32_t d = 0; d < o->depth && fits; d++) {
        struct polynomial bound = scan_bound(o, d);
        put_indent(d, out);
        text_printf(out, "for (int64_t i%u = 1; i%u <= ", d, d);
        fits = !bound.inexact && polynomial_put_c(&bound, out);
        out->failed = out->failed || bound.failed;
        text_printf(out, "; i%u++)\n", d);
        polynomial_free(&bound);
    }
    put_indent(o->depth, out);
    if (fits && !occurrences_are_certain(o)) {
        text_put(out, "if (");
        fits = put_shown(&o->inside.events, out);
        text_put(out, " > 0)\n");
        put_indent(o->depth + 1, out);
    }
    text_put(out, "put_row(p, (const int64_t[]){");
    for (uint32_t d = 0; d < o->depth; d++)
        text_printf(out, "%si%u", d > 0 ? ", " : "", d);
    text_put(out, o->depth > 0 ? "}, " : "0}, ");
    fits = fits && put_shown(&o->position, out);
    text_put(out, ");\n}\n\n");
    return fits;
}

static void put_part(const struct scan *s, const struct scan_part *p, size_t function, struct bytes *out)
{
    text_printf(out, "    {%u, %u, ", p->rank, p->thread);
    if (s->several) {
        text_putc(out, '"');
        scan_put_path(s, p, out);
        text_putc(out, '"');
    } else {
        text_put(out, "NULL");
    }
    text_printf(out, ", scan_%zu},\n", function);
}

/* A function for each nest, numbered as the first part with this nest. */
struct functions {
    struct text_table nests;
    ARRAY(size_t) numbers; /* by nest */
    struct bytes scratch;
};

/* Finds the number of the function for a part, and writes the function if it is the first with
 * this nest. */
static enum refrain_status put_function(struct functions *f, const struct scan *s, size_t i, size_t *number,
                                        struct bytes *out)
{
    const struct scan_part *p = &s->parts.items[i];
    uint32_t nest;
    f->scratch.n = 0;
    bool fits = scan_put_nest(p, &f->scratch);
    if (f->scratch.failed || text_table_intern(&f->nests, f->scratch.data, f->scratch.n, &nest) != REFRAIN_OK)
        return REFRAIN_ERR_MEMORY;
    if (fits && nest == f->numbers.n) {
        if (!array_push(&f->numbers, i))
            return REFRAIN_ERR_MEMORY;
        fits = put_nest(&p->occurrences, i, out);
    }
    if (!fits) {
        log_error("rank %u: no polynomial gives the occurrences: a loop may have a bound below 0, or a "
                  "number is too large",
                  p->rank);
        return REFRAIN_ERR_USAGE;
    }
    *number = f->numbers.items[nest];
    return REFRAIN_OK;
}

static enum refrain_status put_parts(const struct scan *s, struct bytes *out)
{
    struct functions f = {0};
    struct bytes parts = {0};
    enum refrain_status status = REFRAIN_OK;
    size_t number;
    for (size_t i = 0; i < s->parts.n && status == REFRAIN_OK; i++) {
        status = put_function(&f, s, i, &number, out);
        if (status == REFRAIN_OK)
            put_part(s, &s->parts.items[i], number, &parts);
    }
    if (status == REFRAIN_OK && (parts.failed || out->failed))
        status = REFRAIN_ERR_MEMORY;
    text_put(out, "static const struct part parts[] = {\n");
    bytes_put(out, parts.data, parts.n);
    text_put(out, "};\n\n");
    text_table_free(&f.nests);
    array_free(&f.numbers);
    bytes_free(&f.scratch);
    bytes_free(&parts);
    return status;
}

enum refrain_status scan_put_c(const struct scan *s, struct output *out)
{
    text_put(&out->text, head);
    put_constants(s, &out->text);
    text_put(&out->text, rows);
    const enum refrain_status status = put_parts(s, &out->text);
    text_put(&out->text, tail);
    if (status != REFRAIN_OK)
        out->text.n = 0; /* no output instead of half a program */
    return status;
}
