/* SPDX-License-Identifier: BSD-3-Clause */
/* What is at a call site: function, file and line, from the debug information (DWARF) of the module's file,
 * by elfutils' libdw; the function alone where there is only a symbol table.
 *
 * A module's file is looked for in a directory of the user's choice, then where it was when the program ran.
 * It has to be the same build, which its build id tells. What cannot be found is left open without a word; of
 * a file of another build, and of a module that ranks had several builds of, there is one warning. */
#ifndef REFRAIN_SYMBOLS_H
#define REFRAIN_SYMBOLS_H

#include "src/core/base/map.h"
#include "site_callers.h"
#include "src/core/trace/trace.h"
#include "symbol_name.h"

/* A location in the source. Texts are libdw's or those of symbol_names; NULL and 0 where nothing is known. */
struct source_location {
    const char *function;
    const char *file; /* as the compiler was told, usually with directories */
    int line;
};

/* The locations of a frame: that of the call; if the compiler has inlined its function, also that of the
 * caller, and so on outwards. At least one. Inline functions of refrain.h are left out. */
struct source_locations {
    const struct source_location *items;
    size_t n;
};

struct symbols {
    const struct trace *trace;
    struct symbols_module *modules; /* in the order of the trace's modules */
    ARRAY(struct symbols_frame {
        struct frame frame;
        size_t first; /* its locations are locations[first … first + n - 1] */
        size_t n;
    })
    frames; /* all of the trace's sites, each once */
    ARRAY(struct symbols_object {
        uint32_t module;
        uint64_t offset;
        const char *name; /* NULL: not known */
        uint64_t inside;
    })
    objects; /* the objects that were looked up */
    struct map by_object;
    const char *directory;
    ARRAY(struct source_location) locations;
    struct symbol_names names;
    struct map by_frame;
    struct site_callers callers;
};

/* `directory` may be NULL. `directory` and the trace must stay valid. */
enum refrain_status symbols_open(struct symbols *s, const struct trace *trace, const char *directory);
/* Looks up every frame of every site, and finds which callers tell sites apart. */
enum refrain_status symbols_look_up_frames(struct symbols *s);
void symbols_close(struct symbols *s); /* also of a zeroed struct */

/* `s` may be NULL or zeroed: then nothing is known, as for frames that were not looked up. */
struct source_locations symbols_find(const struct symbols *s, const struct frame *frame);
/* The place in s->frames of a frame that was looked up. */
uint32_t symbols_frame_number(const struct symbols *s, const struct frame *frame);

/* Finds the variable or function that contains an offset in a module; *inside is the offset in it, in bytes.
 * *name is NULL if it is not known. The first call looks it up. `s` may be NULL. */
enum refrain_status symbols_find_object(struct symbols *s, uint32_t module, uint64_t offset,
                                        const char **name, uint64_t *inside);

#endif
