/* SPDX-License-Identifier: BSD-3-Clause */
#include "c_parse.h"

#include <ctype.h>
#include <string.h>

#include "refuse.h"
#include "text_arena.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Note the brackets at `text` and return the position after them. */
static const char *take_brackets(const char *text, struct c_declaration *d)
{
    size_t n = strcspn(++text, "]");

    if (d->brackets == 1)
        d->row = text_arena_copy(text, n);
    d->brackets++;
    d->depth++;
    return text + n + (text[n] == ']');
}

/* Parse one declaration. Parentheses only add to the depth of pointers: "char *((*argv)[])" is
 * "char ***argv". */
static int parse_one(struct source_position place, const char *text, struct c_declaration *out)
{
    struct c_declaration d = {.type = "", .name = "", .row = ""};

    if (strcmp(text, "...") == 0) {
        *out = (struct c_declaration){.type = "...", .name = "varargs", .row = ""};
        return 0;
    }
    for (const char *at = text; *at;) {
        if (is_word(*at)) {
            size_t n = 0;

            while (is_word(at[n]))
                n++;
            if (n == 5 && memcmp(at, "const", 5) == 0) {
                d.constant = true;
            } else { /* the last word is the name, the words before it are the type */
                if (*d.name)
                    d.type = *d.type ? text_arena_format("%s %s", d.type, d.name) : d.name;
                d.name = text_arena_copy(at, n);
            }
            at += n;
        } else if (*at == '[') {
            at = take_brackets(at, &d);
        } else if (strchr("* \t\n()", *at)) {
            d.depth += *at++ == '*';
        } else {
            return refuse(place, "'%c' in the C declaration '%s': remove it", *at, text);
        }
    }
    if (!*d.type) { /* a type without a name */
        d.type = d.name;
        d.name = "";
    }
    if (!*d.type)
        return refuse(place, "empty C declaration: write one");
    if (strchr(text, '('))
        d.brackets = 0;
    *out = d;
    return 0;
}

int c_parse_list(struct source_position place, const char *text, struct c_declaration **out, size_t *n)
{
    size_t length = strlen(text);
    struct c_declaration *list = NULL;
    size_t count = 0;
    int depth = 0;
    const char *from;

    if (length < 2 || *text != '(' || text[length - 1] != ')')
        return refuse(place, "expected a C parameter list '(…)', not '%s'", text);
    text = text_arena_copy(text + 1, length - 2);
    text += strspn(text, " \t\n");
    if (*text && strcmp(text, "void") != 0)
        for (from = text;; text++) {
            const char *one;

            depth += (*text == '(') - (*text == ')');
            if (*text && (*text != ',' || depth))
                continue;
            from += strspn(from, " \t\n");
            one = text_arena_copy(from, (size_t)(text - from) - (text > from && text[-1] == ' '));
            list = text_arena_more(list, count, sizeof *list);
            if (parse_one(place, one, &list[count++]))
                return -1;
            if (!*text)
                break;
            from = text + 1;
        }
    *out = list;
    *n = count;
    return 0;
}
