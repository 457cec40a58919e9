/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what each pass over a final file's lists saves, for bench/ablation.sh.
 *
 *     ablation TRACE…       prints a line for each trace, separated by tabs: its name, its bytes, and for
 *                           each pass the additional bytes without it and the nanoseconds that it takes
 *
 * The linker replaces the passes by the functions __wrap_… below (ld --wrap), so the library is the
 * one that users have. A reader turns everything that passes write into plain lists, so reading and
 * writing a file again shows what each pass saves. The annex (times of single calls, columns) is
 * not counted. The figure of global_lists is too low: rows that it joins have a single sum of
 * times, and a reader does not know the sum of each row. Record with and without it to see its
 * whole effect. */
#include "decoder/trace/reader.h"
#include "src/core/base/log.h"
#include "src/core/codec/codec.h"
#include "src/core/grammar/rules.h"
#include "src/core/passes/global_lists.h"
#include "src/core/passes/prefix_sums.h"
#include "src/core/passes/torus_permutation.h"
#include "src/core/passes/transposed_counts.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

enum pass { PERMUTED, GLOBAL, SUMS, TRANSPOSED, PASSES };

static const char *const names[PASSES] = {[PERMUTED] = "torus_permutation",
                                          [GLOBAL] = "global_lists",
                                          [SUMS] = "prefix_sums",
                                          [TRANSPOSED] = "transposed_counts"};

static unsigned without;       /* bits of the passes that are disabled */
static uint64_t spent[PASSES]; /* in nanoseconds of the process */

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* `nothing` is the result of a pass that finds nothing. */
#define WRAP(pass, function, parameters, arguments, nothing)                                                 \
    enum refrain_status __real_##function parameters;                                                        \
    enum refrain_status __wrap_##function parameters;                                                        \
    enum refrain_status __wrap_##function parameters                                                         \
    {                                                                                                        \
        if (without & 1u << (pass)) {                                                                        \
            nothing;                                                                                         \
            return REFRAIN_OK;                                                                               \
        }                                                                                                    \
        const uint64_t start = now();                                                                        \
        const enum refrain_status status = __real_##function arguments;                                      \
        spent[pass] += now() - start;                                                                        \
        return status;                                                                                       \
    }

WRAP(PERMUTED, torus_permutations_find, (const struct rank_lists *l, struct torus_permutations *out),
     (l, out), *out = (struct torus_permutations){0})
WRAP(GLOBAL, global_lists_find, (const struct trace *t, struct codec_tables *alone, struct global_lists *w),
     (t, alone, w), *w = (struct global_lists){0})
WRAP(SUMS, prefix_sums_find, (const struct trace *t, struct prefix_sums *s), (t, s),
     *s = (struct prefix_sums){0})
WRAP(TRANSPOSED, transposed_counts_find, (const struct trace *t, struct prefix_sums *s), (t, s), )
/* Returns the bytes of the file; 0 after an error, which is logged. */
static size_t file_bytes(const struct trace *t, unsigned passes_left_out)
{
    struct bytes out = {0};
    without = passes_left_out;
    const enum refrain_status status = codec_encode(t, CODEC_FINAL | CODEC_APART, &out);
    const size_t n = status || out.failed ? 0 : out.n;
    bytes_free(&out);
    without = 0;
    return n;
}

static bool measure(const char *path)
{
    struct reader r;
    if (reader_open(&r, path) != REFRAIN_OK)
        return false;
    if (trace_own_slots(&r.trace) != REFRAIN_OK) {
        reader_close(&r);
        return false;
    }
    for (unsigned p = 0; p < PASSES; p++)
        spent[p] = 0;
    const size_t all = file_bytes(&r.trace, 0);
    uint64_t took[PASSES];
    for (unsigned p = 0; p < PASSES; p++)
        took[p] = spent[p];
    printf("%s\t%zu", path, all);
    for (unsigned p = 0; p < PASSES; p++) {
        const size_t less = file_bytes(&r.trace, 1u << p);
        printf("\t%" PRId64 "\t%" PRIu64, (int64_t)less - (int64_t)all, took[p]);
    }
    printf("\n");
    reader_close(&r);
    return all > 0;
}

int main(int argc, char **argv)
{
    bool ok = true;
    printf("trace\tbytes");
    for (unsigned p = 0; p < PASSES; p++)
        printf("\t%s\tns", names[p]);
    printf("\n");
    for (int i = 1; i < argc; i++)
        ok = measure(argv[i]) && ok;
    return ok ? 0 : 1;
}
