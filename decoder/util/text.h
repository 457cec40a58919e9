/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds text in a byte string, without NUL at the end. A failed allocation sets bytes.failed, so a series of
 * puts needs only one check at the end. */
#ifndef REFRAIN_TEXT_H
#define REFRAIN_TEXT_H

#include "src/core/base/bytes.h"

void text_put(struct bytes *out, const char *s);
void text_putc(struct bytes *out, char c);
void text_printf(struct bytes *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_int(struct bytes *out, int64_t v);
void text_uint(struct bytes *out, uint64_t v);

/* Of nothing, 0. */
static inline double text_percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

/* Nanoseconds as seconds, with nine decimals. */
void text_seconds(struct bytes *out, uint64_t ns);
/* Three digits with a unit: "1.23 us". */
void text_time(struct bytes *out, double ns);
/* Bytes with a unit: "3.1 MB". */
void text_size(struct bytes *out, uint64_t bytes);
/* The shortest of 15, 16 and 17 significant digits that reads back as the same double. */
void text_real(struct bytes *out, double v);

/* In double quotes: with the escapes of C (bytes that are not UTF-8 or not printable in octal), or of JSON
 * (where a byte that is not UTF-8 becomes the code point of the same number). */
void text_quote_c(struct bytes *out, const char *s, size_t n);
void text_quote_json(struct bytes *out, const char *s, size_t n);

/* As it is, if it would be the same between the quotes of C and is not empty; otherwise with these. */
void text_put_word(struct bytes *out, const char *s, size_t n);
/* One word of a shell's command line, for whatever is in it; never an option. */
void text_put_shell_word(struct bytes *out, const char *s);
/* A name as it is, on one line: with the escapes of C for control characters and bytes that are not UTF-8. */
void text_put_name(struct bytes *out, const char *s);

/* The characters of a STRING value (functable.h), as many as fit; "" for a code. */
void text_of_slots(const int64_t *slots, char *to, size_t size);
/* As text or the value of an attribute in XML or HTML. Bytes that are not UTF-8, and what XML has no way to
 * write (control characters), become U+FFFD. */
void text_put_markup(struct bytes *out, const char *s, size_t n);

#endif
