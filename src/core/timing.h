/* Aggregate times of one (site, row): of the calls themselves and of the gaps before them, in nanoseconds. */
#ifndef REFRAIN_TIMING_H
#define REFRAIN_TIMING_H

#include "bytes.h"
#include "status.h"

#define TIMING_BINS 64 /* bin b holds values v with floor(log2(v)) == b; v = 0 goes to bin 0 */

struct timing_moments {
    uint64_t sum, min, max; /* min is UINT64_MAX while there is nothing */
    double squares;         /* sum of squares */
    uint32_t bins[TIMING_BINS];
};

struct timing {
    uint64_t count;
    struct timing_moments duration, gap;
};

void timing_clear(struct timing *t);
void timing_add(struct timing *t, uint64_t gap, uint64_t duration);
void timing_merge(struct timing *into, const struct timing *t);
double timing_mean(const struct timing_moments *m, uint64_t count);
double timing_variance(const struct timing_moments *m, uint64_t count);

/* Counts, sums and extremes are kept exactly. `rounded`, for final files: a variance has 8 significant bits
 * and a bin's count 4 (it is exact below 16), which takes half the bytes and keeps a file from growing with
 * its counts. Otherwise bins are exact and a variance has the bits of a float. */
void timing_encode(const struct timing *t, bool rounded, struct bytes *out);
enum refrain_status timing_decode(struct bytes_reader *in, bool rounded, struct timing *out);

#endif
