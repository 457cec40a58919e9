/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside the codec: what its files share. The format itself is in docs/FORMAT.md. */
#ifndef REFRAIN_CODEC_IMPL_H
#define REFRAIN_CODEC_IMPL_H

#include "codec.h"
#include "codec_fold.h"
#include "src/core/passes/codec_tables.h"
#include "src/core/base/section.h"

/* Head of the SHAP section. */
enum { SHAP_TIMES = 1 }; /* groups have times unless they say otherwise */

/* Parts of a group that are written out; what is left out has its usual value. */
enum {
    GROUP_RANKS = 1,    /* otherwise all ranks of the shape */
    GROUP_STREAM = 2,   /* otherwise row 0 always */
    GROUP_COLUMNS = 4,  /* otherwise none */
    GROUP_ROWS = 8,     /* number of rows; otherwise one */
    GROUP_TIMINGS = 16, /* otherwise one timing a row, or none (SHAP_TIMES) */
    GROUP_FILLER = 32,  /* otherwise none */
    GROUP_ORDER = 64,   /* otherwise none */
    GROUP_SUMS = 128,   /* otherwise none */
    GROUP_ALL = 255
};

/* Head of a shape: kind, whether it has loops, number of the lane. */
enum { SHAPE_KIND = 1, SHAPE_LOOPS = 2, SHAPE_NUMBER_SHIFT = 2 };

/* TIME section of a final file: what it says of a signature. */
enum { CLASS_NONE, CLASS_NEW, CLASS_OLD /* + number of the class */ };

/* ---- writing --------------------------------------------------------------------------------- */

struct encoder {
    const struct trace *trace;
    bool final;
    bool has_times; /* groups have times, as the first one has */
    struct codec_tables tables;
    struct codec_fold fold; /* of a final file */
    struct bytes sections[SECTIONS];
    ARRAY(uint32_t) rows; /* signatures of the rows at hand */
};

/* Fills the SHAP section and the tables, and the TIME section of a trace that is merged further. */
enum refrain_status codec_encode_shapes(struct encoder *e);

/* ---- reading --------------------------------------------------------------------------------- */

struct decoder {
    const char *name; /* of the file, for messages */
    bool final;
    uint64_t budget; /* bytes of memory that the trace may still grow by: small files may refer to one thing
                        often */
    struct trace trace;
    struct section_file file;
    struct rules_shared skeletons;
    ARRAY(struct rules *) streams;
    ARRAY(struct series *) series;
    int64_t **whole; /* values of those that are global lists, by number; NULL if none was needed yet */
    /* Site i has the signatures first[i] … first[i + 1] - 1. */
    ARRAY(uint32_t) first;
    ARRAY(struct read_signature {
        size_t first; /* its blocks are block_of[first …] */
        uint32_t n_slots;
        uint32_t class; /* of times; NO_CLASS: none */
    })
    signatures;
    /* Slots as the file has them, in blocks that rows have in common (codec_decode_rows.c). */
    ARRAY(struct code_block {
        struct slot_code codes[SLOT_BLOCK];
        struct slot_block
            *made;       /* of rows that have it, in a final file; NULL: none yet, or each row has its own */
        uint64_t effort; /* what its lists take of the budget */
    })
    blocks;
    ARRAY(uint32_t) block_of; /* numbers of blocks */
    /* Times by class, in a final file. The first group that uses one takes it. */
    ARRAY(struct time_class {
        struct timing timing;
        uint64_t group; /* number of the group that took it, 0: none yet */
        uint32_t index; /* in that group's timings */
    })
    classes;
    uint64_t n_groups; /* read so far */
};

#define NO_CLASS UINT32_MAX

/* From now on messages name this section: who finds an error in its data may know nothing of files. */
void codec_about(struct decoder *d, enum section_id section);
/* Log what is wrong with a section: "run.refrain: section SHAP: …". */
enum refrain_status codec_damaged(struct decoder *d, enum section_id section, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* About as much memory as a copy takes. */
static inline uint64_t codec_series_bytes(const struct series *s)
{
    return 64 + 32 * (uint64_t)series_cost(
                         s); /* an element is at least a byte in the file, and 24 with its number */
}

static inline uint64_t codec_rules_bytes(const struct rules *r)
{
    return 64 + r->n_rules * (uint64_t)12 + r->first[r->n_rules] * (uint64_t)sizeof *r->items;
}

/* Account for memory that a reference makes; what goes beyond the budget is an error. */
enum refrain_status codec_spend(struct decoder *d, enum section_id section, uint64_t bytes);
/* After a section: nothing may be missing and nothing left. */
enum refrain_status codec_section_end(struct decoder *d, enum section_id section);
/* A slot of a row takes time, too, whatever it shares. */
#define SLOT_EFFORT 2

/* SIGN; the slots of a row from `slot` on, the first one of a block, as the file has them. */
enum refrain_status codec_decode_signatures(struct decoder *d, struct bytes_reader *in);
static inline struct code_block *codec_signature_block(struct decoder *d, const struct read_signature *s,
                                                       uint32_t slot)
{
    return &d->blocks.items[d->block_of.items[s->first + slot / SLOT_BLOCK]];
}
/* SERI: columns go into the trace, others into the table. */
enum refrain_status codec_decode_series(struct decoder *d, struct bytes_reader *in);
/* A slot that is cut out of a global list, over a group's ranks. */
enum refrain_status codec_cut_global(struct decoder *d, const struct slot_code *code,
                                     const struct series *ranks, struct rankfn *f);
/* A slot that is a + factor x b, over a group's ranks. */
enum refrain_status codec_add_slots(struct decoder *d, const struct rankfn *a, const struct rankfn *b,
                                    int64_t factor, const struct series *ranks, struct rankfn *f);
/* A slot that has on rank number i what slot number first + i of the row has on rank number `place`, for all
 * ranks of the group. */
enum refrain_status codec_transpose_slots(struct decoder *d, const struct row *row, uint32_t first,
                                          uint64_t place, const struct series *ranks, struct rankfn *f);
/* SHAP, with TIME of a trace that is merged further; the other sections have been read. */
enum refrain_status codec_decode_shapes(struct decoder *d);

#endif
