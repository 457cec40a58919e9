#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs the fuzz targets on the files of tests/fuzz/corpus (former findings and other odd files) and
# on the initial inputs of fuzzing. corpus/reader/refused_… has a file for each reason for which the
# reader refuses one.
. "$srcdir/tests/tap.sh"
bin=$top_builddir/tests/fuzz
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# replay TARGET FOLDER: runs all inputs of the folder, each within limits of time and memory
replay() {
    set -- "$1" "$2"/*
    [ -f "$2" ] || { echo "no inputs"; return 1; }
    target=$1
    shift
    timeout 400 "$bin/$target" "$@" 2>"$dir/log" || { tail -20 "$dir/log"; return 1; }
}

# refused FILE…: checks that the command refuses each with one line that names the file
refused() {
    for file in "$@"; do
        timeout 60 "$top_builddir/decoder/refrain" info "$file" >"$dir/out" 2>"$dir/err"
        [ $? -eq 2 ] && [ ! -s "$dir/out" ] && [ "$(grep -c '' "$dir/err")" -eq 1 ] && grep -q "$file" "$dir/err" ||
            { echo "$file"; cat "$dir/err"; return 1; }
    done
}

# Checks that each sub-command that reads files is a target of fuzz.sh.
all_are_targets() {
    "$top_builddir/decoder/refrain" --help | sed -n 's/^  \([a-z0-9]*\) .*/\1/p' | grep -vx 'record\|config\|help' | sort >"$dir/commands"
    sed -n "s/^commands='\(.*\)'$/\1/p" "$srcdir/tests/fuzz/fuzz.sh" | tr ' ' '\n' | sort | diff "$dir/commands" - && [ -s "$dir/commands" ]
}

mkdir "$dir/reader" "$dir/merge"
check "all sub-commands are targets" all_are_targets
check "inputs to begin with" "$bin/seeds" "$dir/reader" "$dir/merge"
for target in reader merge; do
    check "$target: inputs to begin with" replay $target "$dir/$target"
    check "$target: the corpus" replay $target "$srcdir/tests/fuzz/corpus/$target"
done
check "reader: the corpus of the commands" replay reader "$srcdir/tests/fuzz/corpus/commands"
check "commands: inputs to begin with" replay commands "$dir/reader"
check "commands: the corpus of the reader" replay commands "$srcdir/tests/fuzz/corpus/reader"
check "commands: the corpus" replay commands "$srcdir/tests/fuzz/corpus/commands"
check "each way to be refused" refused "$srcdir"/tests/fuzz/corpus/reader/refused_*
finish
