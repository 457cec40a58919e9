# SPDX-License-Identifier: BSD-3-Clause
# The pattern that the ranks form: of traces, of constructs, of other matrices; and refused options.
"$REFRAIN" topology small.refrain
"$REFRAIN" topology --explain --messages hundred.refrain
"$REFRAIN" topology --json small.refrain
# Traffic by direction and call site.
"$REFRAIN" topology --sizes small.refrain
"$REFRAIN" topology --sites --sizes --times small.refrain | tail -3
"$REFRAIN" topology --sites --times --json small.refrain | jq -c '.directions'
"$REFRAIN" topology --sites --at 2.5 small.refrain || echo "ends $?"
"$REFRAIN" topology --at 2.5 --threshold 0 small.refrain
"$REFRAIN" topology --rma small.refrain
# A torus of 5 x 4 with shuffled ranks.
awk 'BEGIN { for (x = 0; x < 5; x++) for (y = 0; y < 4; y++) { n = p(x, y); print n, p((x + 1) % 5, y); print n, p(x, (y + 1) % 4) } }
     function p(x, y) { return (7 * (x + 5 * y) + 3) % 20 }' >torus.txt
"$REFRAIN" topology --explain --matrix torus.txt
"$REFRAIN" topology --json --explain --matrix torus.txt
# A ring with one edge missing and one more; components; no known pattern.
awk 'BEGIN { for (i = 0; i < 24; i++) if (i != 5) print i, (i + 1) % 24; print 3, 17 }' >almost.txt
"$REFRAIN" topology --matrix almost.txt
"$REFRAIN" topology --json --matrix almost.txt | jq -c '.name, .exact, .missing, .extra'
awk 'BEGIN { for (i = 0; i < 32; i++) print i, i - i % 8 + (i + 1) % 8; print 40, 41 }' >rows.txt
"$REFRAIN" topology --matrix rows.txt
"$REFRAIN" topology --json --matrix rows.txt | jq -c '.components[].name, .coordinates[9]'
printf '%s\n' '0 1' '1 2' '2 3' '3 0' '0 2' '3 4' '4 5' | "$REFRAIN" topology --matrix /dev/stdin
# Empty messages do not count, unless each pair counts.
printf '%s\n' '0,1,5,100' '1,2,5,100' '2,3,5,100' '3,0,5,0' '0,2,0,0' >empty.csv
"$REFRAIN" topology --matrix empty.csv
"$REFRAIN" topology --threshold 0 --matrix empty.csv
"$REFRAIN" topology --threshold 0 --svg --matrix empty.csv | grep -c '<line'
# Pictures: ranks at their places, edges, missing and extra edges, and colours.
"$REFRAIN" topology --svg --matrix torus.txt | grep -cE '<circle|<line'
"$REFRAIN" topology --svg --matrix torus.txt | grep -E 'title|rank 7' | head -4
"$REFRAIN" topology --svg --matrix almost.txt | grep -E 'class="(missing|extra)"'
"$REFRAIN" topology --svg --matrix rows.txt | grep -c 'ring: rank'
printf 'rank,wait\n0,1.5\n1 2\n\n3,0.25\n' >values.csv
"$REFRAIN" topology --svg --color values.csv small.refrain | grep -E '<circle|values.csv'
"$REFRAIN" topology --svg --color messages --view 2,40 small.refrain | grep -c '<circle'
# One communicator; each communicator separately.
"$REFRAIN" topology --comm MPI_COMM_WORLD small.refrain
"$REFRAIN" topology --comm comm0 --json small.refrain
# Coordinates that the user gives.
"$REFRAIN" topology --topology 5x4p --matrix torus.txt
"$REFRAIN" topology --topology 4x5p --matrix torus.txt | head -2
awk 'BEGIN { for (x = 0; x < 5; x++) for (y = 0; y < 4; y++) print (7 * (x + 5 * y) + 3) % 20, y, x }' >coords.txt
"$REFRAIN" topology --coords coords.txt --matrix torus.txt | head -3
"$REFRAIN" topology --json --topology 4px5 --coords coords.txt --matrix torus.txt | jq -c '.name, .dims, .exact, .missing[:3], .coordinates[3]'
"$REFRAIN" topology --explain --topology 4px5 --coords coords.txt --matrix torus.txt | grep -v '^places\|^  '
# They do not fit: another number of places, periods that no messages have, other coordinates than those declared.
printf '%s\n' '0 1' '1 2' '3 4' '4 5' '0 3' '1 4' '2 5' >grid.txt
"$REFRAIN" topology --topology 2x3p --matrix grid.txt
"$REFRAIN" topology --topology 2x3 --matrix grid.txt
"$REFRAIN" topology --topology 16x8p small.refrain || echo "ends $?"
# Almost a torus, shuffled; and with holes.
sed 3d torus.txt | "$REFRAIN" topology --matrix /dev/stdin | grep -v '^places\|^  '
grep -vwE '7|16' torus.txt >holes.txt
"$REFRAIN" topology --matrix holes.txt | grep -v '^places\|^  '
"$REFRAIN" topology --json --matrix holes.txt | jq -c '.name, .holes, .exact, .coordinates[7]'
# Patterns that the user defines.
awk 'BEGIN { for (i = 0; i < 20; i++) { print i, (i + 1) % 20; print i, (i + 7) % 20 } }' >chords.txt
echo 'chords: torus lattice (1) (7)' >patterns.txt
"$REFRAIN" topology --matrix chords.txt | head -2
"$REFRAIN" topology --patterns patterns.txt --matrix chords.txt | head -2
echo 'chords: torus lattice 1 7' >patterns.txt
printf '0,1\n9,2\n' >many.csv
printf '0\n' >few.csv
for options in "--svg --color many.csv small.refrain" "--svg --color few.csv small.refrain" "--svg --color nowhere small.refrain" \
    "--color bytes small.refrain" "--svg --json small.refrain" "--svg --view x small.refrain" "--svg --view 2,91 small.refrain" \
    "--patterns patterns.txt --matrix chords.txt" "--matrix small.refrain" "--matrix torus.txt small.refrain" "" \
    "--comm comm9 small.refrain" "--comm comm0 --matrix torus.txt" "--comm comm0 --rma small.refrain" "--topology 4x small.refrain" \
    "--topology 3 small.refrain" "--coords values.csv small.refrain" "--topology 2x1 --coords coords.txt --matrix torus.txt" \
    "--threshold 101 small.refrain" "--threshold x small.refrain" "--at 99 small.refrain" "--window 4 small.refrain" "--svg --color time --matrix torus.txt" "--svg --color time small.refrain"; do
    "$REFRAIN" topology $options 2>&1
    echo "exit $?"
done
