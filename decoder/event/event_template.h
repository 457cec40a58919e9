/* SPDX-License-Identifier: BSD-3-Clause */
/* What events are: templates, texts with holes where the numbers stand, each kept once and numbered. An event
 * is the number of its template and numbers.
 *
 *     0 send 1 tag5         template  "@ send @ tag#"    numbers 0 1 5
 *     0 send 1 tag6         the same template            numbers 0 1 6
 *
 * Here @ is the byte EVENT_RANK, the hole of a number that is a rank, and # EVENT_NUMBER, that of any other.
 */
#ifndef REFRAIN_EVENT_TEMPLATE_H
#define REFRAIN_EVENT_TEMPLATE_H

#include "decoder/util/text_table.h"
#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

enum { EVENT_NUMBER = 1, EVENT_RANK = 2 }; /* no text of an event has these bytes */

struct event_template {
    size_t at, n;     /* the text: n bytes of the texts' data */
    uint32_t numbers; /* holes */
};

struct event_templates {
    struct text_table texts;
    ARRAY(struct event_template) items;
};

void event_templates_free(struct event_templates *f);
/* The number of the template with this text, made if there is none yet. */
enum refrain_status event_templates_intern(struct event_templates *f, const char *text, size_t n,
                                           uint32_t *template);
/* … if there is one; otherwise MAP_NONE. */
uint32_t event_templates_find(const struct event_templates *f, const char *text, size_t n);

static inline const char *event_template_text(const struct event_templates *f,
                                              const struct event_template *template)
{
    return (const char *)f->texts.data.data + template->at;
}

/* An event being put together. */
struct event_draft {
    struct bytes text;
    ARRAY(int64_t) numbers;
    bool failed;
};

void event_draft_free(struct event_draft *d);
void event_draft_clear(struct event_draft *d);
void event_draft_number(struct event_draft *d, int64_t v);
void event_draft_rank(struct event_draft *d, int64_t v);

/* A few events, one after the other. */
struct event {
    uint32_t template;
    uint32_t n; /* numbers, from the first on */
    size_t first;
};

struct event_list {
    ARRAY(struct event) items;
    ARRAY(int64_t) numbers;
};

void event_list_free(struct event_list *l);
void event_list_clear(struct event_list *l);
bool event_list_equal(const struct event_list *a, const struct event_list *b);
/* The draft is the next event. */
enum refrain_status event_list_add(struct event_list *l, struct event_templates *f,
                                   const struct event_draft *d);

#endif
