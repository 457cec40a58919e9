# SPDX-License-Identifier: BSD-3-Clause
# The critical path: traces without times of single calls are refused; wrong options. With times:
# tests/waits.
"$REFRAIN" critical small.refrain 2>&1
echo "exit $?"
for options in "" "--top few small.refrain" "--clock sun small.refrain" "--by time small.refrain" "--by phase small.refrain" "nothing.refrain"; do
    "$REFRAIN" critical $options 2>&1
    echo "exit $?"
done
