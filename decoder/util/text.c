/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_put(struct bytes *out, const char *s)
{
    bytes_put(out, s, strlen(s));
}

void text_putc(struct bytes *out, char c)
{
    bytes_put(out, &c, 1);
}

void text_printf(struct bytes *out, const char *format, ...)
{
    char room[256], *text = room;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(room, sizeof room, format, args);
    if (n >= (int)sizeof room) {
        text = malloc((size_t)n + 1);
        if (text)
            vsnprintf(text, (size_t)n + 1, format, again);
    }
    va_end(again);
    va_end(args);

    if (n < 0 || !text)
        out->failed = true;
    else
        bytes_put(out, text, (size_t)n);
    if (text != room)
        free(text);
}

void text_uint(struct bytes *out, uint64_t v)
{
    static const char pairs[] = "00010203040506070809"
                                "10111213141516171819"
                                "20212223242526272829"
                                "30313233343536373839"
                                "40414243444546474849"
                                "50515253545556575859"
                                "60616263646566676869"
                                "70717273747576777879"
                                "80818283848586878889"
                                "90919293949596979899";
    char digits[20]; /* of 2^64 - 1 */
    size_t at = sizeof digits;
    for (; v >= 100; v /= 100)
        memcpy(digits + (at -= 2), pairs + v % 100 * 2, 2);
    if (v >= 10)
        memcpy(digits + (at -= 2), pairs + v * 2, 2);
    else
        digits[--at] = (char)('0' + v);
    bytes_put(out, digits + at, sizeof digits - at);
}

void text_int(struct bytes *out, int64_t v)
{
    if (v < 0)
        text_putc(out, '-');
    text_uint(out, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

void text_seconds(struct bytes *out, uint64_t ns)
{
    const uint64_t billion = 1000000000;
    text_uint(out, ns / billion);
    text_putc(out, '.');
    text_uint(out, billion + ns % billion);
    if (out->failed)
        return;
    /* The 1 before the nine digits only produced leading zeros. */
    uint8_t *digits = out->data + out->n - 10;
    memmove(digits, digits + 1, 9);
    out->n--;
}

void text_time(struct bytes *out, double ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    unsigned unit = 0;
    for (; unit < 3 && ns >= 1000; unit++)
        ns /= 1000;
    text_printf(out, "%.3g %s", ns, units[unit]);
}

void text_size(struct bytes *out, uint64_t bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1000 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        value /= 1000;
    text_printf(out, unit == 0 || value >= 100 ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

void text_real(struct bytes *out, double v)
{
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, v);
        if (strtod(digits, NULL) == v)
            break;
    }
    text_put(out, digits);
}

/* Returns the length of the UTF-8 sequence at s; 0 if there is none. Overlong sequences,
 * surrogates and code points above U+10FFFF are not accepted. */
static size_t utf8_length(const unsigned char *s, size_t n)
{
    static const struct {
        unsigned char lead, lead_end, second, second_end, length;
    } sequences[] = {
        {0x00, 0x7F, 0x00, 0xFF, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };
    for (size_t f = 0; f < sizeof sequences / sizeof sequences[0]; f++) {
        if (s[0] < sequences[f].lead || s[0] > sequences[f].lead_end || n < sequences[f].length)
            continue;
        if (sequences[f].length > 1 && (s[1] < sequences[f].second || s[1] > sequences[f].second_end))
            continue;
        for (size_t i = 2; i < sequences[f].length; i++) {
            if ((s[i] & 0xC0) != 0x80)
                return 0;
        }
        return sequences[f].length;
    }
    return 0;
}

/* Is it a character that never needs an escape or quote, in C, JSON and XML? */
static bool is_plain(char c)
{
    switch (c) {
    case '"':
    case '\\':
    case '&':
    case '<':
    case '>':
    case '\'':
        return false;
    default:
        return c >= ' ' && c <= '~';
    }
}

/* Writes the leading plain characters and returns their number. */
static size_t put_plain(struct bytes *out, const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && is_plain(s[i]))
        i++;
    if (i > 0)
        bytes_put(out, s, i);
    return i;
}

/* `plain` lists the characters with an escape of one letter, `letters` these letters. `other`
 * prints any other byte that needs an escape. */
static void escape_all(struct bytes *out, const char *s, size_t n, const char *plain, const char *letters,
                       const char *other)
{
    for (size_t i = put_plain(out, s, n); i < n; i += put_plain(out, s + i, n - i)) {
        const unsigned char c = (unsigned char)s[i];
        const char *escape = c ? strchr(plain, c) : NULL;
        size_t length = utf8_length((const unsigned char *)s + i, n - i);
        if (escape) {
            text_putc(out, '\\');
            text_putc(out, letters[escape - plain]);
        } else if (length == 0 || c < 0x20 || c == 0x7F) {
            text_printf(out, other, c);
            length = 1;
        } else {
            bytes_put(out, s + i, length);
        }
        i += length;
    }
}

static void quote(struct bytes *out, const char *s, size_t n, const char *plain, const char *letters,
                  const char *other)
{
    text_putc(out, '"');
    escape_all(out, s, n, plain, letters, other);
    text_putc(out, '"');
}

void text_put_name(struct bytes *out, const char *s)
{
    escape_all(out, s, strlen(s), "\n\t\r\a\b\f\v", "ntrabfv", "\\%03o");
}

void text_quote_c(struct bytes *out, const char *s, size_t n)
{
    quote(out, s, n, "\"\\\n\t\r\a\b\f\v", "\"\\ntrabfv", "\\%03o");
}

void text_put_word(struct bytes *out, const char *s, size_t n)
{
    const size_t at = out->n;
    text_quote_c(out, s, n);
    if (n == 0 || out->failed || out->n - at != n + 2)
        return;
    out->n = at;
    bytes_put(out, s, n);
}

void text_put_shell_word(struct bytes *out, const char *s)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+-,";
    const bool bare = *s && s[strspn(s, plain)] == '\0';
    if (*s == '-')
        text_put(out, "./");
    if (bare) {
        text_put(out, s);
        return;
    }
    text_putc(out, '\'');
    for (; *s; s++) {
        if (*s == '\'')
            text_put(out, "'\\''");
        else
            text_putc(out, *s);
    }
    text_putc(out, '\'');
}

void text_quote_json(struct bytes *out, const char *s, size_t n)
{
    quote(out, s, n, "\"\\\n\t\r\b\f", "\"\\ntrbf", "\\u%04x");
}

void text_of_slots(const int64_t *slots, char *to, size_t size)
{
    const size_t n = slots[0] > 0 ? (size_t)slots[0] : 0;
    size_t i = 0;
    for (; i < n && i + 1 < size; i++)
        to[i] = (char)((uint64_t)slots[1 + i / 8] >> 8 * (i % 8));
    to[i] = '\0';
}

void text_put_markup(struct bytes *out, const char *s, size_t n)
{
    static const char plain[] = "&<>\"'\t\n\r";
    static const char *const escapes[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "\t", "\n", "&#13;"};
    for (size_t i = put_plain(out, s, n); i < n; i += put_plain(out, s + i, n - i)) {
        const unsigned char c = (unsigned char)s[i];
        const char *escape = c ? strchr(plain, c) : NULL;
        size_t length = utf8_length((const unsigned char *)s + i, n - i);
        const bool not_a_character = length == 3 && c == 0xEF && memcmp(s + i + 1, "\xBF\xBE", 2) >= 0;
        if (escape) {
            text_put(out, escapes[escape - plain]);
        } else if (length == 0 || c < 0x20 || c == 0x7F || not_a_character) {
            text_put(out, "\xEF\xBF\xBD");
            length += length == 0;
        } else {
            bytes_put(out, s + i, length);
        }
        i += length;
    }
}
