/* SPDX-License-Identifier: BSD-3-Clause */
/* recode_times FROM TO MODE: writes a trace with lossless times again, with the times as a run with
 * `--timing MODE` would have kept them: the same calls at the same times, with less precision. */
#include "decoder/times/lane_times.h"
#include "src/core/codec/codec.h"
#include "src/core/time/time_log.h"

#include <stdio.h>
#include <stdlib.h>

static struct time_mode mode;

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "recode_times: %s\n", what);
    exit(1);
}

/* Appends the lane to `pieces`. */
static void recode_lane(const struct reader *r, const struct lane_ref *lane, struct bytes *pieces)
{
    struct lane_times times;
    struct timestamp timestamps;
    enum refrain_status status;
    bool there;
    struct time_log *log = time_log_create(&mode, NULL);
    must(log, "no memory");
    must(lane_times_start(&times, r, lane, &there) == REFRAIN_OK && there, "a lane has no times");
    while (lane_times_next(&times, &timestamps, &status)) {
        const uint32_t grid = time_mode_grid(&mode, reader_function(r, times.site));
        if (time_log_note(time_log_stage(log), times.site, grid, timestamps))
            must(time_log_take(log) == REFRAIN_OK, "no memory");
    }
    must(status == REFRAIN_OK, "times cannot be read");
    must(time_log_take(log) == REFRAIN_OK && time_log_store(log, true, NULL, pieces) == REFRAIN_OK,
         "no memory");
    lane_times_stop(&times);
    time_log_free(log);
}

static void recode_piece(const struct reader *r, const struct annex_piece *p, struct annex *annex,
                         struct bytes *pieces)
{
    const size_t begin = pieces->n;
    struct lane_ref lane;
    if (p->kind == ANNEX_TIMES) {
        for (size_t at = 0; reader_next_lane(r, p->rank, LANE_THREAD, &at, &lane);) {
            if (lane.shape->number == p->lane)
                recode_lane(r, &lane, pieces);
        }
    } else {
        bytes_put(pieces, r->annex + p->at, p->length);
    }
    must(!pieces->failed && annex_add(annex, p->rank, (enum annex_kind)p->kind, p->lane, pieces->data + begin,
                                      pieces->n - begin) == REFRAIN_OK,
         "no memory");
}

int main(int argc, char **argv)
{
    struct reader r = {0};
    struct annex annex = {0};
    struct bytes pieces = {0}, image = {0};
    must(argc == 4, "usage: recode_times FROM TO MODE");
    must(time_mode_is_sound(argv[3]) && time_mode_parse(argv[3], NULL, &mode) == REFRAIN_OK,
         "an unknown mode");
    must(reader_open(&r, argv[1]) == REFRAIN_OK && r.annex, "no trace with times");
    for (size_t i = 0; i < r.trace.annex.pieces.n; i++)
        recode_piece(&r, &r.trace.annex.pieces.items[i], &annex, &pieces);
    annex_free(&r.trace.annex);
    r.trace.annex = annex;
    must(codec_encode(&r.trace, CODEC_STORED, &image) == REFRAIN_OK, "no memory");
    bytes_put(&image, pieces.data, pieces.n);
    FILE *out = fopen(argv[2], "wb");
    must(out && !image.failed && fwrite(image.data, 1, image.n, out) == image.n && fclose(out) == 0,
         "the file cannot be written");
    bytes_free(&image);
    bytes_free(&pieces);
    reader_close(&r);
    time_mode_free(&mode);
    return 0;
}
