#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs the unit tests and prints their result in the form of the other tests. What failed is said
# again at the end, because refused files fill the log.
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
"$top_builddir/tests/unit/unit" 2>&1 | tee "$out"
grep -aE '^\[(----|FAIL|CRSH|ERR )\]|Sanitizer|runtime error:' "$out"
awk '/Synthesis:/ { gsub(/[|:]/, " "); for (i = 1; i < NF; i++) { if ($i == "Passing") p = $(i + 1)
        if ($i == "Failing" || $i == "Crashing") f += $(i + 1) } seen = 1 }
     END { if (!seen || p == 0) f++; print p + 0 " passed, " f + 0 " failed"; exit f > 0 }' "$out"
