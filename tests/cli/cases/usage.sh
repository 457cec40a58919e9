# SPDX-License-Identifier: BSD-3-Clause
# All wrong uses: one line on stderr and exit status 2.
wrong() {
    echo "refrain $*"
    "$REFRAIN" "$@" 2>&1
    echo "exit $?"
}
wrong
wrong nothing
wrong reprot
wrong help critcal
wrong text
wrong text a b
wrong text --unknown small.refrain
wrong text -x small.refrain
wrong text --json=1 small.refrain
wrong text small.refrain --rank
wrong text --rank 4 small.refrain
wrong text --ranks 4 small.refrain
wrong text --rank 1- small.refrain
wrong text --rank 3-1 small.refrain
wrong text --rank '' small.refrain
wrong text --call x small.refrain
wrong text --call .. small.refrain
wrong text --call 5..4 small.refrain
wrong text --call 99999999999999999999 small.refrain
wrong text --call 1000000 small.refrain
wrong text --thread 7 small.refrain
wrong text --thread 0,2-7 small.refrain
wrong text --thread 1 --rank 2 small.refrain
wrong text --function MPI_Send --function mpi_nothing small.refrain
wrong text --clock linear small.refrain
wrong text --times --clock linear small.refrain
wrong stat --by nothing small.refrain
wrong stat --rank 9 small.refrain
wrong chrome -o '' small.refrain
wrong chrome -o small.refrain small.refrain
wrong chrome --to 0 small.refrain
wrong timeline -o small.refrain small.refrain
wrong info --causality small.refrain
wrong messages
wrong messages --rank 4 small.refrain
wrong messages absent.refrain
wrong loops
wrong loops small.refrain --events small.raw
wrong loops --rank 9 small.refrain
wrong loops --thread 7 small.refrain
wrong loops --thread 1 --rank 2 small.refrain
wrong loops --rank 0 --events absent
wrong loops --calls --events absent
wrong loops --window 0 small.refrain
wrong loops --window 5x small.refrain
wrong loops --events absent
wrong loops --events .
wrong loops absent.refrain
wrong info absent.refrain
wrong info .
wrong verify small.refrain
wrong verify small.refrain absent
wrong verify small.refrain /
wrong model
wrong model --events absent.events
wrong model --events small.refrain
wrong model --events /dev/null small.refrain
wrong model --expand 4 small.refrain
wrong model --expand x small.refrain
wrong model --window 0 small.refrain
wrong matrix
wrong matrix absent.refrain
wrong matrix --csv --svg small.refrain
wrong matrix --messages small.refrain
wrong matrix --window 5 small.refrain
wrong matrix --window 0 --at 1 small.refrain
wrong matrix --at '' small.refrain
wrong matrix --at x small.refrain
wrong matrix --at 0 small.refrain
wrong matrix --at 99 small.refrain
wrong matrix --at 2.99 small.refrain
wrong matrix --at 1.1 small.refrain
wrong matrix --at 2.3-1 small.refrain
wrong matrix --at 2.9-11 small.refrain
wrong matrix --at 1-2.1 small.refrain
wrong matrix --rma --at 1 small.refrain
wrong matrix --output absent/matrix.csv small.refrain
wrong merge absent.parts
wrong record
wrong record --timing sometimes true
