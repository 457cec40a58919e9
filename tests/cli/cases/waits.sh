# SPDX-License-Identifier: BSD-3-Clause
# Waiting: traces without times of single calls are refused; meanings of metrics; wrong options.
# With times: tests/waits.
"$REFRAIN" waits small.refrain 2>&1
echo "exit $?"
"$REFRAIN" waits --explain all
"$REFRAIN" waits --explain mpi_latesender
"$REFRAIN" waits --explain visits
for options in "" "--explain nothing" "--metric nothing small.refrain" "--by time small.refrain" "--top few small.refrain" \
    "--csv --json small.refrain" "--csv --by rank small.refrain" "--from 2 --to 1 small.refrain" "-o out.xml small.refrain"; do
    "$REFRAIN" waits $options 2>&1
    echo "exit $?"
done
for options in "--by direction small.refrain" "--topology 2x1 small.refrain" "--topology 8 --coords none.csv small.refrain" "--svg --json small.refrain" \
    "--metric late_sender small.refrain" "--metric imbalance_above --instances 2 small.refrain" "--rank 0-9 small.refrain"; do
    "$REFRAIN" waits $options 2>&1
    echo "exit $?"
done
"$REFRAIN" waits --explain mpi_refill
