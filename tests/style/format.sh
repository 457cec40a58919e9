#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clang-format leaves every C file as it is, and each source file says its licence.
. "$srcdir/tests/tap.sh"

command -v clang-format >/dev/null || { echo "clang-format is missing (Debian: apt-get install clang-format)"; exit 1; }

sources() { cd "$srcdir" && find src gen decoder tests examples bench -name '*.[ch]' | sort; }

licensed() { ! (cd "$srcdir" && grep -L 'SPDX-License-Identifier: BSD-3-Clause' $(sources)) | grep .; }

formatted() { clang-format --dry-run -Werror --style=file "$1"; }

check "each file says its licence" licensed
for file in $(sources); do
    check "format of $file" formatted "$srcdir/$file"
done
finish
