# SPDX-License-Identifier: BSD-3-Clause
# Identical; another value, another place, a longer, a shorter, a missing and an extra file.
"$REFRAIN" verify small.refrain small.raw
echo "exit $?"
cp -r small.raw changed
printf '\001\002' >>changed/rank.0.lane.0.raw
rm changed/rank.0.lane.1.raw
printf '\006' | dd of=changed/rank.1.lane.0.raw bs=1 seek=92 conv=notrunc status=none
printf '\007' | dd of=changed/rank.2.lane.0.raw bs=1 seek=88 conv=notrunc status=none
truncate -s -7 changed/rank.3.lane.0.raw
cp changed/rank.0.definitions.raw changed/rank.7.definitions.raw
"$REFRAIN" verify small.refrain changed
echo "exit $?"
# A file that contains no records.
mkdir foreign
echo RFRX >foreign/rank.0.lane.0.raw
"$REFRAIN" verify small.refrain foreign
echo "exit $?"
"$REFRAIN" verify long.refrain long.raw
echo "exit $?"
# Times that are cut off.
rm -r changed && cp -r small.raw changed
truncate -s -1 changed/rank.1.lane.0.raw
"$REFRAIN" verify small.refrain changed
echo "exit $?"
# Times of single calls, from a trace that has none.
"$REFRAIN" text --times small.refrain
echo "exit $?"
