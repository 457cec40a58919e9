#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clang-format leaves every C file unchanged, and each source file names its licence.
. "$srcdir/tests/tap.sh"
cd "$srcdir" || exit 1

command -v clang-format >/dev/null || { echo "clang-format is missing (Debian: apt-get install clang-format)"; exit 1; }

sources() { find src gen decoder tests examples bench -name '*.[ch]' | sort; }

licensed() { ! grep -L 'SPDX-License-Identifier: BSD-3-Clause' $(sources) | grep .; }

# One process for all files, because it takes longer to start than most files take. It names each
# file that it would change.
said=$(clang-format --dry-run -Werror --style=file $(sources) 2>&1)
status=$?
formatted() {
    case $said in "$1:"* | *"
$1:"*) printf '%s\n' "$said" | grep "^$1:"; return 1 ;; esac
}
all_said() { [ $status -eq 0 ] || printf '%s\n' "$said" | grep '^[a-z].*\.[ch]:[0-9]'; }

check "each file says its licence" licensed
check "clang-format ends well, or names a file" all_said
for file in $(sources); do
    check "format of $file" formatted "$file"
done
finish
