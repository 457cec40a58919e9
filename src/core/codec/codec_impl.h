/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the codec's files; not for others. docs/FORMAT.md describes the format. */
#ifndef REFRAIN_CODEC_IMPL_H
#define REFRAIN_CODEC_IMPL_H

#include "codec.h"
#include "codec_fold.h"
#include "src/core/passes/codec_tables.h"
#include "src/core/base/section.h"

/* Head of the SHAP section. */
enum { SHAP_TIMES = 1 }; /* groups have times, unless marked otherwise */

/* Parts of a group that are written; a part that is left out has its usual value. */
enum {
    GROUP_RANKS = 1,    /* otherwise all ranks of the shape */
    GROUP_STREAM = 2,   /* otherwise always row 0 */
    GROUP_COLUMNS = 4,  /* otherwise none */
    GROUP_ROWS = 8,     /* number of rows; otherwise one */
    GROUP_TIMINGS = 16, /* otherwise one timing for each row, or none (SHAP_TIMES) */
    GROUP_FILLER = 32,  /* otherwise none */
    GROUP_ORDER = 64,   /* otherwise none */
    GROUP_SUMS = 128,   /* otherwise none */
    GROUP_ALL = 255
};

/* Head of a shape: kind, whether it has loops, number of the lane. */
enum { SHAPE_KIND = 1, SHAPE_LOOPS = 2, SHAPE_NUMBER_SHIFT = 2 };

/* TIME section of a final file: the class of a signature. */
enum { CLASS_NONE, CLASS_NEW, CLASS_OLD /* + number of the class */ };

/* ---- writing --------------------------------------------------------------------------------- */

struct encoder {
    const struct trace *trace;
    bool final;
    bool has_times; /* the first group has times; then all groups have times */
    struct codec_tables tables;
    struct codec_fold fold; /* in a final file */
    struct bytes sections[SECTIONS];
    ARRAY(uint32_t) rows; /* signatures of the current rows */
};

/* Fill the SHAP section and the tables, and the TIME section of a trace that is not final. */
enum refrain_status codec_encode_shapes(struct encoder *e);

/* ---- reading --------------------------------------------------------------------------------- */

struct decoder {
    const char *name; /* of the file, for messages */
    bool final;
    /* Bytes of memory by which the trace may still grow, since a small file may refer to one thing
     * often. */
    uint64_t budget;
    struct trace trace;
    struct section_file file;
    struct rules_shared skeletons;
    ARRAY(struct rules *) streams;
    ARRAY(struct series *) series;
    /* Expanded values of global lists, by number of the series; NULL until one is needed. */
    int64_t **whole;
    /* Site i has the signatures first[i] … first[i + 1] - 1. */
    ARRAY(uint32_t) first;
    ARRAY(struct read_signature {
        size_t first; /* its blocks are block_of[first …] */
        uint32_t n_slots;
        uint32_t class; /* class of times; NO_CLASS: none */
    })
    signatures;
    /* Slots as written in the file, in blocks that rows share (codec_decode_rows.c). */
    ARRAY(struct code_block {
        struct slot_code codes[SLOT_BLOCK];
        struct slot_block
            /* In a final file: the block of the rows that have it; NULL: none yet, or each row has
             * its own. */
            *made;
        uint64_t effort; /* bytes of the budget that its lists take */
    })
    blocks;
    ARRAY(uint32_t) block_of; /* numbers of blocks */
    /* Times by class, in a final file. The first group that uses a class gets its times. */
    ARRAY(struct time_class {
        struct timing timing;
        uint64_t group; /* number of the group that got the times; 0: none yet */
        uint32_t index; /* index in that group's timings */
    })
    classes;
    uint64_t n_groups; /* number of groups that have been read */
};

#define NO_CLASS UINT32_MAX

/* From now on, messages name this section: code that finds an error in its data may not know the
 * file. */
void codec_about(struct decoder *d, enum section_id section);
/* Log an error in a section: "run.refrain: section SHAP: …". */
enum refrain_status codec_damaged(struct decoder *d, enum section_id section, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Approximate bytes of a copy in memory. */
static inline uint64_t codec_series_bytes(const struct series *s)
{
    return 64 + 32 * (uint64_t)series_cost(
                         /* An element takes at least a byte in the file, and 24 with its number. */
                         s);
}

static inline uint64_t codec_rules_bytes(const struct rules *r)
{
    return 64 + r->n_rules * (uint64_t)12 + r->first[r->n_rules] * (uint64_t)sizeof *r->items;
}

/* Charge the budget with memory for a reference; exceeding it is an error. */
enum refrain_status codec_spend(struct decoder *d, enum section_id section, uint64_t bytes);
/* Check the end of a section: no byte may be missing or left over. */
enum refrain_status codec_section_end(struct decoder *d, enum section_id section);
/* Charged for each slot of a row, also a shared one, since it takes time. */
#define SLOT_EFFORT 2

/* SIGN. codec_signature_block returns the block that begins at slot `slot`, as written in the file. */
enum refrain_status codec_decode_signatures(struct decoder *d, struct bytes_reader *in);
static inline struct code_block *codec_signature_block(struct decoder *d, const struct read_signature *s,
                                                       uint32_t slot)
{
    return &d->blocks.items[d->block_of.items[s->first + slot / SLOT_BLOCK]];
}
/* SERI: columns go into the trace, other series into the table. */
enum refrain_status codec_decode_series(struct decoder *d, struct bytes_reader *in);
/* Make a slot that is cut from a global list, over a group's ranks. */
enum refrain_status codec_cut_global(struct decoder *d, const struct slot_code *code,
                                     const struct series *ranks, struct rankfn *f);
/* Make the slot a + factor x b, over a group's ranks. */
enum refrain_status codec_add_slots(struct decoder *d, const struct rankfn *a, const struct rankfn *b,
                                    int64_t factor, const struct series *ranks, struct rankfn *f);
/* Make a slot whose value on rank number i is that of slot first + i of the row on rank number
 * `place`, for all ranks of the group. */
enum refrain_status codec_transpose_slots(struct decoder *d, const struct row *row, uint32_t first,
                                          uint64_t place, const struct series *ranks, struct rankfn *f);
/* SHAP, with TIME of a trace that is not final; the other sections have been read. */
enum refrain_status codec_decode_shapes(struct decoder *d);

#endif
