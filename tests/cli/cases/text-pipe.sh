# SPDX-License-Identifier: BSD-3-Clause
# A closed pipe is no error; a full device is one.
{
    "$REFRAIN" text long.refrain
    echo "exit $?" >status
} | head -n 2
cat status
"$REFRAIN" text long.refrain 2>&1 >/dev/full
echo "exit $?"
