/* SPDX-License-Identifier: BSD-3-Clause */
#include "refuse.h"

#include <stdarg.h>
#include <stdio.h>

int refuse(struct source_position at, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "%s:%d: ", at.file, at.line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return -1;
}
