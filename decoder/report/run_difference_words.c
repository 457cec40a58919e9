/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the differences in sentences: the last group of runs compared with the first. */
#include "run_difference.h"

#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "report_words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A smaller change, as a share of the longer run, is not worth a sentence. */
#define SMALL 0.01

void run_difference_put_label(size_t group, struct bytes *out)
{
    if (group < 26)
        text_putc(out, (char)('A' + group));
    else
        text_printf(out, "A%zu", group + 1);
}

static void put_seconds(double value, struct bytes *out)
{
    time_put(out, (uint64_t)llround(fabs(value) * 1e9));
}

void run_difference_put_value(double value, enum run_unit unit, bool is_change, struct bytes *out)
{
    if (unit == UNIT_SHARE) {
        text_printf(out, is_change ? "%+.1f points" : "%.1f %%", 100 * value);
        return;
    }
    if (is_change)
        text_putc(out, value < 0 ? '-' : '+');
    if (unit == UNIT_SECONDS)
        put_seconds(value, out);
    else if (unit == UNIT_BYTES)
        text_size(out, (uint64_t)llround(fabs(value)));
    else
        text_printf(out, floor(value) < value ? "%.1f" : "%.0f", fabs(value));
}

void run_difference_put_name(const struct run_difference *d, enum run_places kind,
                             const struct run_difference_row *row, struct bytes *out)
{
    const struct run_place *moved;
    text_put_name(out, run_difference_name(d, kind, row, &moved));
    if (moved)
        text_printf(out, ", was line %" PRIu64, moved->line);
    const size_t n = run_difference_runs(d, kind, row);
    if (d->n_groups == 1 && n < d->n_runs)
        text_printf(out, ", in %zu of %zu runs", n, d->n_runs);
}

/* ---- the runs -------------------------------------------------------------------------------- */

/* "1.4 s less than A (-53.8 %)" */
static void put_change(const struct run_change *c, struct bytes *out)
{
    const double change = c->to - c->from;
    put_seconds(change, out);
    text_put(out, change < 0 ? " less than A" : " more than A");
    if (c->from > 0)
        text_printf(out, " (%+.1f %%)", 100 * change / c->from);
}

static void put_noise(const struct run_change *c, struct bytes *out)
{
    if (!c->has_noise)
        return;
    const bool within = fabs(c->to - c->from) <= c->noise;
    text_put(out, within ? ", which is within the noise of " : ", which is more than the noise of ");
    put_seconds(c->noise, out);
}

static void put_time(const struct run_difference *d, struct bytes *out)
{
    const struct run_change run = run_difference_fact_change(d, FACT_RUN);
    const struct run_change waiting = run_difference_fact_change(d, FACT_WAITING);
    if (!run.known)
        return;
    run_difference_put_label(d->n_groups - 1, out);
    text_put(out, " takes ");
    put_seconds(run.to, out);
    text_put(out, ", ");
    put_change(&run, out);
    put_noise(&run, out);
    if (waiting.known) {
        text_put(out, "; ");
        put_seconds(waiting.to, out);
        text_put(out, " of it is waiting, ");
        put_change(&waiting, out);
    }
    text_put(out, ".\n");
}

static void put_mean(const struct run_difference *d, struct bytes *out)
{
    struct run_spread s;
    if (!run_difference_fact(d, FACT_RUN, 0, &s))
        return;
    text_put(out, s.n > 1 ? "Runs take " : "The run takes ");
    put_seconds(s.mean, out);
    if (s.n > 1) {
        text_put(out, " on average, with a standard deviation of ");
        put_seconds(s.deviation, out);
        text_printf(out, " (%.1f %%)", s.mean > 0 ? 100 * s.deviation / s.mean : 0);
    }
    text_put(out, ".\n");
}

/* Writes "Strong scaling from 4 to 8 threads: all together compute 8.1 s, then 8.4 s. Speed-up 1.73 of
 * 2.00, efficiency 86.6 %." */
static void put_scaling(const struct run_difference *d, struct bytes *out)
{
    static const char *const kinds[] = {[SCALING_STRONG] = "Strong scaling",
                                        [SCALING_WEAK] = "Weak scaling",
                                        [SCALING_NEITHER] = "Neither strong nor weak scaling"};
    const struct run_profile *first = &d->runs[0], *last = &d->runs[d->groups[d->n_groups - 1]];
    const struct run_change computation = run_difference_fact_change(d, FACT_COMPUTATION),
                            run = run_difference_fact_change(d, FACT_RUN);
    const bool weak = d->scaling == SCALING_WEAK;
    if (d->scaling == SCALING_NONE || !run.known || run.to <= 0)
        return;
    text_printf(out, "%s from %" PRIu32 " to %" PRIu32 " %s: ", kinds[d->scaling], first->threads,
                last->threads,
                first->threads == first->ranks && last->threads == last->ranks ? "ranks" : "threads");
    text_put(out, weak ? "each computes " : "all together compute ");
    put_seconds(computation.from * (weak ? 1 : first->threads), out);
    text_put(out, ", then ");
    put_seconds(computation.to * (weak ? 1 : last->threads), out);
    if (weak) {
        text_printf(out, ". Efficiency %.1f %%.\n", 100 * run.from / run.to);
        return;
    }
    text_printf(out, "%s. Speed-up %.2f of %.2f, efficiency %.1f %%.\n",
                d->scaling == SCALING_NEITHER ? ", and losses are those of strong scaling" : "",
                run.from / run.to, run_difference_threads(d),
                100 * run.from / run.to / run_difference_threads(d));
}

void run_difference_put_same_files(const struct run_difference *d, struct bytes *out)
{
    for (size_t i = 1; i < d->n_runs; i++) {
        const struct run_profile *p = &d->runs[i];
        size_t k = 0;
        while (k < i && (p->inode == 0 || p->inode != d->runs[k].inode || p->device != d->runs[k].device))
            k++;
        if (k == i)
            continue;
        text_put_name(out, p->file);
        text_put(out, " is given twice: a file is compared with itself.\n");
        return;
    }
}

/* Writes what this comparison cannot show. */
static void put_caveats(const struct run_difference *d, struct bytes *out)
{
    const struct run_profile *first = &d->runs[0], *last = &d->runs[d->groups[d->n_groups - 1]];
    if (first->program && last->program && strcmp(first->program, last->program) != 0) {
        text_put(out, "These are different programs: A is ");
        text_put_name(out, first->program);
        text_put(out, ", ");
        run_difference_put_label(d->n_groups - 1, out);
        text_put(out, " is ");
        text_put_name(out, last->program);
        text_put(out, ".\n");
    }
    bool any_exact = false;
    for (size_t i = 0; i < d->n_runs; i++)
        any_exact = any_exact || (d->runs[i].knows[FACT_RUN] && !d->runs[i].has_means);
    for (size_t group = 0; group < d->n_groups; group++) {
        bool cut_off = false, timed = true, means = false;
        for (size_t i = d->groups[group]; i < d->groups[group + 1]; i++) {
            cut_off = cut_off || d->runs[i].cut_off;
            timed = timed && d->runs[i].knows[FACT_RUN];
            means = means || d->runs[i].has_means;
        }
        const char *const words[] = {cut_off ? " was cut off: it is compared as far as it goes.\n" : NULL,
                                     !timed ? " has no times.\n"
                                     : means && any_exact
                                         ? " has only mean times: its run is that of an average rank.\n"
                                         : NULL};
        for (int i = 0; i < 2; i++) {
            if (!words[i])
                continue;
            run_difference_put_label(group, out);
            text_put(out, words[i]);
        }
    }
}

/* ---- places ---------------------------------------------------------------------------------- */

static bool is_worth_it(const struct run_difference *d, const struct run_change *time, double change)
{
    const struct run_change run = run_difference_fact_change(d, FACT_RUN);
    return time->known && fabs(change) > SMALL * fmax(run.from, run.to) &&
           !(time->has_noise && fabs(change) <= time->noise);
}

/* "1.555 s less in MPI_Recv exchange (halo.c:31), 1.2 s less of that waiting." */
static bool put_place(const struct run_difference *d, const struct run_difference_row *row, struct bytes *out)
{
    const struct run_change time = run_difference_change(d, PLACES_SITES, row, PLACE_TIME),
                            waiting = run_difference_change(d, PLACES_SITES, row, PLACE_WAITING);
    const bool scaled = d->scaling != SCALING_NONE;
    const double change = time.to - (scaled ? run_difference_ideal(d, time.from) : time.from),
                 wait = waiting.to - waiting.from;
    if (!is_worth_it(d, &time, change) || (scaled && change < 0))
        return false;
    put_seconds(change, out);
    text_put(out, scaled ? " lost in " : change < 0 ? " less in " : " more in ");
    run_difference_put_name(d, PLACES_SITES, row, out);
    if (!scaled && waiting.known && wait * change > 0 && fabs(wait) > fabs(change) / 10) {
        text_put(out, "; waiting there is ");
        put_seconds(wait, out);
        text_put(out, wait < 0 ? " less" : " more");
    }
    text_put(out, ".\n");
    return true;
}

/* "New: 2 call sites, MPI_Wait exchange (halo.c:40), …" */
static void put_others(const struct run_difference *d, const char *what, size_t n,
                       const struct run_difference_row *example, struct bytes *out)
{
    if (n == 0)
        return;
    text_printf(out, "%s: %zu call site%s, ", what, n, n == 1 ? "" : "s");
    run_difference_put_name(d, PLACES_SITES, example, out);
    text_put(out, n > 1 ? ", …\n" : ".\n");
}

static void put_new_and_gone(const struct run_difference *d, struct bytes *out)
{
    enum { NEW, GONE, MOVED, SORTS };
    static const char *const words[SORTS] = {"New", "Gone", "Moved to other lines"};
    const struct run_difference_row *example[SORTS] = {0};
    size_t n[SORTS] = {0};
    for (size_t i = 0; i < d->lists[PLACES_SITES].rows.n; i++) {
        const struct run_difference_row *row = &d->lists[PLACES_SITES].rows.items[i];
        const struct run_place *moved;
        const bool before = run_difference_place(d, PLACES_SITES, row, 0),
                   after = run_difference_place(d, PLACES_SITES, row, d->n_groups - 1);
        run_difference_name(d, PLACES_SITES, row, &moved);
        const int sort = after && !before ? NEW : before && !after ? GONE : moved ? MOVED : SORTS;
        if (sort == SORTS)
            continue;
        example[sort] = n[sort]++ > 0 ? example[sort] : row;
    }
    for (int sort = 0; sort < SORTS; sort++)
        put_others(d, words[sort], n[sort], example[sort], out);
}

static void put_models(const struct run_difference *d, struct bytes *out)
{
    if (!d->has_models)
        return;
    if (d->model.too_many)
        text_put(out, "The models differ in many lines.\n");
    else if (d->model.differing > 0)
        text_printf(out, "The models differ in %zu of %zu lines.\n", d->model.differing, d->model.items.n);
    else
        text_put(out, "The models are the same.\n");
}

void run_difference_put_words(const struct run_difference *d, size_t places, struct bytes *out)
{
    run_difference_put_same_files(d, out);
    if (d->n_groups == 1) {
        put_mean(d, out);
        return;
    }
    put_caveats(d, out);
    put_time(d, out);
    put_scaling(d, out);
    for (size_t i = 0, n = 0; i < d->lists[PLACES_SITES].rows.n && n < places; i++)
        n += put_place(d, &d->lists[PLACES_SITES].rows.items[i], out);
    put_new_and_gone(d, out);
    put_models(d, out);
    if (d->n_runs == d->n_groups)
        text_put(out, "Each was run once: how much runs differ by chance is not known.\n");
}
