# SPDX-License-Identifier: BSD-3-Clause
# Exports of a trace without times are refused with one line; so are meaningless options.
for command in otf2 chrome; do
    "$REFRAIN" $command -o out small.refrain 2>&1
    echo "exit $?"
    "$REFRAIN" $command --synthetic-time --from 2 --to 1 -o out small.refrain 2>&1
    echo "exit $?"
    "$REFRAIN" $command --synthetic-time --from soon -o out small.refrain 2>&1
    echo "exit $?"
    "$REFRAIN" $command --synthetic-time --from 1000 -o out small.refrain 2>&1
    echo "exit $?"
    "$REFRAIN" $command --synthetic-time --rank 9 -o out small.refrain 2>&1
    echo "exit $?"
done
"$REFRAIN" otf2 --synthetic-time small.refrain 2>&1
echo "exit $?"
"$REFRAIN" otf2 --synthetic-time --otf2-compat=1 -o out small.refrain 2>&1
echo "exit $?"
"$REFRAIN" chrome --synthetic-time -o /dev/full small.refrain 2>&1
echo "exit $?"
"$REFRAIN" chrome --synthetic-time -o absent/out small.refrain 2>&1
echo "exit $?"
ls out 2>&1
