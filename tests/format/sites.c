/* SPDX-License-Identifier: BSD-3-Clause */
/* Section 5: modules and call sites. */
#include "steps.h"

#include <string.h>

static bool same_site(const struct site *a, const struct site *b)
{
    if (a->function != b->function || a->n_frames != b->n_frames)
        return false;
    for (size_t k = 0; k < a->n_frames; k++)
        if (a->frames[k].module != b->frames[k].module || a->frames[k].offset != b->frames[k].offset)
            return false;
    return true;
}

void read_sites(struct trace *t)
{
    struct input *in = section(t, SITE);
    if (!in)
        return;
    size_t n_modules = get_count(in, 1);
    const char **modules = zeroed(n_modules, sizeof(*modules));
    for (size_t i = 0; i < n_modules; i++) {
        modules[i] = get_string(in);
        for (size_t k = 0; k < i; k++)
            refuse_if(in, strcmp(modules[k], modules[i]) == 0, "a module is there twice");
    }
    t->sites = zeroed(t->n_sites = get_count(in, 2), sizeof *t->sites);
    uint64_t offset = 0;
    for (size_t i = 0; i < t->n_sites; i++) {
        struct site *s = &t->sites[i];
        s->function = &t->functions[get_below(in, t->n_functions)];
        uint64_t v = get_uint(in), common = v & 1 ? get_uint(in) : 0;
        refuse_if(in, v & 1 && (i == 0 || common == 0 || common > s[-1].n_frames),
                  "a site shares frames that are not there");
        size_t own = check_count(in, v >> 1, 2);
        s->n_frames = own + (size_t)common;
        s->frames = zeroed(s->n_frames, sizeof *s->frames);
        for (size_t k = 0; k < own; k++) {
            s->frames[k].module = modules[get_below(in, n_modules)];
            offset += (uint64_t)get_int(in);
            s->frames[k].offset = (int64_t)offset;
        }
        if (common)
            memcpy(s->frames + own, s[-1].frames + s[-1].n_frames - common, common * sizeof *s->frames);
        for (const struct site *before = t->sites; before < s; before++)
            refuse_if(in, same_site(before, s), "a site is there twice");
    }
    section_end(in);
}
