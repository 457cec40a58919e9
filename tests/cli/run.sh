#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The command, with traces from make_trace: each script in cases/ must print its .stdout.exact.
#
#   tests/cli/run.sh --accept    rewrites the .stdout.exact files, for review with git diff
srcdir=${srcdir:-.} top_builddir=${top_builddir:-.}
. "$srcdir/tests/tap.sh"
here=$(cd "$srcdir/tests/cli" && pwd)
REFRAIN=$(realpath "${REFRAIN:-$top_builddir/decoder/refrain}") || exit 1
make_trace=$(realpath "${MAKE_TRACE:-$top_builddir/tests/cli/make_trace}") || exit 1
LANE_EVENTS=$(realpath "${LANE_EVENTS:-$top_builddir/tests/cli/lane_events}") || exit 1
# `record` must find some tracer; the cases here do not use it
library=${REFRAIN_LIBRARY:-$make_trace}
export REFRAIN LANE_EVENTS MAKE_TRACE=$make_trace REFRAIN_LIBRARY=$library LC_ALL=C

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
"$make_trace" small.refrain small.raw 4 3 && "$make_trace" hundred.refrain hundred.raw 4 100 &&
    "$make_trace" long.refrain long.raw 5 10000 || exit 1

same() { diff "$1" "$2"; }

for case in "$here"/cases/*.sh; do
    name=$(basename "$case" .sh)
    bash "$case" >"$name.out" 2>&1
    [ "$1" = --accept ] && cp "$name.out" "$here/cases/$name.stdout.exact"
    check "refrain: $name" same "$here/cases/$name.stdout.exact" "$name.out"
done
finish
