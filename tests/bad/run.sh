#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# For files that are no valid trace, each command ends with status 2 and one line on stderr that
# names the file, prints nothing, and needs little memory and time.
#
#   tests/bad/run.sh [TRACE]     TRACE: a valid one, which is damaged; by default a small one from make_trace
srcdir=${srcdir:-.} top_builddir=${top_builddir:-.}
. "$srcdir/tests/tap.sh"
refrain=$(realpath "${REFRAIN:-$top_builddir/decoder/refrain}") || exit 1
make_trace=$(realpath "${MAKE_TRACE:-$top_builddir/tests/cli/make_trace}") || exit 1
good=${1:+$(realpath "$1")}
export LC_ALL=C

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
"$make_trace" made.refrain made.raw 3 5 || exit 1
good=${good:-$tmp/made.refrain}
size=$(wc -c <"$good")
# A sanitizer reserves a very large address space, so it limits the memory itself.
ulimit -t 20
# It also starts ten times as slowly, so only one byte in eight is damaged.
step=1
if nm "$refrain" | grep -q __asan_init; then
    step=8
else
    ulimit -v 400000
fi

# refused FILE COMMAND…: it is called thousands of times, so it starts no other processes.
refused() {
    local file=$1 status
    shift
    "$refrain" "$@" >out 2>err
    status=$?
    mapfile lines <err
    [ $status -eq 2 ] && [ ! -s out ] && [ ${#lines[@]} -eq 1 ] && [[ ${lines[0]} == *"refrain $1: $file: "*$'\n' ]] && return
    echo "refrain $*: status $status, stdout $(wc -c <out) bytes, stderr:"
    cat err
    return 1
}

# For a directory, the message is that it contains no parts.
merge_refuses() { [ -d "$1" ] || { refused "$1" merge -o merged.refrain "$1" && [ ! -e merged.refrain ]; }; }
every_command_refuses() {
    refused "$1" text "$1" && refused "$1" info "$1" && refused "$1" stat "$1" && refused "$1" verify "$1" "$tmp/made.raw" &&
        refused "$1" timeline --synthetic-time -o picture.svg "$1" && merge_refuses "$1"
}

# each FIRST STEP DAMAGE [COMMANDS]: damages the good file at byte FIRST, FIRST + STEP … and checks
# that it is refused. Each processor takes a share, in its own directory; the damaged file there is
# `bad`.
each() {
    local share shares status=0
    shares=$(nproc)
    for ((share = 0; share < shares; share++)); do
        (mkdir -p "share.$share" && cd "share.$share" && each_of $(($1 + share * $2)) $((shares * $2)) "${@:3}") &
    done
    for ((share = 0; share < shares; share++)); do
        wait -n || status=1
    done
    return $status
}
each_of() {
    local at
    for ((at = $1; at < size; at += $2)); do
        "$3" "$at"
        "${4:-every_command_refuses}" bad || { echo "byte $at of $size"; return 1; }
    done
}
text_refuses() { refused "$1" text "$1"; }
truncate_at() { head -c "$1" "$good" >bad; }
# Flips one bit, a different one for each byte. A byte is written as three octal digits.
bytes=($(od -An -v -tu1 "$good"))
flip_at() {
    local byte
    printf -v byte '\\%03o' $((bytes[$1] ^ 1 << $1 % 8))
    { head -c "$1" "$good" && printf "$byte" && tail -c +$(($1 + 2)) "$good"; } >bad
}
zero_from() {
    truncate_at "$1"
    truncate -s "$size" bad
    cmp -s bad "$good" && printf x >>bad # the file itself ends with zeros
    true
}

# A large file is not damaged at every byte.
step=$((step + size / 2000))
every_command_takes() {
    "$refrain" text "$1" >/dev/null && "$refrain" info "$1" >/dev/null && "$refrain" stat "$1" >/dev/null
}
check "the good trace is good" every_command_takes "$good"
check "truncated at every byte" each 0 $step truncate_at text_refuses
check "a bit flipped in every byte" each 0 $step flip_at text_refuses
check "truncated, all commands" each 0 $((size / 40 + 1)) truncate_at
check "a bit flipped, all commands" each 1 $((size / 40 + 1)) flip_at
check "zeros from some byte on" each 1 $((size / 40 + 1)) zero_from

append() { { cat "$good"; printf '%s' "$1"; } >bad; }
check "empty" every_command_refuses /dev/null
check "without an end" every_command_refuses /dev/zero
append x
check "a byte too many" every_command_refuses bad
append "$(cat "$make_trace" | tr -d '\0' | head -c 5000)"
check "much too much" every_command_refuses bad
cat "$good" "$good" >bad
check "twice" every_command_refuses bad
echo "0  0  MPI_Init() = MPI_SUCCESS" >bad
check "text" every_command_refuses bad
check "a program" every_command_refuses "$make_trace"
gzip -c "$good" >bad
check "compressed" every_command_refuses bad
head -c 100000 /dev/zero >bad
check "zeros" every_command_refuses bad
head -c 100000 /dev/urandom >bad
check "random bytes" every_command_refuses bad
check "a file of records" every_command_refuses made.raw/rank.0.lane.0.raw
check "a directory" every_command_refuses made.raw
check "missing" every_command_refuses missing
ln -s loop loop
check "a link to itself" every_command_refuses loop
check "a file that cannot be read" every_command_refuses /proc/self/mem
finish
