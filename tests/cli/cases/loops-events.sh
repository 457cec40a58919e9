# SPDX-License-Identifier: BSD-3-Clause
# Models of events in a text file.
triangle() {
    for i in $(seq 0 9); do
        for j in $(seq 1 $i); do echo "0 send $j tag$i"; done
        echo "0 sync barrier all"
    done
}
triangle | "$REFRAIN" loops --events -
echo "-- processes mixed, numbers in words, blanks, remarks"
{
    echo "# a ring"
    for i in $(seq 5); do
        for p in 2 0 3 1; do
            printf '%d  send\t%d tag%d\r\n\n' $p $(((p + 1) % 4)) $i
            echo " $p recv $(((p + 3) % 4)) tag$i "
            echo "$p local compute x-$i y=$((-i)) 007 12345678901234567890 -$i"
        done
    done
    printf '3 sync end1a 0-3'
} >mixed
"$REFRAIN" loops -e mixed
"$REFRAIN" loops -e mixed --json | jq -c '.models[] | [.ranks, .events]'
"$REFRAIN" loops -e mixed --expand >once
tr -s ' \t\r' ' ' <mixed | sed 's/^ //; s/ $//; /^#/d; /^$/d' | sort -s -n -k 1,1 | cmp - once && echo "the events, by process"
"$REFRAIN" loops -e once --expand | cmp - once && echo "and once more"
echo "-- a communicator"
for i in 1 2 3; do echo "0 send 1 tag5 comm$i"; done | "$REFRAIN" loops -e -
echo "-- the window"
for w in 2 3; do
    for i in 1 2 3 4; do echo "0 local a"; echo "0 local b"; echo "0 local c"; done | "$REFRAIN" loops -e - --window $w
done
echo "-- long lines"
long=$(printf 'x%.0s' $(seq 3000000))
for i in 1 2 3; do echo "0 local $long$i"; done | "$REFRAIN" loops -e - | tr -s x
echo "-- nothing"
"$REFRAIN" loops -e /dev/null
"$REFRAIN" loops -e /dev/null --json
echo "-- what is wrong"
wrong() { printf '%b' "$1" | "$REFRAIN" loops -e - 2>&1; echo "exit $?"; }
wrong 'x send 1 tag1\n'
wrong '0\n'
wrong '-1 send 1 tag1\n'
wrong '4294967296 send 1 tag1\n'
wrong '00 send 1 tag1\n'
wrong '0 sends 1 tag1\n'
wrong '0 send 1 tag1\n0 send 1\n'
wrong '0 recv 1 tag1 comm1 more\n'
wrong '0 sync barrier\n'
wrong '0 local\n'
wrong '0 local \0001\n'
