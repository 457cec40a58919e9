#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Identified topologies: of the rules of the NAS Parallel Benchmarks (who exchanges with whom),
# compared with the results of a paper; and the time of the whole command for patterns in order,
# completely shuffled, and shuffled with three edges missing, and for traces of many ranks.
#
#   bench/topologies.sh [SIZES [RANKS]]     SIZES: numbers of nodes (default: 529 4096 16384)
#                                           RANKS: of traces (default: 65536 1048576; takes minutes); none: ""
#
# From the environment: REFRAIN, MODEL_SCALE (default: the build tree's). Prints Markdown.
refrain=$(realpath "${REFRAIN:-decoder/refrain}") || exit 1
model_scale=$(realpath "${MODEL_SCALE:-bench/model_scale}") || exit 1
export LC_ALL=C

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

# pairs RULE N: lines "from to bytes"
#
#   bt    the six neighbours of a square, whose diagonals are one way (multi-partitioning); sp is the same
#   lu    a grid of 2^k processes, as square as can be
#   cg    rows of processes that sum up, and the transposed place
#   mg    a torus of three dimensions; on coarser levels twice the distance, and a few bytes
#   grid, torus, six, six-open, eight: of a square; torus3, stencil26: of three dimensions; cube; binomial
pairs() {
    awk -v rule="$1" -v n="$2" '
        function say(a, b, bytes) { if (a != b) print a, b, bytes }
        function lattice(nx, ny, nz, ring, offsets,    list, m, i, o, d, x, y, z) {
            m = split(offsets, list, " ")
            for (i = 0; i < n; i++)
                for (o = 1; o <= m; o++) {
                    split(list[o], d, ",")
                    x = i % nx + d[1]; y = int(i / nx) % ny + d[2]; z = int(i / nx / ny) + d[3]
                    if (!ring && (x < 0 || x >= nx || y < 0 || y >= ny || z < 0 || z >= nz)) continue
                    say(i, (x + nx) % nx + nx * ((y + ny) % ny + ny * ((z + nz) % nz)), 1000)
                }
        }
        function power(exponent) { return int(2 ^ exponent + 0.5) }
        function log2(value) { return int(log(value) / log(2) + 0.0001) }
        function exchange_xor(a, bit) { return int(a / bit) % 2 ? a - bit : a + bit }
        BEGIN {
            side = int(sqrt(n) + 0.5); k = log2(n)
            if (rule == "bt" || rule == "six") lattice(side, side, 1, 1, "1,0,0 0,1,0 1,-1,0")
            else if (rule == "six-open") lattice(side, side, 1, 0, "1,0,0 0,1,0 1,-1,0")
            else if (rule == "eight") lattice(side, side, 1, 1, "1,0,0 0,1,0 1,-1,0 1,1,0")
            else if (rule == "grid") lattice(side, side, 1, 0, "1,0,0 0,1,0")
            else if (rule == "torus") lattice(side, side, 1, 1, "1,0,0 0,1,0")
            else if (rule == "lu") lattice(power(int((k + 1) / 2)), power(int(k / 2)), 1, 0, "1,0,0 0,1,0")
            else if (rule == "torus3") lattice(power(int(k / 3)), power(int((k + 1) / 3)), power(int((k + 2) / 3)), 1, "1,0,0 0,1,0 0,0,1")
            else if (rule == "stencil26")
                lattice(power(int(k / 3)), power(int((k + 1) / 3)), power(int((k + 2) / 3)), 1,
                    "1,0,0 0,1,0 0,0,1 1,1,0 1,-1,0 1,0,1 1,0,-1 0,1,1 0,1,-1 1,1,1 1,1,-1 1,-1,1 1,-1,-1")
            else if (rule == "cube") { for (i = 0; i < n; i++) for (b = 1; b < n; b *= 2) say(i, exchange_xor(i, b), 1000) }
            else if (rule == "binomial") { for (i = 1; i < n; i++) { for (b = 1; int(i / b) % 2 == 0;) b *= 2; say(i, i - b, 1000) } }
            else if (rule == "cg") {
                rows = power(int(k / 2)); columns = n / rows; wide = columns / rows
                for (i = 0; i < n; i++) {
                    j = int(i / wide); say(i, wide * (j % rows * rows + int(j / rows)) + i % wide, 1000)
                    for (b = 1; b < columns; b *= 2) say(i, exchange_xor(i, b), 1000)
                }
            } else if (rule == "mg") {
                size[1] = power(int(k / 3)); size[2] = power(int((k - int(k / 3)) / 2)); size[3] = n / size[1] / size[2]
                for (i = 0; i < n; i++) {
                    at[1] = i % size[1]; at[2] = int(i / size[1]) % size[2]; at[3] = int(i / size[1] / size[2])
                    for (d = 1; d <= 3; d++)
                        for (step = 1; step < size[d]; step *= 2) {
                            if (at[d] % step) continue
                            kept = at[d]; at[d] = (at[d] + step) % size[d]
                            say(i, at[1] + size[1] * (at[2] + size[2] * at[3]), int(100000 / step ^ 8)); at[d] = kept
                        }
                }
            }
        }'
}
# shuffled SEED N: renumbers the nodes and reorders the lines
shuffled() {
    awk -v seed="$1" -v n="$2" '
        function below(m) { seed = (seed * 16807) % 2147483647; return int(seed / 2147483647 * m) }
        BEGIN { for (i = 0; i < n; i++) p[i] = i; for (i = n - 1; i > 0; i--) { j = below(i + 1); t = p[i]; p[i] = p[j]; p[j] = t } }
        { print p[$1], p[$2], $3 }' | sort -k2,2n -k1,1
}
field() { sed -n "s/^$1 *//p" said | head -1; }
left() { sed -n "s/^$1 *\([0-9]*\).*/\1/p" said; }

echo '| rule | processes | the paper | found | also | numbering | left by edges, degrees, neighbourhoods, distances, isomorphism |'
echo '|---|---:|---|---|---|---|---|'
while read -r rule n paper; do
    pairs "$rule" "$n" >pairs && "$refrain" topology --explain --matrix pairs >said || exit 1
    echo "| $rule | $n | $paper | $(field topology) | $(awk '/^[a-z]/ { on = $1 == "also"; sub(/^also */, "") } on { sub(/^ */, ""); printf "%s%s", sep, $0; sep = "; " }' said) | $(field numbering) | $(for test in edges degrees neighbourhoods distances isomorphism; do left $test; done | xargs) |"
done <<'END'
bt 9 3x3 6-point
bt 16 4x4 6-point
bt 36 6x6 6-point
bt 64 8x8 6-point
bt 121 11x11 6-point
lu 8 4x2 grid = CG stencil
lu 16 4x4 grid
lu 32 8x4 grid
lu 64 8x8 grid
lu 128 16x8 grid
cg 8 4x2 grid = CG stencil
cg 16 CG stencil
cg 32 CG stencil
cg 64 CG stencil
cg 128 CG stencil
mg 8 hypercube
mg 16 hypercube
mg 32 hypercube
mg 64 hypercube
mg 128 8x4x4 torus
END

echo
echo '| pattern | nodes | in order, seconds | shuffled, seconds | three edges less, seconds | found | with three edges less |'
echo '|---|---:|---:|---:|---:|---|---|'
for n in ${1:-529 4096 16384}; do
    for rule in grid torus six six-open eight torus3 stencil26 cube binomial; do
        nodes=$n
        case $rule in torus3 | stencil26 | cube) [ $((n & (n - 1))) -eq 0 ] || for ((nodes = 1; 2 * nodes <= n;)); do nodes=$((2 * nodes)); done ;; esac
        pairs $rule "$nodes" >pairs
        shuffled 7 "$nodes" <pairs >other
        # The edges are removed in both directions.
        awk 'NR == FNR { if (FNR == 5 || FNR == 50 || FNR == 500) gone[$1, $2] = gone[$2, $1] = 1; next }
             !(($1, $2) in gone)' other other >less
        for file in pairs other less; do
            { TIMEFORMAT=%U; time "$refrain" topology --matrix $file >$file.said; } 2>$file.time || exit 1
            mv $file.said said
            sed -n 's/^topolog[a-z]*  *//p' said | sed 's|: ranks.*||' | head -1 >$file.found
        done
        echo "| $rule | $nodes | $(cat pairs.time) | $(cat other.time) | $(cat less.time) | $(cat other.found) | $(cat less.found) |"
    done
done

echo
echo '| trace | ranks | seconds of CPU | MB | found | numbering |'
echo '|---|---:|---:|---:|---|---|'
for n in ${2-65536 1048576}; do
    for program in stencil torus; do
        "$model_scale" $program "$n" 10 trace.refrain || exit 1
        /usr/bin/time -f '%U %M' -o used "$refrain" topology trace.refrain >said || exit 1
        echo "| $program | $n | $(cut -d' ' -f1 used) | $(($(cut -d' ' -f2 used) / 1024)) | $(field topology) | $(field numbering) |"
    done
done
