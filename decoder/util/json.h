/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes JSON. This module handles commas and nesting; the caller only gives the next item. In an object each
 * value is preceded by its key; in an array the key is NULL.
 *
 *     json_object(&j, NULL); json_int(&j, "rank", 3); json_array(&j, "a"); json_int(&j, NULL, 1);
 *     json_end(&j); json_end(&j);                                        {"rank":3,"a":[1]} */
#ifndef REFRAIN_JSON_H
#define REFRAIN_JSON_H

#include "src/core/base/bytes.h"

#define JSON_DEPTH_MAX 64

struct json {
    struct bytes *out;
    unsigned depth;
    bool array[JSON_DEPTH_MAX]; /* is the open thing at each depth an array? */
    bool comma;                 /* a value came before at this depth */
};

struct json json_of(struct bytes *out);
/* Continues an object that is open and not empty. */
struct json json_inside(struct bytes *out);
void json_object(struct json *j, const char *key);
void json_array(struct json *j, const char *key);
void json_end(struct json *j); /* of the innermost object or array */
void json_int(struct json *j, const char *key, int64_t v);
void json_uint(struct json *j, const char *key, uint64_t v);
void json_real(struct json *j, const char *key, double v); /* null when not finite: JSON has no name for it */
void json_bool(struct json *j, const char *key, bool v);
void json_null(struct json *j, const char *key);
void json_string(struct json *j, const char *key, const char *s);
void json_string_n(struct json *j, const char *key, const char *s, size_t n);

#endif
