/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections 2 and 3: the container, and META. */
#include "steps.h"

#include <string.h>
#include <xxhash.h>
#include <zstd.h>

static const char *const section_names[N_SECTIONS] = {"META", "FUNC", "SITE", "RULE", "STRM", "SERI", "SIGN",
                                                      "SHAP", "TIME", "RTIM", "WRLD", "ANNX", "CLCK", "COLS"};

static uint32_t sum(const uint8_t *start, const uint8_t *end)
{
    return (uint32_t)XXH64(start, (size_t)(end - start), 0);
}

enum { FINAL = 1, APART = 2 };

/* Reads the next block of the file and expands it to `length` bytes. */
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

void read_container(struct trace *t, struct input *in)
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
    refuse_if(in, get_fixed(in, 1) != 7, "another version of the format");
    uint64_t flags = get_fixed(in, 1);
    refuse_if(in, flags > 3, "unknown flags");
    t->final = flags & FINAL;
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
    if (section(t, ANNX))
        read_annex(t, in, flags & APART);
    refuse_if(in, left(in) > 0, "bytes behind the last block");
}

/* Returns NULL if the section is missing. */
struct input *section(struct trace *t, unsigned number)
{
    return t->sections[number].start ? &t->sections[number] : NULL;
}

void section_end(const struct input *in)
{
    refuse_if(in, left(in) > 0, "bytes are left over");
}

void read_meta(struct trace *t)
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
