#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# docs/TUTORIAL.md: runs each command in it, in order, and compares the output with the text below
# it. There, a line … is any number of lines, and … in a line any text.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
launcher=$mpirun compiler=$mpicc
EXAMPLES=$srcdir/examples

# The PATH of a user.
mpirun() {
    if [ "$3" = refrain ]; then # -n RANKS refrain …
        set -- "$1" "$2" "$refrain" "${@:4}"
    fi
    timeout "$limit" "$launcher" $flags "$@" </dev/null
}
mpicc() { $compiler "$@"; }
refrain() { "$refrain" "$@"; }

# Blocks are indented by four blanks. A command goes to NUMBER.command, the text below it to
# NUMBER.output.
awk '
    /^    \$ / { n++; blank = 0; file = sprintf("%02d.output", n); print substr($0, 7) >sprintf("%02d.command", n); printf "" >file; next }
    /^    / && n { for (; blank; blank--) print "" >file; print substr($0, 5) >file; next }
    /^$/ && n { blank++; next }
    { blank = 0 }' "$srcdir/docs/TUTORIAL.md"

# Uses the text as a pattern for the whole output; … matches any difference.
prints() { # NUMBER
    # shellcheck disable=SC1090
    . "./$1.command" >"$1.printed" || return 1
    wanted=$(sed 's/[][\\*?]/\\&/g' "$1.output")
    wanted=${wanted//…/*}
    case $(cat "$1.printed") in $wanted) return 0 ;; esac
    diff "$1.printed" "$1.output" | head -40
    return 1
}
for command in *.command; do
    check "$(cat "$command")" prints "${command%.command}"
done
check "the picture in docs" cmp sweep.svg "$srcdir/docs/sweep.svg"
check "there are commands" [ -f 10.command ]
finish
