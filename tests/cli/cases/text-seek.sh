# SPDX-License-Identifier: BSD-3-Clause
# Any call of a long lane is printed equally with and without the calls before it.
"$REFRAIN" text --rank 2 long.refrain >all
for call in 0 1 1999 2000 2001 39999 40003 40004; do
    "$REFRAIN" text --rank 2 --call $call long.refrain >one
    awk -v call=$call '$2 == call' all | cmp - one && echo "call $call: $(wc -l <one)"
done
