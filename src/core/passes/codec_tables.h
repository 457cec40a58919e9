/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of distinct series, row streams and signatures, which shapes refer to by number. The
 * tables are made while a trace is written. */
#ifndef REFRAIN_CODEC_TABLES_H
#define REFRAIN_CODEC_TABLES_H

#include "codec_row.h"
#include "global_lists.h"
#include "permuted_table.h"
#include "prefix_sums.h"
#include "src/core/base/map.h"
#include "src/core/trace/trace.h"

/* A distinct row of a site. The signatures of one site are numbered from 0 by first use. */
struct signature {
    uint32_t site, number; /* number at the site */
    uint32_t n_slots;
    size_t first;   /* its slots are packed in codes.data[first …] … */
    size_t bytes;   /* … in so many bytes */
    uint32_t class; /* another signature that shares its times, or itself: a union-find forest */
};

struct codec_tables {
    ARRAY(const struct series *) series; /* borrowed, from the trace or from `made` */
    ARRAY(struct rules *) streams;       /* borrowed from the trace */
    struct permuted_table permuted;      /* how the first series are written */
    ARRAY(struct series *) made;         /* bases of permuted lists; owned */
    struct global_lists global;
    struct prefix_sums sums;
    ARRAY(struct signature) signatures;
    struct bytes
        codes; /* some bytes a slot instead of 32: a program may have many rows of hundreds of requests */
    uint32_t *per_site; /* number of signatures of each site */
    struct map series_index, stream_index, signature_index;
};

enum refrain_status codec_tables_create(const struct trace *t, struct codec_tables *tables);
void codec_tables_free(struct codec_tables *tables);

enum refrain_status codec_intern_series(struct codec_tables *t, const struct series *s, uint32_t *number);
/* The same for a base of permuted lists. The base is no permuted list itself, and its number is
 * counted from the first series after the permuted lists. */
enum refrain_status codec_intern_base(struct codec_tables *t, const struct series *s, uint64_t *number);
/* Bytes of a series, plain or as a permuted list. */
size_t codec_series_cost(const struct codec_tables *t, uint32_t number);
enum refrain_status codec_intern_stream(struct codec_tables *t, struct rules *stream, uint32_t *number);
/* Make the code of a function over the ranks of a group. `single` is the rank of a group with only
 * one, in a trace that is not final; otherwise NULL. */
enum refrain_status codec_intern_slot(struct codec_tables *t, const struct rankfn *f, const int64_t *single,
                                      struct slot_code *code);
/* *index becomes the row's index in t->signatures. */
enum refrain_status codec_intern_row(struct codec_tables *t, uint32_t site, const struct row *row,
                                     const int64_t *single, uint32_t *index);

/* Unpacks the signature's slots. Returns an error if memory is short. */
enum refrain_status codec_signature_slots(const struct codec_tables *t, const struct signature *s,
                                          slot_codes *slots);

#endif
