#!/bin/sh
# clang-format leaves every C file as it is.
. "$srcdir/tests/tap.sh"

command -v clang-format >/dev/null || { echo "clang-format is missing (Debian: apt-get install clang-format)"; exit 1; }

formatted() { clang-format --dry-run -Werror --style=file "$1"; }

for file in $(cd "$srcdir" && find src gen decoder tests examples bench -name '*.[ch]' | sort); do
    check "format of $file" formatted "$srcdir/$file"
done
finish
