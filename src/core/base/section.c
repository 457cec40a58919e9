/* SPDX-License-Identifier: BSD-3-Clause */
#include "section.h"

#include "array.h"
#include "log.h"

#define XXH_INLINE_ALL
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#define PACK_MAX (UINT64_C(1) << 18) /* a section of at least this size gets a block of its own */

/* A block may expand to at most RATIO_MAX times its size, so that a forged file of a few bytes
 * cannot request gigabytes. The writer observes this limit, too. */
#define RATIO_MAX  4096
#define RATIO_FREE (UINT64_C(1) << 20) /* up to this size there is no such limit */
#define TOTAL_MAX  (UINT64_C(4) << 30) /* all sections of a file together, uncompressed */
/* Expansion proceeds in such steps, so that memory grows only with data that really exists. */
#define CHUNK         (UINT64_C(1) << 20)
#define DIRECTORY_MAX 64 /* entries */

const char section_names[SECTIONS][5] = {"META", "FUNC", "SITE", "RULE", "STRM", "SERI", "SIGN",
                                         "SHAP", "TIME", "RTIM", "WRLD", "ANNX", "CLCK", "COLS"};

enum coding { CODING_STORED, CODING_ZSTD, CODINGS };

static uint32_t checksum(const void *data, size_t n)
{
    return (uint32_t)XXH64(data, n, 0);
}

static bool ratio_allowed(uint64_t raw, uint64_t stored)
{
    return raw <= RATIO_FREE || raw / RATIO_MAX <= stored;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* A block under construction, for the sections first … end - 1. */
struct pack {
    unsigned first, end;
    struct bytes data; /* the stored bytes */
    enum coding coding;
};

/* Find the end of the block that begins with section `first`. Times look like noise compared with
 * the other sections, so a new block begins with them: both compress better, and the size of the
 * times is visible. */
static unsigned pack_end(const struct bytes *raw, unsigned first)
{
    uint64_t total = raw[first].n;
    unsigned end = first + 1;
    while (end < SECTIONS && end != SECTION_TIME && raw[end].n < PACK_MAX && total < PACK_MAX)
        total += raw[end++].n;
    return end;
}

/* Limits of the level. Large data is usually irregular: the highest levels need tens of megabytes
 * and seconds, and gain nothing. Small data, such as the trace of a regular program, gains a
 * thousandth in twice the time, while all ranks wait. */
enum { SMALL = 1 << 14, SMALL_LEVEL = 14, LARGE = 1 << 19, LARGE_LEVEL = 12, LARGE_WINDOW_LOG = 20 };

static bool set_level(ZSTD_CCtx *context, int level, size_t n)
{
    const int most = n < SMALL ? SMALL_LEVEL : n < LARGE ? level : LARGE_LEVEL;
    const bool limited = n >= LARGE && level > most;
    return !ZSTD_isError(
               ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level < most ? level : most)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, limited ? LARGE_WINDOW_LOG : 0));
}

/* Replace the pack's data by its compressed form if that is shorter. */
static enum refrain_status compress(ZSTD_CCtx *context, int level, struct pack *p)
{
    if (!set_level(context, level, p->data.n)) {
        log_error("zstd does not take level %d", level);
        return REFRAIN_ERR_MEMORY;
    }
    size_t room = ZSTD_compressBound(p->data.n);
    uint8_t *to = malloc(room);
    if (!to) {
        log_error("out of memory: compressing %zu bytes", p->data.n);
        return REFRAIN_ERR_MEMORY;
    }
    size_t n = ZSTD_compress2(context, to, room, p->data.data, p->data.n);
    if (ZSTD_isError(n)) {
        log_error("compressing %zu bytes: %s", p->data.n, ZSTD_getErrorName(n));
        free(to);
        return REFRAIN_ERR_MEMORY;
    }
    if (n >= p->data.n || !ratio_allowed(p->data.n, n)) {
        free(to);
        return REFRAIN_OK;
    }
    bytes_free(&p->data);
    p->data = (struct bytes){.data = to, .n = n, .cap = room};
    p->coding = CODING_ZSTD;
    return REFRAIN_OK;
}

/* The frame stores neither content size nor checksum: the directory has both. */
static enum refrain_status create_context(ZSTD_CCtx **out)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (!context || ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0))) {
        log_error("zstd cannot be set up");
        ZSTD_freeCCtx(context);
        return REFRAIN_ERR_MEMORY;
    }
    *out = context;
    return REFRAIN_OK;
}

static enum refrain_status make_packs(const struct bytes *raw, int level, struct pack *packs,
                                      unsigned *n_packs)
{
    ZSTD_CCtx *context = NULL;
    enum refrain_status status = level > 0 ? create_context(&context) : REFRAIN_OK;
    for (unsigned i = 0; i < SECTIONS && status == REFRAIN_OK; i = packs[*n_packs - 1].end) {
        struct pack *p = &packs[(*n_packs)++];
        *p = (struct pack){.first = i, .end = pack_end(raw, i)};
        for (unsigned s = p->first; s < p->end; s++)
            bytes_put(&p->data, raw[s].data, raw[s].n);
        if (p->data.failed)
            status = REFRAIN_ERR_MEMORY;
        else if (context && p->data.n > 0)
            status = compress(context, level, p);
    }
    if (context)
        ZSTD_freeCCtx(context);
    return status;
}

static void put_directory(const struct bytes *raw, const struct pack *packs, unsigned n_packs,
                          struct bytes *out)
{
    unsigned n = 0;
    for (unsigned s = 0; s < SECTIONS; s++)
        n += raw[s].n > 0;
    bytes_put_uint(out, n);
    for (unsigned i = 0; i < n_packs; i++) {
        bool first = true;
        for (unsigned s = packs[i].first; s < packs[i].end; s++) {
            if (raw[s].n == 0)
                continue;
            bytes_put_u8(out, (uint8_t)s);
            bytes_put_uint(out, (uint64_t)raw[s].n << 1 | first);
            if (first) {
                bytes_put_uint(out, (uint64_t)packs[i].data.n << 1 | packs[i].coding);
                bytes_put_u32(out, checksum(packs[i].data.data, packs[i].data.n));
            }
            bytes_put_u32(out, checksum(raw[s].data, raw[s].n));
            first = false;
        }
    }
}

enum refrain_status section_write(const struct bytes *raw, unsigned flags, int level, struct bytes *out)
{
    assert(level >= 0 && level <= 19);
    struct pack packs[SECTIONS];
    unsigned n_packs = 0;
    enum refrain_status status = make_packs(raw, level, packs, &n_packs);
    if (status == REFRAIN_OK) {
        size_t start = out->n;
        bytes_put(out, SECTION_MAGIC, strlen(SECTION_MAGIC));
        bytes_put_u8(out, SECTION_VERSION);
        bytes_put_u8(out, (uint8_t)flags);
        put_directory(raw, packs, n_packs, out);
        if (!out->failed)
            bytes_put_u32(out, checksum(out->data + start, out->n - start));
        for (unsigned i = 0; i < n_packs; i++)
            bytes_put(out, packs[i].data.data, packs[i].data.n);
        status = out->failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
    }
    for (unsigned i = 0; i < n_packs; i++)
        bytes_free(&packs[i].data);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* One entry of the directory. */
struct listed {
    uint8_t id;
    uint32_t sum;
    uint64_t raw;
};

/* The consecutive entries first … end - 1 lie in one block. */
struct block {
    unsigned first, end;
    uint64_t raw, stored;
    uint32_t sum; /* checksum of the stored bytes */
    enum coding coding;
};

struct directory {
    const char *name; /* of the file */
    struct listed sections[DIRECTORY_MAX];
    struct block blocks[DIRECTORY_MAX];
    unsigned n_sections, n_blocks;
};

static enum refrain_status damaged(const struct directory *d, const char *where, const char *what)
{
    log_error("%s: %s: %s", d->name, where, what);
    return REFRAIN_ERR_FORMAT;
}

static enum refrain_status section_damaged(const struct directory *d, unsigned section, const char *what)
{
    uint8_t id = d->sections[section].id;
    if (id < SECTIONS)
        log_error("%s: section %s: %s", d->name, section_names[id], what);
    else
        log_error("%s: section number %u: %s", d->name, id, what);
    return REFRAIN_ERR_FORMAT;
}

static enum refrain_status read_header(const char *name, struct bytes_reader *in, unsigned *flags)
{
    const void *magic = bytes_get(in, strlen(SECTION_MAGIC));
    if (!magic || memcmp(magic, SECTION_MAGIC, strlen(SECTION_MAGIC)) != 0) {
        log_error("%s: not a Refrain trace", name);
        return REFRAIN_ERR_FORMAT;
    }
    unsigned version = bytes_get_u8(in);
    *flags = bytes_get_u8(in);
    if (in->failed) {
        log_error("%s: header: cut off", name);
        return REFRAIN_ERR_FORMAT;
    }
    if (version != SECTION_VERSION) {
        log_error("%s: the file has format version %u, this program reads version %u: record the trace anew",
                  name, version, SECTION_VERSION);
        return REFRAIN_ERR_FORMAT;
    }
    if (*flags & ~(unsigned)(SECTION_FINAL | SECTION_APART)) {
        log_error("%s: header: unknown flags", name);
        return REFRAIN_ERR_FORMAT;
    }
    return REFRAIN_OK;
}

static enum refrain_status read_directory(const uint8_t *file, struct bytes_reader *in, struct directory *d)
{
    size_t n = bytes_get_count(in, 6);
    if (n > DIRECTORY_MAX)
        return damaged(d, "header", "too many sections");
    uint64_t total = 0;
    for (d->n_sections = 0; d->n_sections < n; d->n_sections++) {
        struct listed *s = &d->sections[d->n_sections];
        s->id = bytes_get_u8(in);
        uint64_t raw = bytes_get_uint(in);
        s->raw = raw >> 1;
        if (raw & 1) {
            uint64_t stored = bytes_get_uint(in);
            struct block *b = &d->blocks[d->n_blocks++];
            *b = (struct block){.first = d->n_sections, .stored = stored >> 1, .coding = stored & 1};
            b->sum = bytes_get_u32(in);
        }
        s->sum = bytes_get_u32(in);
        if (in->failed || d->n_blocks == 0)
            break;
        if (s->raw > TOTAL_MAX - total)
            return section_damaged(d, d->n_sections, "damaged: the length is too large");
        total += s->raw;
        d->blocks[d->n_blocks - 1].raw += s->raw;
        d->blocks[d->n_blocks - 1].end = d->n_sections + 1;
    }
    const uint8_t *end = in->at;
    uint32_t sum = bytes_get_u32(in);
    if (in->failed)
        return damaged(d, "header", "cut off");
    if (d->n_sections < n || sum != checksum(file, (size_t)(end - file)))
        return damaged(d, "header", "damaged: the checksum does not match");
    return REFRAIN_OK;
}

/* The section to which byte `at` of a block's expansion belongs. */
static unsigned section_of(const struct directory *d, const struct block *b, uint64_t at)
{
    unsigned s = b->first;
    while (s + 1 < b->end && at >= d->sections[s].raw)
        at -= d->sections[s++].raw;
    return s;
}

/* Expand exactly b->raw bytes. */
static enum refrain_status expand(const struct directory *d, const struct block *b, const void *stored,
                                  struct bytes *out)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (!context) {
        log_error("out of memory: zstd");
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = REFRAIN_OK;
    ZSTD_inBuffer in = {.src = stored, .size = b->stored};
    size_t left = 1; /* 0: the frame is complete */
    while (out->n < b->raw) {
        size_t before = out->n, step = (size_t)(b->raw - before < CHUNK ? b->raw - before : CHUNK);
        void *data = out->data;
        if (!array_grow(&data, out->n, &out->cap, 1, step)) {
            status = REFRAIN_ERR_MEMORY;
            goto out;
        }
        out->data = data;
        ZSTD_outBuffer to = {.dst = out->data, .size = before + step, .pos = before};
        left = ZSTD_decompressStream(context, &to, &in);
        out->n = to.pos;
        if (ZSTD_isError(left) || to.pos == before || left == 0)
            break;
    }
    /* If the last bytes filled the buffer, reading the frame's end takes one more step. */
    ZSTD_outBuffer none = {.dst = out->data, .size = out->n, .pos = out->n};
    if (!ZSTD_isError(left) && left != 0 && out->n == b->raw)
        left = ZSTD_decompressStream(context, &none, &in);
    if (ZSTD_isError(left) || left != 0 || out->n != b->raw || in.pos != in.size)
        status = section_damaged(d, section_of(d, b, out->n), "damaged: it cannot be decompressed");
out:
    ZSTD_freeDCtx(context);
    return status;
}

/* Check one block's sections and enter them into the result. */
static enum refrain_status enter(const struct directory *d, const struct block *b, const uint8_t *data,
                                 struct section_file *f)
{
    uint64_t at = 0, shared_out = 0;
    for (unsigned i = b->first; i < b->end; i++) {
        const struct listed *s = &d->sections[i];
        if (checksum(data + at, s->raw) != s->sum)
            return section_damaged(d, i, "damaged: the checksum does not match");
        uint64_t share = b->raw ? (uint64_t)((double)b->stored * (double)(at + s->raw) / (double)b->raw) : 0;
        if (s->id < SECTIONS) {
            struct section_part *part = &f->parts[s->id];
            if (part->content.at)
                return section_damaged(d, i, "damaged: the section occurs twice");
            part->content = bytes_reader_of(data + at, s->raw);
            part->raw = s->raw;
            part->stored = share - shared_out;
        }
        at += s->raw;
        shared_out = share;
    }
    return REFRAIN_OK;
}

static enum refrain_status read_block(const struct directory *d, const struct block *b,
                                      struct bytes_reader *in, struct section_file *f)
{
    if (b->stored > bytes_left(in))
        return section_damaged(d, b->first, "cut off: the file ends too early");
    const uint8_t *stored = bytes_get(in, b->stored), *content = stored;
    enum refrain_status status = REFRAIN_OK;
    if (b->coding == CODING_ZSTD) {
        if (!ratio_allowed(b->raw, b->stored))
            return section_damaged(d, b->first, "damaged: the length is too large");
        struct bytes *data = &f->blocks[f->n_blocks++];
        status = expand(d, b, stored, data);
        content = data->data;
    } else if (b->raw != b->stored) {
        status = section_damaged(d, b->first, "damaged: its two lengths differ");
    }
    if (status == REFRAIN_OK)
        status = enter(d, b, content, f);
    /* This check is last, because the sections' checksums show where the damage is. It alone
     * detects a frame that differs from the written one but expands to the same bytes. */
    if (status == REFRAIN_OK && checksum(stored, b->stored) != b->sum)
        status = section_damaged(d, b->first, "damaged: the checksum of its block does not match");
    return status;
}

enum refrain_status section_read(const char *name, const void *data, size_t n, struct section_file *out)
{
    struct section_file f = {0};
    struct directory d = {.name = name};
    struct bytes_reader in = bytes_reader_of(data, n);
    enum refrain_status status = read_header(name, &in, &f.flags);
    if (status == REFRAIN_OK)
        status = read_directory(data, &in, &d);
    if (status != REFRAIN_OK)
        return status;
    f.blocks = calloc(d.n_blocks + 1, sizeof *f.blocks);
    if (!f.blocks) {
        log_error("out of memory: %s", name);
        return REFRAIN_ERR_MEMORY;
    }
    for (unsigned i = 0; i < d.n_blocks && status == REFRAIN_OK; i++)
        status = read_block(&d, &d.blocks[i], &in, &f);
    f.annex = in;
    if (status == REFRAIN_OK && bytes_left(&in) > 0 && !f.parts[SECTION_ANNX].content.at) {
        log_error("%s: %zu bytes too many at the end", name, bytes_left(&in));
        status = REFRAIN_ERR_FORMAT;
    }
    if (status != REFRAIN_OK) {
        section_file_free(&f);
        return status;
    }
    *out = f;
    return REFRAIN_OK;
}

void section_file_free(struct section_file *f)
{
    for (size_t i = 0; i < f->n_blocks; i++)
        bytes_free(&f->blocks[i]);
    free(f->blocks);
    *f = (struct section_file){0};
}
