/* SPDX-License-Identifier: BSD-3-Clause */
/* A text file, line by line; and arrays, for what is found in it. Programs of tests that cannot go on exit. */
#ifndef TESTS_CLI_TEXT_FILE_H
#define TESTS_CLI_TEXT_FILE_H

#include <stddef.h>

struct text_file {
    const char *path;
    char *text; /* all of it: lines stay until it is closed */
    char *next;
};

/* Exits if the file cannot be read. */
void text_file_open(struct text_file *f, const char *path);
/* The next line, without its end; NULL behind the last one. */
const char *text_file_line(struct text_file *f);
void text_file_close(struct text_file *f);

/* An array of `n` items with room for one more, which only this function may have made longer; exits if there is none. */
void *grown(void *items, size_t n, size_t size);

#endif
