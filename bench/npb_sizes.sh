#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How large are the traces of the NAS Parallel Benchmarks, compared with those of other tracers, and
# how do they grow with the ranks?
#
#   NPB=DIR [RANKS="4 16 64"] bench/npb_sizes.sh      in the build directory; prints tables for RESULTS.md
#
# `structure` is the whole file without the sections of times (TIME, RTIM). It may be as large as
# Pilgrim's trace without times ("agg"), or 3000 bytes if that is smaller, and not larger than
# ScalaTrace's if that is smaller than Pilgrim's. All files together may have a fifth of Pilgrim's
# bytes; a structure may grow by 25 % from 16 to 64 ranks. The exit status is 1 if one is larger.
# The peers' figures are in peers.tsv; programs that it lacks have none. BT, LU and SP of class S
# are too small for 64 ranks. NPB_PROGRAMS and NPB_CLASSES choose, see npb.sh; common.sh has the
# rest of the environment.
. "$(dirname "$0")/common.sh"
. "$srcdir/bench/npb.sh"

ranks_list=${RANKS:-4 16 64}
peers=$srcdir/bench/peers.tsv
small_enough=3000
too_small=" bt.S.64 lu.S.64 sp.S.64 "

[ -n "${NPB-}" ] || die "set NPB, see the head of bench/npb.sh"

# row FORMAT VALUE…: prints the row and keeps it
row() {
    printf "$@" | tee -a "$work/table"
}

# peer NAME COLUMN: prints a figure of peers.tsv; nothing if there is none
peer() {
    awk -F '\t' -v name="$1" -v column="$2" '$1 == name { print $column }' "$peers"
}

# measure PROGRAM CLASS RANKS: prints a table row and appends to $work/sizes: program.class ranks
# structure whole pilgrim
measure() {
    name=$1.$2.$3
    trace "$name" "$3" "bin/$1.$2.x"
    npb_check "$name"
    whole=$(info "$name" .bytes)
    times=$(info "$name" '[.sections[] | select(.section == "TIME" or .section == "RTIM") | .stored] | add // 0')
    structure=$((whole - times))
    pilgrim=$(peer "$name" 3) scalatrace=$(peer "$name" 6)
    if [ -z "$pilgrim" ]; then
        verdict=
    else
        bound=$((pilgrim > small_enough ? pilgrim : small_enough))
        verdict=good
        [ "$structure" -le "$bound" ] || verdict="LARGER than Pilgrim"
        [ "$scalatrace" -ge "$pilgrim" ] || [ "$structure" -lt "$scalatrace" ] || verdict="LARGER than ScalaTrace"
    fi
    row '| %s | %d | %d | %d | %s | %s | %s |\n' "$name" "$(info "$name" .calls)" "$structure" "$whole" "${pilgrim:-–}" \
        "${scalatrace:-–}" "$verdict"
    printf '%s %d %d %d %d\n' "$1.$2" "$3" "$structure" "$whole" "${pilgrim:-0}" >>"$work/sizes"
}

npb_prepare
: >"$work/sizes"
: >"$work/table"
echo "| program | calls | structure, bytes | whole file | Pilgrim agg | ScalaTrace 2 | |"
echo "|---|---:|---:|---:|---:|---:|---|"
for program in $npb_list; do
    npb_compilable "$program" || { row '| %s | | | | | | skipped: no %s |\n' "$program" "$mpifort"; continue; }
    for class in $npb_classes; do
        npb_build "$program" "$class"
        for n in $ranks_list; do
            case $too_small in
            *" $program.$class.$n "*) ;;
            *) measure "$program" "$class" "$n" ;;
            esac
        done
    done
done

awk '
    $5 > 0 { sum += $4; structures += $3; pilgrim += $5 }
    END { if (pilgrim) printf "| sum, where Pilgrim has a figure | | %d | %d | %d | | %s |\n", structures, sum, pilgrim,
              (sum * 5 <= pilgrim ? "good" : "LARGER than a fifth") sprintf(": %.1f %%", 100 * sum / pilgrim) }' "$work/sizes" |
    tee -a "$work/table"
echo
echo "| growth of the structure, 16 to 64 ranks | before | after | | |"
echo "|---|---:|---:|---:|---|"
awk '
    $2 == 16 { before[$1] = $3 }
    $2 == 64 && before[$1] { growth = $3 / before[$1] - 1
        printf "| %s | %d | %d | %+.1f %% | %s |\n", $1, before[$1], $3, 100 * growth,
            $1 ~ /^(is|ep)/ ? "" : growth <= 0.25 ? "good" : "LARGER" }' "$work/sizes" | tee -a "$work/table"
! grep -q LARGER "$work/table"
