/* A second reader of traces, written from docs/FORMAT.md alone. It shares no code with Refrain, so that what
 * the two readers agree on is what that text says.
 *
 *     second_reader TRACE           prints a line for each call: rank lane index function slots…
 *                                   (lane: the thread, or @ for definitions)
 *     second_reader TRACE RAWDIR    compares each call with RAWDIR/rank.R.lane.N.raw (FORMAT.md, Records)
 *
 * Exit status: 0, all is well; 1, a call differs; 2, the trace or a record is not as the format says.
 *
 * The sections are read in the order of the text. Nothing is expanded in memory: sequences and series are
 * asked for their value number i, by binary search. The program ends at the first fault and frees little
 * before its end. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#define LENGTH_MAX ((uint64_t)INT64_MAX) /* of the expansion of a rule or series */
#define DEPTH_MAX  8
#define SLOTS_MAX  (1 << 24) /* of a row; a limit of this reader, see SIGN */

enum { META, FUNC, SITE, RULE, STRM, SERI, SIGN, SHAP, TIME, RTIM, N_SECTIONS };
static const char *const section_names[N_SECTIONS] = {"META", "FUNC", "SITE", "RULE", "STRM",
                                                      "SERI", "SIGN", "SHAP", "TIME", "RTIM"};
enum { INT, FLAGS, REAL, HANDLE, ADDRESS, STRING, STRINGS, STATUS, N_TYPES };
enum { IN = 1, OUT = 2, ARRAY = 4, NULLABLE = 8 };
enum { CONSTANT = 1, OFFSET = 2, PLAIN = 4, RELATIVE = 8, NATURAL = 16, WHOLE = 32 };

/* ---- the end of the program */

static const char *trace_name;

__attribute__((noreturn, format(printf, 3, 4))) static void leave(int status, const char *name,
                                                                  const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    fprintf(stderr, "%s: ", name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(status);
}

#define refuse(...) leave(2, trace_name, __VA_ARGS__)

static void *zeroed(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    if (!memory)
        refuse("out of memory");
    return memory;
}

/* ---- 1. numbers and strings */

struct input {
    const char *name; /* for messages */
    const uint8_t *start, *at, *end;
};

static void refuse_if(const struct input *in, bool wrong, const char *what)
{
    if (wrong)
        refuse("%s, byte %zu: %s", in->name, (size_t)(in->at - in->start), what);
}

static uint64_t left(const struct input *in)
{
    return (uint64_t)(in->end - in->at);
}

static const uint8_t *get(struct input *in, uint64_t n)
{
    refuse_if(in, left(in) < n, "it ends too early");
    in->at += n;
    return in->at - n;
}

static uint64_t get_fixed(struct input *in, unsigned n)
{
    const uint8_t *b = get(in, n);
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++)
        v |= (uint64_t)b[i] << 8 * i;
    return v;
}

static uint64_t get_uint(struct input *in)
{
    uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint64_t b = *get(in, 1);
        refuse_if(in, shift == 63 && b > 1, "a number of more than 64 bits");
        v |= (b & 127) << shift;
        if (b < 128) {
            refuse_if(in, b == 0 && shift > 0, "a number with a superfluous byte");
            return v;
        }
    }
}

static int64_t unzigzag(uint64_t v)
{
    return (int64_t)(v >> 1 ^ -(v & 1));
}

static int64_t get_int(struct input *in)
{
    return unzigzag(get_uint(in));
}

/* The number of entries that follow, each of at least so many bytes. */
static size_t check_count(const struct input *in, uint64_t n, uint64_t least)
{
    refuse_if(in, n > left(in) / least, "a count is larger than what remains");
    return (size_t)n;
}

static size_t get_count(struct input *in, uint64_t least)
{
    return check_count(in, get_uint(in), least);
}

/* A number of an entry of a table that has n. */
static size_t get_below(struct input *in, uint64_t n)
{
    uint64_t v = get_uint(in);
    refuse_if(in, v >= n, "a table has no such entry");
    return (size_t)v;
}

static char *get_string(struct input *in)
{
    size_t n = get_count(in, 1);
    char *s = zeroed(n + 1, 1);
    memcpy(s, get(in, n), n);
    refuse_if(in, strlen(s) != n, "a string with a 0 in it");
    return s;
}

/* ---- the trace */

struct kind {
    uint64_t type;
    const char *set;
};

struct parameter {
    const struct kind *kind;
    uint64_t flags;
};

struct function {
    const char *name;
    const struct kind *result; /* NULL: it returns nothing */
    size_t n;
    const struct parameter **parameters;
};

struct constant {
    const char *set;
    int64_t value;
};

struct frame {
    const char *module;
    int64_t offset;
};

struct site {
    const struct function *function;
    size_t n_frames;
    struct frame *frames;
    size_t first_signature, n_signatures;
};

/* Rule 1 of the example in section 6, (rule 0)⁹ c:   items { rule 0, 9 times } { c }, ends 27 28 */
struct power {
    const struct rule *rule; /* NULL: a terminal */
    uint64_t terminal;
    uint64_t count;
};

struct rule {
    struct power *items;
    uint64_t *ends; /* of each item, in the rule's expansion */
    size_t n;
};

struct pool {
    uint64_t n_terminals;
    struct rule *rules;
    size_t n_rules;
    const struct rule **roots;
    size_t n_roots;
};

/* A series is a body; so is what a loop repeats. The example in section 7:
 *     parts { loop }, ends 12     its body: parts { loop } { leaves −1 + 0i }, ends 3 4 */
struct body {
    struct part *parts;
    uint64_t *ends; /* of each part, in the body's expansion */
    size_t n;
    const struct body *classes, *values; /* of a composition, which has no parts; otherwise NULL */
};

struct part {
    int64_t *leaves; /* 1 + depth numbers each; NULL: a loop */
    struct body body;
};

struct slot {
    unsigned forms;
    int64_t constant, offset;
    const struct body *plain, *relative;
};

struct row {
    const struct function *function;
    struct slot *slots;
    size_t n;
};

struct column {
    uint64_t slot;
    struct slot series; /* evaluates to the number of a column series */
};

struct group {
    const struct body *ranks; /* NULL: all of the shape's */
    const struct rule *stream;
    size_t *signatures; /* of each row; all signatures are numbered through, over the sites */
    size_t n_rows;
    struct column *columns;
    size_t n_columns;
    uint64_t n_timings;
};

struct entry {
    size_t site;
    uint64_t calls; /* how often the site stands in the skeleton */
    struct group *groups;
    size_t n_groups;
};

struct shape {
    unsigned kind;
    uint64_t number;
    const struct body *ranks; /* NULL: all of the file */
    const struct rule *skeleton;
    struct entry *entries;
    size_t n_entries;
};

struct trace {
    bool final, times;
    struct input sections[N_SECTIONS]; /* start is NULL for those left out */
    uint64_t first_rank, n_ranks;
    struct kind *kinds;
    struct function *functions;
    struct constant *constants;
    struct site *sites;
    struct pool skeletons, streams;
    struct body *columns, *series;
    struct row *rows;
    struct shape *shapes;
    size_t n_kinds, n_functions, n_constants, n_sites, n_columns, n_series, n_rows, n_shapes;
    uint64_t *calls; /* of each signature, counted while the lanes are expanded */
};

/* ---- 2. container */

static uint32_t sum(const uint8_t *start, const uint8_t *end)
{
    return (uint32_t)XXH64(start, (size_t)(end - start), 0);
}

/* The next block of the file, expanded to so many bytes. */
static const uint8_t *get_block(struct input *in, uint64_t stored, unsigned coding, uint32_t wanted,
                                uint64_t length)
{
    const uint8_t *block = get(in, stored);
    refuse_if(in, sum(block, in->at) != wanted, "a block's sum is wrong");
    if (coding == 0) {
        refuse_if(in, stored != length,
                  "a block that is stored as it is has another length than its sections");
        return block;
    }
    refuse_if(in, length > 1 << 20 && (length - 1) / 4096 >= stored,
              "a block expands to more than 4096 times its size");
    uint8_t *content = zeroed(length, 1);
    refuse_if(in,
              stored < 4 || memcmp(block, "\x28\xB5\x2F\xFD", 4) != 0 ||
                  ZSTD_getDictID_fromFrame(block, stored) != 0 ||
                  ZSTD_findFrameCompressedSize(block, stored) != stored ||
                  ZSTD_decompress(content, length, block, stored) != length,
              "a block is not one zstd frame of its sections' lengths");
    return content;
}

static void read_container(struct trace *t, struct input *in)
{
    struct {
        unsigned section, coding;
        bool first;
        uint64_t length, stored;
        uint32_t stored_sum, sum;
    } entries[64] = {0}, *e;
    bool seen[256] = {false};
    uint64_t total = 0;

    refuse_if(in, memcmp(get(in, 4), "RFRN", 4) != 0, "this is not a trace");
    refuse_if(in, get_fixed(in, 1) != 1, "another version of the format");
    uint64_t flags = get_fixed(in, 1);
    refuse_if(in, flags > 1, "unknown flags");
    t->final = flags & 1;
    uint64_t n = get_uint(in);
    refuse_if(in, n > 64, "more than 64 sections");
    for (e = entries; e < entries + n; e++) {
        e->section = (unsigned)get_fixed(in, 1);
        uint64_t v = get_uint(in);
        e->length = v >> 1;
        if ((e->first = v & 1)) {
            v = get_uint(in);
            e->stored = v >> 1;
            e->coding = v & 1;
            e->stored_sum = (uint32_t)get_fixed(in, 4);
        }
        e->sum = (uint32_t)get_fixed(in, 4);
        refuse_if(in, seen[e->section] || (e == entries && !e->first),
                  "a section stands twice, or the first one begins no block");
        seen[e->section] = true;
        refuse_if(in, e->length > (UINT64_C(1) << 32) || (total += e->length) > (UINT64_C(1) << 32),
                  "the sections are too long");
    }
    const uint8_t *header_end = in->at;
    refuse_if(in, get_fixed(in, 4) != sum(in->start, header_end), "the header's sum is wrong");

    for (size_t i = 0, next; i < n; i = next) {
        uint64_t length = entries[i].length;
        for (next = i + 1; next < n && !entries[next].first; next++)
            length += entries[next].length;
        const uint8_t *at =
            get_block(in, entries[i].stored, entries[i].coding, entries[i].stored_sum, length);
        for (e = entries + i; e < entries + next; at += e->length, e++) {
            refuse_if(in, sum(at, at + e->length) != e->sum, "a section's sum is wrong");
            if (e->section < N_SECTIONS)
                t->sections[e->section] = (struct input){section_names[e->section], at, at, at + e->length};
        }
    }
    refuse_if(in, left(in) > 0, "bytes behind the last block");
}

/* NULL if the section is left out. */
static struct input *section(struct trace *t, unsigned number)
{
    return t->sections[number].start ? &t->sections[number] : NULL;
}

static void section_end(const struct input *in)
{
    refuse_if(in, left(in) > 0, "bytes are left over");
}

/* ---- 3. META */

static void read_meta(struct trace *t)
{
    struct input *in = section(t, META);
    if (!in)
        refuse("there is no META");
    t->first_rank = get_uint(in);
    t->n_ranks = get_uint(in);
    refuse_if(in, t->n_ranks > 1 << 26 || t->first_rank > UINT32_MAX - t->n_ranks, "too many ranks");
    for (size_t n = get_count(in, 2); n > 0; n--) {
        get_string(in);
        get_string(in);
    }
    section_end(in);
}

/* ---- 4. FUNC */

static int constant_order(const void *a, const void *b)
{
    const struct constant *x = a, *y = b;
    int order = strcmp(x->set, y->set);
    return order ? order : (x->value > y->value) - (x->value < y->value);
}

static void read_functions(struct trace *t)
{
    struct input *in = section(t, FUNC);
    if (!in)
        return;
    t->kinds = zeroed(t->n_kinds = get_count(in, 4), sizeof *t->kinds);
    for (size_t i = 0; i < t->n_kinds; i++) {
        get_string(in);
        t->kinds[i].type = get_below(in, N_TYPES);
        t->kinds[i].set = get_string(in);
        get_string(in);
    }
    size_t n_parameters = get_count(in, 3);
    struct parameter *parameters = zeroed(n_parameters, sizeof *parameters);
    for (size_t i = 0; i < n_parameters; i++) {
        get_string(in);
        parameters[i].kind = &t->kinds[get_below(in, t->n_kinds)];
        parameters[i].flags = get_below(in, 16);
        refuse_if(in, !(parameters[i].flags & (IN | OUT)), "a parameter is neither read nor written");
    }
    t->functions = zeroed(t->n_functions = get_count(in, 3), sizeof *t->functions);
    for (size_t i = 0; i < t->n_functions; i++) {
        struct function *f = &t->functions[i];
        f->name = get_string(in);
        size_t result = get_below(in, t->n_kinds + 1);
        f->result = result ? &t->kinds[result - 1] : NULL;
        f->parameters = zeroed(f->n = get_count(in, 1), sizeof(*f->parameters));
        for (size_t k = 0; k < f->n; k++)
            f->parameters[k] = &parameters[get_below(in, n_parameters)];
    }
    t->constants = zeroed(t->n_constants = get_count(in, 2), sizeof *t->constants);
    for (size_t i = 0; i < t->n_constants;) {
        const char *set = get_string(in);
        uint64_t n = get_uint(in), value = 0;
        refuse_if(in, n == 0 || n > t->n_constants - i, "a run of none or of too many constants");
        for (; n > 0; n--, i++) {
            value += (uint64_t)get_int(in);
            t->constants[i] = (struct constant){set, (int64_t)value};
            get_string(in);
        }
    }
    qsort(t->constants, t->n_constants, sizeof *t->constants, constant_order);
    section_end(in);
}

/* A row that is walked through, value by value. A walk past its end leaves ok false. */
struct walk {
    const struct trace *trace;
    const int64_t *slots;
    size_t n, at;
    bool ok;
};

static int64_t walk_slot(struct walk *w)
{
    if (w->at < w->n)
        return w->slots[w->at++];
    w->ok = false;
    return 0;
}

static void walk_constant(struct walk *w, const char *set, int64_t value)
{
    struct constant wanted = {set, value};
    if (!w->trace->n_constants ||
        !bsearch(&wanted, w->trace->constants, w->trace->n_constants, sizeof wanted, constant_order))
        w->ok = false;
}

/* A length, or 0 for a code. */
static uint64_t walk_length(struct walk *w)
{
    int64_t n = walk_slot(w);
    if (n <= -16)
        walk_constant(w, "ARRAY", -16 - n);
    else if (n < -2)
        w->ok = false;
    return n > 0 ? (uint64_t)n : 0;
}

static void walk_string(struct walk *w)
{
    uint64_t length = walk_length(w);
    uint64_t n = length / 8 + (length % 8 != 0), last = 0;
    for (uint64_t i = 0; i < n && w->ok; i++)
        last = (uint64_t)walk_slot(w);
    if (length % 8 && last >> length % 8 * 8 != 0)
        w->ok = false;
}

static void walk_value(struct walk *w, const struct kind *kind)
{
    int64_t v;
    switch (kind->type) {
    case HANDLE:
        if ((v = walk_slot(w)) & 1 && v != -1)
            walk_constant(w, kind->set, v >> 1);
        break;
    case ADDRESS:
        if ((v = walk_slot(w)) == 1)
            walk_constant(w, kind->set, walk_slot(w));
        else if (v != 2)
            w->ok = false;
        break;
    case STRING:
        walk_string(w);
        break;
    case STRINGS:
        for (uint64_t n = walk_length(w); n > 0 && w->ok; n--)
            walk_string(w);
        break;
    case STATUS:
        if ((v = walk_slot(w)) < 0 || v > 3)
            w->ok = false;
        for (unsigned i = 0; i < 5; i++)
            walk_slot(w);
        break;
    default: /* INT, FLAGS, REAL */
        walk_slot(w);
    }
}

/* The parameters of one direction; the flags of all of them together. */
static uint64_t walk_parameters(struct walk *w, const struct function *f, unsigned direction)
{
    uint64_t flags = 0;
    for (size_t i = 0; i < f->n; i++) {
        const struct parameter *p = f->parameters[i];
        if (!(p->flags & direction))
            continue;
        flags |= p->flags;
        uint64_t n = 1;
        if (p->flags & ARRAY) {
            n = walk_length(w);
        } else if (p->flags & NULLABLE) {
            int64_t given = walk_slot(w); /* 1, or −1 for a null pointer */
            n = given == 1;
            w->ok = w->ok && (n || given == -1);
        }
        for (; n > 0 && w->ok; n--)
            walk_value(w, p->kind);
    }
    return flags;
}

static bool has_outputs(const struct function *f)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->parameters[i]->flags & OUT)
            return true;
    return false;
}

/* Whether the slots are a call of the function. */
static bool row_fits(const struct trace *t, const struct function *f, const int64_t *slots, size_t n)
{
    struct walk w = {t, slots, n, 0, true};
    walk_parameters(&w, f, IN);
    if (w.ok && w.at == n && f->result) /* it has not returned */
        return true;
    if (f->result)
        walk_value(&w, f->result);
    if (!w.ok || w.at == n) { /* no more slots: there are no more parameters, or it failed */
        bool failed = f->result && w.at > 0 && slots[w.at - 1] != 0;
        return w.ok && (failed || !has_outputs(f));
    }
    bool success = !f->result || slots[w.at - 1] == 0;
    uint64_t flags = walk_parameters(&w, f, OUT);
    return w.ok && w.at == n && (success || flags & ARRAY); /* MPI_ERR_IN_STATUS, with an array of statuses */
}

/* ---- 5. SITE */

static void read_sites(struct trace *t)
{
    struct input *in = section(t, SITE);
    if (!in)
        return;
    size_t n_modules = get_count(in, 1);
    const char **modules = zeroed(n_modules, sizeof(*modules));
    for (size_t i = 0; i < n_modules; i++)
        modules[i] = get_string(in);
    t->sites = zeroed(t->n_sites = get_count(in, 2), sizeof *t->sites);
    uint64_t offset = 0;
    for (size_t i = 0; i < t->n_sites; i++) {
        struct site *s = &t->sites[i];
        s->function = &t->functions[get_below(in, t->n_functions)];
        uint64_t v = get_uint(in), common = v & 1 ? get_uint(in) : 0;
        refuse_if(in, v & 1 && (i == 0 || common == 0 || common > s[-1].n_frames),
                  "a site shares frames that are not there");
        size_t own = check_count(in, v >> 1, 2);
        s->n_frames = own + (size_t)common;
        s->frames = zeroed(s->n_frames, sizeof *s->frames);
        for (size_t k = 0; k < own; k++) {
            s->frames[k].module = modules[get_below(in, n_modules)];
            offset += (uint64_t)get_int(in);
            s->frames[k].offset = (int64_t)offset;
        }
        if (common)
            memcpy(s->frames + own, s[-1].frames + s[-1].n_frames - common, common * sizeof *s->frames);
    }
    section_end(in);
}

/* ---- 6. rules */

/* a + b × c, a length that must stay below 2^63. */
static uint64_t lengthen(const struct input *in, uint64_t a, uint64_t b, uint64_t c)
{
    refuse_if(in, c != 0 && b > (LENGTH_MAX - a) / c, "an expansion is too long");
    return a + b * c;
}

static uint64_t rule_length(const struct rule *rule)
{
    return rule->n ? rule->ends[rule->n - 1] : 0;
}

static void read_pool(struct trace *t, unsigned number, struct pool *p)
{
    struct input *in = section(t, number);
    if (!in)
        return;
    size_t n_rules = get_count(in, 1);
    p->rules = zeroed(n_rules, sizeof *p->rules);
    p->n_terminals = get_uint(in);
    for (; p->n_rules < n_rules; p->n_rules++) {
        struct rule *rule = &p->rules[p->n_rules];
        size_t n = get_count(in, 1);
        rule->items = zeroed(n, sizeof *rule->items);
        rule->ends = zeroed(n, sizeof *rule->ends);
        for (; rule->n < n; rule->n++) {
            struct power *item = &rule->items[rule->n];
            uint64_t v = get_uint(in), s = v >> 1, length = 1;
            item->terminal = s;
            if (s >= p->n_terminals) {
                refuse_if(in, s - p->n_terminals >= p->n_rules, "a rule refers to one that is not before it");
                item->rule = &p->rules[p->n_rules - 1 - (s - p->n_terminals)];
                refuse_if(in, (length = rule_length(item->rule)) == 0, "a rule refers to an empty one");
            }
            item->count = v & 1 ? get_uint(in) : 0;
            refuse_if(in, item->count > LENGTH_MAX, "an expansion is too long");
            item->count += v & 1 ? 2 : 1;
            rule->ends[rule->n] = lengthen(in, rule_length(rule), item->count, length);
        }
    }
    p->roots = zeroed(p->n_roots = get_count(in, 1), sizeof(*p->roots));
    uint64_t root = 0;
    for (size_t i = 0; i < p->n_roots; i++) {
        root += (uint64_t)get_int(in);
        refuse_if(in, root >= n_rules, "a root is no rule");
        p->roots[i] = &p->rules[root];
    }
    section_end(in);
}

/* Which part of an expansion value number i is in; *i becomes its number in that part. */
static size_t find_part(const uint64_t *ends, size_t n, uint64_t *i)
{
    size_t low = 0, high = n - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ends[middle] > *i)
            high = middle;
        else
            low = middle + 1;
    }
    *i -= low ? ends[low - 1] : 0;
    return low;
}

/* Terminal number i < rule_length(rule) of the rule's expansion. */
static uint64_t rule_at(const struct rule *rule, uint64_t i)
{
    for (;;) {
        const struct power *item = &rule->items[find_part(rule->ends, rule->n, &i)];
        if (!item->rule)
            return item->terminal;
        rule = item->rule;
        i %= rule_length(rule);
    }
}

/* How often each site stands in the root's expansion. A rule refers to earlier ones, so one pass from the
 * root down knows how often each rule is used before it comes to it. */
static void count_sites(const struct pool *p, const struct rule *root, uint64_t *sites)
{
    uint64_t *uses = zeroed(p->n_rules, sizeof *uses);
    uses[root - p->rules] = 1;
    for (const struct rule *rule = root + 1; rule-- > p->rules;)
        for (const struct power *item = rule->items; item < rule->items + rule->n; item++)
            *(item->rule ? &uses[item->rule - p->rules] : &sites[item->terminal]) +=
                uses[rule - p->rules] * item->count;
    free(uses);
}

/* ---- 7. series */

static uint64_t body_length(const struct body *body)
{
    if (body->classes)
        body = body->classes;
    return body->n ? body->ends[body->n - 1] : 0;
}

/* `last` is the value of the leaf before. */
static struct body get_body(struct input *in, unsigned depth, uint64_t *last)
{
    struct body body = {0};
    size_t n = get_count(in, 2), elements = 0;
    body.parts = zeroed(n, sizeof *body.parts);
    body.ends = zeroed(n, sizeof *body.ends);
    for (; body.n < n; body.n++) {
        struct part *part = &body.parts[body.n];
        uint64_t g = get_uint(in), length;
        if (g & 1) {
            refuse_if(in, body.n > 0 && part[-1].leaves, "leaves stand beside leaves");
            size_t n_leaves = check_count(in, (g >> 1) + 1, 1 + depth);
            int64_t *leaf = part->leaves = zeroed(n_leaves, (1 + depth) * sizeof *leaf);
            for (size_t i = 0; i < n_leaves; i++) {
                *leaf++ = (int64_t)(*last += (uint64_t)get_int(in));
                for (unsigned k = 0; k < depth; k++)
                    *leaf++ = get_int(in);
            }
            length = n_leaves;
            elements += n_leaves;
        } else {
            refuse_if(in, depth == DEPTH_MAX, "loops are nested too deeply");
            part->body = get_body(in, depth + 1, last);
            refuse_if(in, part->body.n == 0, "a loop's body is empty");
            length = lengthen(in, 0, (g >> 1) + 2, body_length(&part->body));
            elements++;
        }
        refuse_if(in, depth > 0 && elements > 16, "a loop's body has more than 16 elements");
        body.ends[body.n] = lengthen(in, body_length(&body), length, 1);
    }
    return body;
}

/* Value number i < body_length(series). */
static int64_t series_at(const struct body *series, uint64_t i)
{
    uint64_t index[DEPTH_MAX];
    if (series->classes) {
        i = (uint64_t)series_at(series->classes, i);
        series = series->values;
    }
    for (unsigned depth = 0;; depth++) {
        const struct part *part = &series->parts[find_part(series->ends, series->n, &i)];
        if (part->leaves) {
            const int64_t *leaf = part->leaves + i * (1 + depth);
            uint64_t value = (uint64_t)*leaf;
            for (unsigned k = 0; k < depth; k++)
                value += (uint64_t)leaf[1 + k] * index[k];
            return (int64_t)value;
        }
        series = &part->body;
        index[depth] = i / body_length(series);
        i %= body_length(series);
    }
}

/* Behind so many compositions. */
static struct body *read_bodies(struct input *in, size_t composed, size_t *n)
{
    *n = composed + get_count(in, 1);
    struct body *bodies = zeroed(*n, sizeof *bodies);
    for (size_t i = composed; i < *n; i++)
        bodies[i] = get_body(in, 0, &(uint64_t){0});
    return bodies;
}

static void read_series(struct trace *t)
{
    struct input *in = section(t, SERI);
    if (!in)
        return;
    t->columns = read_bodies(in, 0, &t->n_columns);
    size_t composed = get_count(in, 2);
    uint64_t(*parts)[2] = zeroed(composed, sizeof *parts);
    for (size_t i = 0; i < composed; i++)
        for (size_t k = 0; k < 2; k++)
            parts[i][k] = (i ? parts[i - 1][k] : 0) + (uint64_t)get_int(in);
    t->series = read_bodies(in, composed, &t->n_series);
    for (size_t i = 0; i < composed; i++) {
        refuse_if(in, parts[i][0] >= t->n_series - composed || parts[i][1] >= t->n_series - composed,
                  "a composition is of series that are not there");
        struct body *body = &t->series[i];
        body->classes = &t->series[composed + parts[i][0]];
        body->values = &t->series[composed + parts[i][1]];
        for (uint64_t k = 0; k < body_length(body); k++)
            refuse_if(in, (uint64_t)series_at(body->classes, k) >= body_length(body->values),
                      "a class has no value");
    }
    free(parts);
    section_end(in);
}

/* A set of ranks: a series that ascends within those of the file. NULL, elsewhere, is all of them. */
static const struct body *get_ranks(struct input *in, const struct trace *t, uint64_t number)
{
    refuse_if(in, number >= t->n_series, "a set of ranks is no series");
    const struct body *ranks = &t->series[number];
    uint64_t n = body_length(ranks), next = t->first_rank;
    refuse_if(in, n == 0 || n > t->n_ranks, "a set of no or of too many ranks");
    for (uint64_t i = 0; i < n; i++) {
        uint64_t rank = (uint64_t)series_at(ranks, i);
        refuse_if(in, rank < next || rank >= t->first_rank + t->n_ranks,
                  "a set of ranks does not ascend, or has ranks that are not of the file");
        next = rank + 1;
    }
    return ranks;
}

static uint64_t ranks_count(const struct trace *t, const struct body *ranks)
{
    return ranks ? body_length(ranks) : t->n_ranks;
}

/* Whether the rank is in the set, and as which. */
static bool ranks_find(const struct trace *t, const struct body *ranks, uint64_t rank, uint64_t *ordinal)
{
    uint64_t low = 0, high = ranks_count(t, ranks);
    if (!ranks) {
        *ordinal = rank - t->first_rank;
        return *ordinal < high;
    }
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if ((uint64_t)series_at(ranks, middle) < rank)
            low = middle + 1;
        else
            high = middle;
    }
    *ordinal = low;
    return low < body_length(ranks) && (uint64_t)series_at(ranks, low) == rank;
}

/* ---- 8. functions of the rank, and rows */

/* `slots` slots from number `at` on, of which one operation fills some; how many it filled. */
static size_t get_slots(struct input *in, const struct trace *t, struct slot *slots, size_t at, size_t n,
                        const struct row *reference)
{
    enum {
        OP_OFFSET,
        OP_PLAIN,
        OP_RELATIVE,
        OP_COPY,
        OP_REPEAT,
        OP_FORMS,
        OP_WHOLE_PLAIN,
        OP_WHOLE_RELATIVE
    };
    struct slot *slot = &slots[at];
    uint64_t v = get_uint(in), a = v >> 4;
    if (!(v & 1)) {
        *slot = (struct slot){.forms = CONSTANT | NATURAL, .constant = unzigzag(v >> 1)};
        return 1;
    }
    switch (v >> 1 & 7) {
    case OP_OFFSET:
        *slot = (struct slot){.forms = OFFSET, .offset = unzigzag(a)};
        return 1;
    case OP_PLAIN:
    case OP_RELATIVE:
        refuse_if(in, a >= t->n_series, "a slot's list is no series");
        if ((v >> 1 & 7) == OP_PLAIN)
            *slot = (struct slot){.forms = PLAIN, .plain = &t->series[a]};
        else
            *slot = (struct slot){.forms = RELATIVE, .relative = &t->series[a]};
        return 1;
    case OP_COPY:
        refuse_if(in, !reference || a >= n - at || reference->n < at || a >= reference->n - at,
                  "slots are copied that are not there");
        memcpy(slot, &reference->slots[at], (a + 1) * sizeof *slot);
        return (size_t)a + 1;
    case OP_REPEAT:
        refuse_if(in, at == 0 || a >= n - at, "slots are repeated that are not there");
        for (uint64_t i = 0; i <= a; i++)
            slot[i] = slots[at - 1];
        return (size_t)a + 1;
    case OP_FORMS:
        refuse_if(in, a == 0 || a > NATURAL, "a slot has no or unknown forms");
        slot->forms = a == NATURAL ? CONSTANT | NATURAL : (unsigned)a;
        refuse_if(in, t->final && slot->forms & (slot->forms - 1) & ~(unsigned)NATURAL,
                  "several forms in a final file");
        if (slot->forms & CONSTANT)
            slot->constant = get_int(in);
        if (slot->forms & OFFSET)
            slot->offset = get_int(in);
        if (slot->forms & PLAIN)
            slot->plain = &t->series[get_below(in, t->n_series)];
        if (slot->forms & RELATIVE)
            slot->relative = &t->series[get_below(in, t->n_series)];
        return 1;
    default: /* OP_WHOLE_PLAIN, OP_WHOLE_RELATIVE */
        refuse_if(in, !t->final, "a whole list without FINAL");
        refuse_if(in, a >= t->n_series || body_length(&t->series[a]) != t->n_ranks,
                  "a slot's whole list is no series over all ranks");
        if ((v >> 1 & 7) == OP_WHOLE_PLAIN)
            *slot = (struct slot){.forms = WHOLE | PLAIN, .plain = &t->series[a]};
        else
            *slot = (struct slot){.forms = WHOLE | RELATIVE, .relative = &t->series[a]};
        return 1;
    }
}

static void read_signatures(struct trace *t)
{
    struct input *in = section(t, SIGN);
    if (!in)
        return;
    size_t *last = zeroed(t->n_functions, sizeof *last); /* row of each function so far, + 1 */
    t->rows = zeroed(left(in), sizeof *t->rows);         /* none is shorter than a byte */
    for (struct site *s = t->sites; s < t->sites + t->n_sites; s++) {
        s->first_signature = t->n_rows;
        s->n_signatures = get_count(in, 1);
        size_t *before = &last[s->function - t->functions];
        for (size_t i = 0; i < s->n_signatures; i++) {
            struct row *row = &t->rows[t->n_rows];
            row->function = s->function;
            row->n = get_below(in, SLOTS_MAX);
            row->slots = zeroed(row->n, sizeof *row->slots);
            for (size_t at = 0; at < row->n;)
                at += get_slots(in, t, row->slots, at, row->n, *before ? &t->rows[*before - 1] : NULL);
            *before = ++t->n_rows;
        }
    }
    t->calls = zeroed(t->n_rows, sizeof *t->calls);
    free(last);
    section_end(in);
}

/* The lists of a slot have a value for each of n ranks. */
static void check_lists(const struct input *in, const struct slot *slot, uint64_t n)
{
    if (slot->forms & WHOLE)
        return;
    refuse_if(in,
              (slot->plain && body_length(slot->plain) != n) ||
                  (slot->relative && body_length(slot->relative) != n),
              "a list has another length than its ranks");
}

static int64_t slot_at(const struct trace *t, const struct slot *slot, uint64_t rank, uint64_t ordinal)
{
    bool known = false;
    uint64_t value = 0;
    if (slot->forms & WHOLE)
        ordinal = rank - t->first_rank;
    for (unsigned form = CONSTANT; form <= RELATIVE; form <<= 1) {
        if (!(slot->forms & form))
            continue;
        uint64_t v = form == CONSTANT ? (uint64_t)slot->constant
                     : form == OFFSET ? rank + (uint64_t)slot->offset
                     : form == PLAIN  ? (uint64_t)series_at(slot->plain, ordinal)
                                      : rank + (uint64_t)series_at(slot->relative, ordinal);
        if (known && v != value)
            refuse("the forms of a slot do not agree at rank %" PRIu64, rank);
        known = true;
        value = v;
    }
    return (int64_t)value;
}

/* ---- 9. SHAP */

static void set_row(const struct trace *t, const struct input *in, const struct site *site, struct group *g,
                    size_t i, uint64_t signature)
{
    refuse_if(in, signature >= site->n_signatures, "a row's signature is none of the site's");
    g->signatures[i] = site->first_signature + (size_t)signature;
    const struct row *row = &t->rows[g->signatures[i]];
    for (size_t k = 0; k < row->n; k++)
        check_lists(in, &row->slots[k], ranks_count(t, g->ranks));
}

static void read_group(struct trace *t, struct input *in, const struct shape *shape,
                       const struct entry *entry, struct group *g)
{
    uint64_t parts = get_below(in, 32);
    g->ranks = parts & 1 ? get_ranks(in, t, get_uint(in)) : shape->ranks;
    if (parts & 2) {
        g->stream = t->streams.roots[get_below(in, t->streams.n_roots)];
        refuse_if(in, rule_length(g->stream) != entry->calls,
                  "a row stream has another length than the site has calls");
    }
    g->n_rows = parts & 8 ? get_count(in, 1) : 1;
    refuse_if(in, g->n_rows == 0 || (g->n_rows > 1 && !g->stream),
              "a group has no row, or has rows in no order");
    g->signatures = zeroed(g->n_rows, sizeof *g->signatures);
    uint64_t next = 0;
    for (size_t i = 0; i < g->n_rows; i++) {
        next += (uint64_t)get_int(in);
        set_row(t, in, &t->sites[entry->site], g, i, next++);
    }
    size_t longest = 0;
    for (size_t i = 0; i < g->n_rows; i++)
        longest = t->rows[g->signatures[i]].n > longest ? t->rows[g->signatures[i]].n : longest;
    g->columns = zeroed(g->n_columns = parts & 4 ? get_count(in, 2) : 0, sizeof *g->columns);
    for (size_t i = 0; i < g->n_columns; i++) {
        struct column *column = &g->columns[i];
        column->slot = get_below(in, longest);
        get_slots(in, t, &column->series, 0, 1, NULL);
        check_lists(in, &column->series, ranks_count(t, g->ranks));
    }
    g->n_timings = t->times ? g->n_rows : 0;
    if (parts & 16) {
        g->n_timings = get_uint(in);
        for (size_t i = 0; g->n_timings > 0 && i < g->n_rows; i++)
            refuse_if(in, get_uint(in) > g->n_timings, "a row has a timing that is not there");
    }
    refuse_if(in, t->final && parts & 16, "a final file has timings of groups");
}

/* Each rank of the shape falls into one of its groups, and no other rank does. */
static void check_groups(const struct trace *t, const struct input *in, const struct shape *shape,
                         const struct entry *entry)
{
    uint64_t n = ranks_count(t, shape->ranks), total = 0, ordinal;
    for (size_t g = 0; g < entry->n_groups; g++)
        total = lengthen(in, total, ranks_count(t, entry->groups[g].ranks), 1);
    bool all = entry->n_groups == 1 && entry->groups[0].ranks == shape->ranks, found = total == n;
    for (uint64_t i = 0; !all && found && i < n; i++) {
        uint64_t rank = shape->ranks ? (uint64_t)series_at(shape->ranks, i) : t->first_rank + i;
        size_t g = 0;
        while (g < entry->n_groups && !ranks_find(t, entry->groups[g].ranks, rank, &ordinal))
            g++;
        found = g < entry->n_groups;
    }
    refuse_if(in, !found, "the groups of a site do not share out the shape's ranks");
}

static void read_entry(struct trace *t, struct input *in, const struct shape *shape, struct entry *entry)
{
    uint64_t h = get_uint(in);
    entry->n_groups = h & 1 ? check_count(in, h >> 1, 2) : 1;
    entry->groups = zeroed(entry->n_groups, sizeof *entry->groups);
    if (h & 1) {
        for (size_t g = 0; g < entry->n_groups; g++)
            read_group(t, in, shape, entry, &entry->groups[g]);
    } else {
        struct group *g = entry->groups;
        *g = (struct group){.ranks = shape->ranks, .n_rows = 1, .n_timings = t->times};
        g->signatures = zeroed(1, sizeof *g->signatures);
        set_row(t, in, &t->sites[entry->site], g, 0, h >> 1);
    }
    check_groups(t, in, shape, entry);
}

static void read_shapes(struct trace *t)
{
    struct input *in = section(t, SHAP);
    if (!in)
        return;
    t->times = get_below(in, 2);
    refuse_if(in, t->times && t->final, "a final file has timings of groups");
    t->shapes = zeroed(t->n_shapes = get_count(in, 2), sizeof *t->shapes);
    refuse_if(in, t->n_shapes != t->skeletons.n_roots || t->skeletons.n_terminals > t->n_sites,
              "the skeletons are not those of the shapes");
    uint64_t *calls = zeroed(t->skeletons.n_terminals, sizeof *calls);
    for (size_t i = 0; i < t->n_shapes; i++) {
        struct shape *shape = &t->shapes[i];
        uint64_t v = get_uint(in);
        shape->kind = v & 1;
        shape->number = v >> 1;
        refuse_if(in, shape->kind == 0 && shape->number != 0, "definitions of a thread");
        v = get_uint(in);
        shape->ranks = v ? get_ranks(in, t, v - 1) : NULL;
        shape->skeleton = t->skeletons.roots[i];
        memset(calls, 0, t->skeletons.n_terminals * sizeof *calls);
        count_sites(&t->skeletons, shape->skeleton, calls);
        shape->entries = zeroed(t->skeletons.n_terminals, sizeof *shape->entries);
        for (size_t site = 0; site < t->skeletons.n_terminals; site++)
            if (calls[site] > 0) {
                struct entry *entry = &shape->entries[shape->n_entries++];
                entry->site = site;
                entry->calls = calls[site];
                read_entry(t, in, shape, entry);
            }
    }
    free(calls);
    section_end(in);
}

/* ---- 10. and 11. TIME and RTIM */

static unsigned log_2(uint64_t v)
{
    unsigned b = 0;
    while (v >>= 1)
        b++;
    return b;
}

/* What a rounded bin stands for. */
static uint64_t get_rounded_bin(struct input *in)
{
    uint64_t code = get_fixed(in, 1);
    refuse_if(in, code > 239, "a bin has a code that is none");
    return code < 16 ? code : (8 + code % 8) << (code / 8 - 1);
}

static void get_moments(struct input *in, bool final, uint64_t count)
{
    uint64_t min = get_uint(in), range = count >= 2 ? get_uint(in) : 0, n = 0;
    refuse_if(in, range > UINT64_MAX - min, "a time is too long");
    if (count < 3)
        return;
    refuse_if(in, get_uint(in) < min + range, "a sum is less than one of its values");
    /* The float 0x7F800000 is infinite; behind it are NaNs and those below 0. */
    uint64_t variance = final ? get_fixed(in, 2) << 16 : get_fixed(in, 4);
    refuse_if(in, variance >= 0x7F800000, "a variance that is none");
    bool full = false; /* a bin that is at its largest value does not tell how many there were */
    for (unsigned b = log_2(min); b <= log_2(min + range); b++) {
        uint64_t bin = final ? get_rounded_bin(in) : get_uint(in);
        refuse_if(in, bin > UINT32_MAX, "a bin is too large");
        full = full || bin == UINT32_MAX;
        n += bin;
    }
    uint64_t off = n > count ? n - count : count - n, allowed = final ? count / 16 : 0;
    refuse_if(in, !full && off > allowed, "the bins of a timing are not as many values as it has");
}

static uint64_t get_timing(struct input *in, bool final)
{
    uint64_t count = get_uint(in);
    if (count > 0) {
        get_moments(in, final, count);
        get_moments(in, final, count);
    }
    return count;
}

static void read_group_times(struct trace *t, struct input *in)
{
    for (size_t i = 0; i < t->n_shapes; i++)
        for (size_t e = 0; e < t->shapes[i].n_entries; e++)
            for (size_t g = 0; g < t->shapes[i].entries[e].n_groups; g++)
                for (uint64_t n = t->shapes[i].entries[e].groups[g].n_timings; n > 0; n--)
                    get_timing(in, false);
}

/* After the lanes are expanded: the timing of each class has the calls of its signatures. */
static void read_folded_times(struct trace *t, struct input *in)
{
    uint64_t *calls = zeroed(t->n_rows, sizeof *calls);
    size_t n = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        uint64_t k = get_uint(in);
        refuse_if(in, k >= n + 2, "a signature has a class of times that is not there");
        if (k > 0)
            calls[k == 1 ? n++ : k - 2] += t->calls[i];
    }
    for (size_t i = 0; i < n; i++)
        refuse_if(in, get_timing(in, true) != calls[i],
                  "a timing does not count the calls of its signatures");
    free(calls);
}

static void read_times(struct trace *t)
{
    struct input *in = section(t, TIME);
    if (in) {
        (t->final ? read_folded_times : read_group_times)(t, in);
        section_end(in);
    }
    if ((in = section(t, RTIM))) {
        for (size_t n = get_count(in, 3); n > 0; n--) {
            get_below(in, t->n_functions);
            const struct body *ranks = get_ranks(in, t, get_uint(in));
            struct body values = get_body(in, 0, &(uint64_t){0});
            refuse_if(in, body_length(&values) != body_length(ranks), "there are not as many times as ranks");
        }
        section_end(in);
    }
}

/* ---- records */

static struct input read_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    size_t n = 0, room = 1 << 16;
    uint8_t *content = NULL;
    if (!file)
        leave(2, name, "%s", strerror(errno));
    while ((content = realloc(content, room)) && (n += fread(content + n, 1, room - n, file)) == room)
        room *= 2;
    if (!content || ferror(file))
        leave(2, name, "cannot read it");
    fclose(file);
    return (struct input){name, content, content, content + n};
}

static uint64_t site_hash(const struct site *site)
{
    uint64_t hash = XXH3_64bits_withSeed(site->function->name, strlen(site->function->name), 0);
    for (size_t i = 0; i < site->n_frames; i++) {
        const struct frame *frame = &site->frames[i];
        uint8_t offset[8];
        for (unsigned b = 0; b < 8; b++)
            offset[b] = (uint8_t)((uint64_t)frame->offset >> 8 * b);
        hash = XXH3_64bits_withSeed(frame->module, strlen(frame->module), hash);
        hash = XXH3_64bits_withSeed(offset, sizeof offset, hash);
    }
    return hash;
}

static struct input open_record(const char *directory, uint64_t rank, unsigned kind, uint64_t thread)
{
    size_t room = strlen(directory) + 80;
    char *name = zeroed(room, 1);
    size_t n = (size_t)snprintf(name, room, "%s/rank.%" PRIu64, directory, rank);
    if (kind)
        snprintf(name + n, room - n, ".lane.%" PRIu64 ".raw", thread);
    else
        snprintf(name + n, room - n, ".definitions.raw");
    struct input in = read_file(name);
    if (left(&in) < 8 || memcmp(get(&in, 4), "RFRW", 4) != 0 || get_fixed(&in, 4) != 1)
        leave(2, name, "this is no record, or one of another version");
    return in;
}

/* What becomes of the calls of one lane. */
struct output {
    bool compare; /* otherwise print */
    uint64_t rank;
    const struct shape *shape;
    struct input record;
    uint64_t calls; /* so far */
};

static void compare_call(struct output *o, const struct site *site, const int64_t *slots, size_t n)
{
    struct input *in = &o->record;
    const char *name = in->name, *function = site->function->name;
    if (left(in) == 0)
        leave(1, name, "it ends at call %" PRIu64 ", the trace has %s", o->calls, function);
    uint64_t hash = get_fixed(in, 8), n_wanted = get_uint(in);
    if (hash != site_hash(site))
        leave(1, name, "call %" PRIu64 " is another one than %s of the trace, or from another site", o->calls,
              function);
    if (n_wanted != n)
        leave(1, name, "call %" PRIu64 ", %s: %" PRIu64 " slots, in the trace %zu", o->calls, function,
              n_wanted, n);
    for (size_t i = 0; i < n; i++) {
        int64_t wanted = get_int(in);
        if (wanted != slots[i])
            leave(1, name, "call %" PRIu64 ", %s: slot %zu is %" PRId64 ", in the trace %" PRId64, o->calls,
                  function, i, wanted, slots[i]);
    }
}

static void print_call(const struct output *o, const struct site *site, const int64_t *slots, size_t n)
{
    printf("%" PRIu64, o->rank);
    if (o->shape->kind)
        printf(" %" PRIu64, o->shape->number);
    else
        fputs(" @", stdout);
    printf(" %" PRIu64 " %s", o->calls, site->function->name);
    for (size_t i = 0; i < n; i++)
        printf(" %" PRId64, slots[i]);
    putchar('\n');
}

/* ---- calls */

/* Where a rank is at one of the sites of a lane. */
struct place {
    const struct group *group;
    uint64_t ordinal, next; /* of the rank in the group; of the call at the site */
    size_t *columns;        /* column series of this rank, for each column of the group */
};

static void place_rank(const struct trace *t, const struct entry *entry, uint64_t rank, struct place *place)
{
    const struct group *g = entry->groups;
    *place = (struct place){0};
    while (!ranks_find(t, g->ranks, rank, &place->ordinal)) /* it is in one, see check_groups */
        g++;
    place->group = g;
    place->columns = zeroed(g->n_columns, sizeof *place->columns);
    for (size_t i = 0; i < g->n_columns; i++) {
        uint64_t number = (uint64_t)slot_at(t, &g->columns[i].series, rank, place->ordinal);
        if (number >= t->n_columns || body_length(&t->columns[number]) != entry->calls)
            refuse("a column of rank %" PRIu64 " is no series, or not as long as the site has calls", rank);
        place->columns[i] = (size_t)number;
    }
}

/* The slots of the next call of the rank at the place. */
static const struct row *next_call(struct trace *t, struct place *place, uint64_t rank, int64_t *slots)
{
    const struct group *g = place->group;
    uint64_t n = place->next++, number = g->stream ? rule_at(g->stream, n) : 0;
    if (number >= g->n_rows)
        refuse("a stream of rank %" PRIu64 " has a row that is not there", rank);
    const struct row *row = &t->rows[g->signatures[number]];
    for (size_t i = 0; i < row->n; i++)
        slots[i] = slot_at(t, &row->slots[i], rank, place->ordinal);
    for (size_t i = 0; i < g->n_columns; i++)
        if (g->columns[i].slot < row->n)
            slots[g->columns[i].slot] = series_at(&t->columns[place->columns[i]], n);
    t->calls[g->signatures[number]]++;
    return row;
}

/* `slots` and `places` are room for the longest row and for all sites. */
static void expand_lane(struct trace *t, struct output *o, int64_t *slots, struct place *places)
{
    const struct shape *shape = o->shape;
    for (size_t i = 0; i < shape->n_entries; i++)
        place_rank(t, &shape->entries[i], o->rank, &places[shape->entries[i].site]);
    for (; o->calls < rule_length(shape->skeleton); o->calls++) {
        uint64_t number = rule_at(shape->skeleton, o->calls);
        const struct site *site = &t->sites[number];
        size_t n = next_call(t, &places[number], o->rank, slots)->n;
        if (!row_fits(t, site->function, slots, n))
            refuse("rank %" PRIu64 ", call %" PRIu64 ": this is no call of %s", o->rank, o->calls,
                   site->function->name);
        if (o->compare)
            compare_call(o, site, slots, n);
        else
            print_call(o, site, slots, n);
    }
    for (size_t i = 0; i < shape->n_entries; i++)
        free(places[shape->entries[i].site].columns);
}

/* The shape of a rank's lane; it has at most one. */
static const struct shape *find_shape(const struct trace *t, uint64_t rank, unsigned kind, uint64_t number)
{
    const struct shape *found = NULL;
    uint64_t ordinal;
    for (const struct shape *s = t->shapes; s < t->shapes + t->n_shapes; s++)
        if (s->kind == kind && s->number == number && ranks_find(t, s->ranks, rank, &ordinal)) {
            if (found)
                refuse("rank %" PRIu64 " has two shapes of one lane", rank);
            found = s;
        }
    return found;
}

/* Expands all lanes of all ranks; the number of calls of threads. */
static uint64_t expand(struct trace *t, const char *raw)
{
    size_t longest = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        longest = t->rows[i].n > longest ? t->rows[i].n : longest;
    int64_t *slots = zeroed(longest, sizeof *slots);
    struct place *places = zeroed(t->n_sites, sizeof *places);
    uint64_t n_calls = 0, ordinal;
    for (uint64_t rank = t->first_rank; rank < t->first_rank + t->n_ranks; rank++)
        for (const struct shape *s = t->shapes; s < t->shapes + t->n_shapes; s++) {
            if (!ranks_find(t, s->ranks, rank, &ordinal))
                continue;
            find_shape(t, rank, s->kind, s->number);
            struct output o = {.rank = rank, .shape = s, .compare = raw != NULL};
            if (raw && rule_length(s->skeleton) > 0)
                o.record = open_record(raw, rank, s->kind, s->number);
            expand_lane(t, &o, slots, places);
            if (left(&o.record) > 0)
                leave(1, o.record.name, "it has more than the %" PRIu64 " calls of the trace", o.calls);
            free((void *)o.record.start);
            n_calls += s->kind == 1 ? o.calls : 0;
        }
    return n_calls;
}

/* Each record is that of a lane of the trace, unless it has no calls. */
static void check_directory(const struct trace *t, const char *raw)
{
    DIR *directory = opendir(raw);
    if (!directory)
        leave(2, raw, "%s", strerror(errno));
    for (const struct dirent *d; (d = readdir(directory));) {
        uint64_t rank, thread = 0;
        int end = 0;
        bool lane =
            sscanf(d->d_name, "rank.%" SCNu64 ".lane.%" SCNu64 ".raw%n", &rank, &thread, &end) == 2 && end;
        if (!lane && (sscanf(d->d_name, "rank.%" SCNu64 ".definitions.raw%n", &rank, &end) != 1 || !end))
            continue;
        const struct shape *shape = find_shape(t, rank, lane, thread);
        if (d->d_name[end] || (shape && rule_length(shape->skeleton) > 0))
            continue;
        struct input record = open_record(raw, rank, lane, thread);
        if (left(&record) > 0)
            leave(1, record.name, "the trace has no calls of this lane");
    }
    closedir(directory);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: second_reader TRACE [RAWDIR]\n");
        return 2;
    }
    const char *raw = argc > 2 ? argv[2] : NULL;
    trace_name = argv[1];
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
    uint64_t n_calls = expand(&t, raw);
    read_times(&t); /* which have as many calls as were expanded */
    if (raw) {
        check_directory(&t, raw);
        printf("%" PRIu64 " ranks, %" PRIu64 " calls: identical\n", t.n_ranks, n_calls);
    }
    return fflush(stdout) ? 2 : 0;
}
