/* SPDX-License-Identifier: BSD-3-Clause */
#include "event_file.h"

#include "src/core/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK      ((size_t)1 << 16)
#define DIGITS_MAX 18 /* these fit into 64 bits */

struct process {
    uint32_t number;
    struct nlr *model;
};

struct file {
    const char *path;
    int fd;
    struct bytes text; /* text that was read but not yet parsed, from `at` on */
    size_t at;
    uint64_t line;
    size_t window;
    struct event_templates *templates;
    struct event_draft draft;
    ARRAY(struct process) processes;
    struct map by_number; /* process number -> index in `processes` */
};

/* ---- lines ----------------------------------------------------------------------------------- */

/* Reads more of the file after the existing text. *more is false at its end. */
static enum refrain_status fill(struct file *f, bool *more)
{
    const size_t rest = f->text.n - f->at;
    if (f->at > 0 && rest > 0)
        memmove(f->text.data, f->text.data + f->at, rest);
    f->text.n = rest;
    f->at = 0;
    if (f->text.cap - rest < CHUNK) { /* a line is longer than a chunk */
        uint8_t *data = realloc(f->text.data, f->text.cap * 2 + CHUNK);
        if (!data) {
            log_error("out of memory: line %llu of %s", (unsigned long long)f->line + 1, f->path);
            return REFRAIN_ERR_MEMORY;
        }
        f->text.data = data;
        f->text.cap = f->text.cap * 2 + CHUNK;
    }
    ssize_t n;
    do
        n = read(f->fd, f->text.data + rest, f->text.cap - rest);
    while (n < 0 && errno == EINTR);
    if (n < 0) {
        log_error("cannot read %s: %m", f->path);
        return REFRAIN_ERR_IO;
    }
    f->text.n += (size_t)n;
    *more = n > 0;
    return REFRAIN_OK;
}

/* Finds the next line without its end. *line is NULL at the end of the file. */
static enum refrain_status next_line(struct file *f, const char **line, size_t *n)
{
    size_t looked = 0;
    for (;;) {
        const char *at = f->text.n > 0 ? (const char *)f->text.data + f->at : "";
        const char *end =
            f->text.n > f->at + looked ? memchr(at + looked, '\n', f->text.n - f->at - looked) : NULL;
        if (end) {
            *line = at;
            *n = (size_t)(end - at);
            f->at += *n + 1;
            f->line++;
            return REFRAIN_OK;
        }
        bool more;
        looked = f->text.n - f->at;
        const enum refrain_status status = fill(f, &more);
        if (status != REFRAIN_OK)
            return status;
        if (more)
            continue;
        *line = looked > 0 ? (const char *)f->text.data : NULL;
        *n = looked;
        f->at = f->text.n;
        f->line++;
        return REFRAIN_OK;
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns how many characters at the end of a word of n > 0 are a number that prints in the same
 * form; 0 if none. */
static size_t number_at_end(const char *word, size_t n)
{
    size_t digits = 0;
    while (digits < n && is_digit(word[n - 1 - digits]))
        digits++;
    const char first = digits > 0 ? word[n - digits] : '0';
    if (digits == 0 || digits > DIGITS_MAX || (first == '0' && digits > 1))
        return 0;
    if (digits + 1 == n && word[0] == '-')
        return first == '0' ? 0 : n;
    return digits;
}

static int64_t value_of(const char *text, size_t n)
{
    const bool negative = text[0] == '-';
    int64_t v = 0;
    for (size_t i = negative; i < n; i++)
        v = v * 10 + (text[i] - '0');
    return negative ? -v : v;
}

/* ---- events ---------------------------------------------------------------------------------- */

static const struct kind_of_line {
    const char *name;
    unsigned least, most; /* number of words after the verb */
    bool peer;            /* the first of them is a process */
} kinds[] = {
    {"send", 2, 3, true}, {"recv", 2, 3, true}, {"sync", 2, 2, false}, {"local", 1, UINT16_MAX, false}};

static enum refrain_status misread(const struct file *f, const char *what)
{
    log_error("%s: line %llu: %s", f->path, (unsigned long long)f->line, what);
    return REFRAIN_ERR_FORMAT;
}

/* Appends the word to the draft, with a blank before all words but the first. */
static void put_word(struct event_draft *d, const char *word, size_t n, bool rank)
{
    const size_t digits = number_at_end(word, n);
    uint8_t *text = d->text.data + d->text.n; /* the line's length has been reserved */
    if (d->text.n > 0)
        *text++ = ' ';
    memcpy(text, word, n - digits);
    text += n - digits;
    if (digits > 0) {
        *text++ = rank && digits == n ? EVENT_RANK : EVENT_NUMBER;
        d->numbers.items[d->numbers.n++] = value_of(word + n - digits, digits);
    }
    d->text.n = (size_t)(text - d->text.data);
}

/* Finds the model of the acting process. */
static enum refrain_status find_process(struct file *f, int64_t number, struct nlr **out)
{
    uint32_t at = map_get(&f->by_number, (uint64_t)number);
    if (at == MAP_NONE) {
        struct process fresh = {.number = (uint32_t)number, .model = nlr_create(f->window)};
        at = (uint32_t)f->processes.n;
        if (!fresh.model)
            return REFRAIN_ERR_MEMORY;
        if (!array_push(&f->processes, fresh)) {
            nlr_free(fresh.model);
            return REFRAIN_ERR_MEMORY;
        }
        if (!map_set(&f->by_number, (uint64_t)number, at))
            return REFRAIN_ERR_MEMORY;
    }
    *out = f->processes.items[at].model;
    return REFRAIN_OK;
}

static bool reserve(struct event_draft *d, size_t n)
{
    if (d->text.cap < n) {
        uint8_t *data = realloc(d->text.data, n);
        if (!data) {
            log_error("out of memory: a line of %zu bytes", n);
            return false;
        }
        d->text.data = data;
        d->text.cap = n;
    }
    return array_reserve(&d->numbers, n);
}

static enum refrain_status take_line(struct file *f, const char *line, size_t n)
{
    struct event_draft *d = &f->draft;
    const struct kind_of_line *kind = NULL;
    unsigned words = 0;
    event_draft_clear(d);
    if (!reserve(d, 2 * n + 2))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n;) {
        if (is_blank(line[i])) {
            i++;
            continue;
        }
        const size_t first = i;
        for (; i < n && !is_blank(line[i]); i++) {
            if ((unsigned char)line[i] < ' ')
                return misread(f, "a control character");
        }
        const char *word = line + first;
        if (words == 0 && *word == '#')
            return REFRAIN_OK;
        if (words == 1) {
            for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
                if (strlen(kinds[k].name) == i - first && memcmp(kinds[k].name, word, i - first) == 0)
                    kind = &kinds[k];
            }
            if (!kind)
                return misread(f, "the second word is not send, recv, sync or local");
        }
        put_word(d, word, i - first, words == 0 || (words == 2 && kind->peer));
        if (words == 0 && (d->text.n != 1 || d->text.data[0] != EVENT_RANK || d->numbers.items[0] < 0 ||
                           d->numbers.items[0] > UINT32_MAX))
            return misread(f, "the first word is no number of a process");
        words++;
    }
    if (words == 0)
        return REFRAIN_OK;
    if (!kind || words - 2 < kind->least || words - 2 > kind->most)
        return misread(f, "wanted PROC send DST TAG [COMM], PROC recv SRC TAG [COMM], PROC sync NAME GROUP "
                          "or PROC local WORD…");
    uint32_t template;
    struct nlr *model;
    enum refrain_status status =
        event_templates_intern(f->templates, (const char *)d->text.data, d->text.n, &template);
    if (status == REFRAIN_OK)
        status = find_process(f, d->numbers.items[0], &model);
    return status == REFRAIN_OK ? nlr_append(model, template, d->numbers.items, (uint32_t)d->numbers.n)
                                : status;
}

/* ---- the file -------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const struct process *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static enum refrain_status take_lines(struct file *f)
{
    enum refrain_status status;
    const char *line;
    size_t n;
    while ((status = next_line(f, &line, &n)) == REFRAIN_OK && line) {
        if ((status = take_line(f, line, n)) != REFRAIN_OK)
            break;
    }
    return status;
}

static enum refrain_status give(struct file *f, struct loop_groups *groups)
{
    enum refrain_status status = REFRAIN_OK;
    if (f->processes.n > 0)
        qsort(f->processes.items, f->processes.n, sizeof *f->processes.items, by_number);
    for (size_t i = 0; i < f->processes.n && status == REFRAIN_OK; i++) {
        struct process *p = &f->processes.items[i];
        if ((status = nlr_finish(p->model)) != REFRAIN_OK)
            break;
        status = loop_groups_add(groups, p->number, 0, p->model);
        p->model = NULL;
    }
    return status;
}

enum refrain_status event_file_model(const char *path, size_t window, struct event_templates *templates,
                                     struct loop_groups *groups)
{
    const bool standard_input = strcmp(path, "-") == 0;
    struct file f = {.path = path, .window = window, .templates = templates};
    f.fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (f.fd < 0) {
        log_error("cannot open %s: %m", path);
        return REFRAIN_ERR_IO;
    }
    enum refrain_status status = take_lines(&f);
    if (status == REFRAIN_OK)
        status = give(&f, groups);
    for (size_t i = 0; i < f.processes.n; i++)
        nlr_free(f.processes.items[i].model);
    array_free(&f.processes);
    map_free(&f.by_number);
    event_draft_free(&f.draft);
    bytes_free(&f.text);
    if (!standard_input)
        close(f.fd);
    return status;
}
