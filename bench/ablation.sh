#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What does each pass of the codec (src/core/passes) save? Prints the additional bytes of traces
# without it, by program: lu.S.4.refrain and lu.W.16.refrain are of one.
#
#   TRACES="A.refrain …" bench/ablation.sh     in the build directory; prints a table for RESULTS.md
#
# The time is the CPU time of the pass in one process, for all traces together. Lines are those of the pass and of its
# unit tests.
srcdir=${srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
[ -n "${TRACES-}" ] || { echo "ablation.sh: set TRACES to the names of traces" >&2; exit 2; }
make -s bench/ablation || exit 2
table=$(mktemp) || exit 2
trap 'rm -f "$table"' EXIT
# shellcheck disable=SC2086 # a list of names
bench/ablation $TRACES >"$table" || exit 2

# lines FILE…: counts the lines of the files that exist
lines() { cat "$@" 2>/dev/null | wc -l; }
core=$srcdir/src/core tests=$srcdir/tests/unit/core/passes
for pass in torus_permutation global_lists prefix_sums transposed_counts; do
    case $pass in
    torus_permutation)
        more="$core/passes/torus.? $core/passes/permuted_table.? $core/passes/codec_domains.? $core/codec/codec_permute.?"
        more_tests=$tests/test_permuted_lists.c
        ;;
    *) more= more_tests= ;;
    esac
    # shellcheck disable=SC2086 # patterns
    echo "$pass $(lines $core/passes/$pass.? $more) $(lines $tests/test_$pass.c $more_tests)"
done | awk -F '\t' '
    NR == FNR && FNR == 1 { for (i = 3; i <= NF; i += 2) pass[i] = $i; n = NF }
    NR == FNR && FNR > 1 {
        name = $1; sub(/.*\//, "", name); sub(/[.-].*/, "", name)
        if (!(name in bytes)) names[++programs] = name
        bytes[name] += $2; sum += $2
        for (i = 3; i <= n; i += 2) { more[i, name] += $i; all[i] += $i; ms[i] += $(i + 1) / 1e6 }
    }
    NR != FNR { split($0, field, " "); size[field[1]] = field[2] " | " field[3] }
    END {
        for (k = 1; k <= programs; k++) { head = head " " names[k] " |"; rule = rule "---:|"; row = row " " bytes[names[k]] " |" }
        print "| pass |" head " all | share | ms | lines | of tests |"
        print "|---|" rule "---:|---:|---:|---:|---:|"
        print "| (bytes) |" row " " sum " | | | | |"
        for (i = 3; i <= n; i += 2) {
            row = ""
            for (k = 1; k <= programs; k++) row = row " " more[i, names[k]] " |"
            printf "| %s |%s %d | %.2f %% | %.1f | %s |\n", pass[i], row, all[i], 100 * all[i] / sum, ms[i], size[pass[i]]
        }
    }' "$table" -
