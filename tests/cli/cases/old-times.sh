# SPDX-License-Identifier: BSD-3-Clause
# Times of an older kind cannot be read; everything else can, as if there were no times, with one
# warning.
"${MAKE_TRACE:?}" old.refrain - 4 3 "./app a" old-times
"$REFRAIN" info old.refrain 2>&1 | sed -n '/cannot be read/p; /^times/p; /^calls/p'
"$REFRAIN" messages small.refrain >small.messages
"$REFRAIN" messages old.refrain >old.messages
cmp small.messages old.messages
"$REFRAIN" text small.refrain >small.text
"$REFRAIN" text old.refrain | cmp small.text -
"$REFRAIN" chrome --synthetic-time old.refrain 2>&1 >old.json | sed 's/^refrain: //'
"$REFRAIN" text --times old.refrain
echo "exit $?"
