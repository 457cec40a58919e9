/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes files to a fuzz target, one after another, and prints their number: the corpus as a test,
 * for any compiler. Does not enter directories. */
#include "src/core/base/bytes.h"
#include "target.h"

#include <errno.h>
#include <string.h>

static int read_file(const char *path, struct bytes *to)
{
    char chunk[1 << 12];
    size_t n;
    FILE *file = fopen(path, "rb");
    if (!file)
        return -1;
    while ((n = fread(chunk, 1, sizeof chunk, file)) > 0)
        bytes_put(to, chunk, n);
    const int failed = ferror(file) || to->failed;
    fclose(file);
    return failed ? -1 : 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct bytes input = {0};
        if (read_file(argv[i], &input) != 0) {
            fprintf(stderr, "%s: %s\n", argv[i], strerror(errno));
            return 2;
        }
        fprintf(stderr, "%s\n", argv[i]); /* so that a crash shows the file */
        LLVMFuzzerTestOneInput(input.data, input.n);
        bytes_free(&input);
    }
    printf("%d files\n", argc - 1);
    return 0;
}
