/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of a command line: the shell reads each back as it was. */
#include <criterion/criterion.h>

#include "decoder/util/text.h"

#include <stdio.h>
#include <string.h>

static void expect_same(const char *word)
{
    struct bytes command = {0};
    char heard[100];
    text_put(&command, "printf %s ");
    text_put_shell_word(&command, word);
    text_putc(&command, '\0');
    cr_assert_not(command.failed);
    FILE *shell = popen((const char *)command.data, "r");
    cr_assert(shell);
    heard[fread(heard, 1, sizeof heard - 1, shell)] = '\0';
    cr_assert_eq(pclose(shell), 0);
    cr_expect_str_eq(heard, word);
    bytes_free(&command);
}

Test(shell_word, is_what_it_was)
{
    static const char *const words[] = {"app.refrain", "a b", "x;echo pwned", "$(date)", "`date`",
                                        "it's",        "'",   "\\",           "\"",      "*",
                                        "a\nb",        "~",   "!x",           "#",       ""};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        expect_same(words[i]);
}

Test(shell_word, is_bare_if_it_may_be)
{
    struct bytes text = {0};
    text_put_shell_word(&text, "runs/app.2.refrain");
    text_putc(&text, ' ');
    text_put_shell_word(&text, "-o");
    text_putc(&text, '\0');
    cr_expect_str_eq((const char *)text.data, "runs/app.2.refrain ./-o");
    bytes_free(&text);
}
