# SPDX-License-Identifier: BSD-3-Clause
# Messages and collective operations: as lines, for some ranks, as JSON, as a summary; faults give
# exit status 1.
"$REFRAIN" messages small.refrain
echo "exit $?"
"$REFRAIN" messages --rank 3 small.refrain
"$REFRAIN" messages --json small.refrain | jq -c 'select(.kind == "message") | [.comm, .tag, .bytes, .send.rank, .receive.rank]' | head -n 4
"$REFRAIN" messages --json small.refrain | jq -c '.kind' | sort | uniq -c
"$REFRAIN" messages --summary small.refrain
"$REFRAIN" messages -s --json small.refrain | head -n 1 | jq -c .
"$REFRAIN" messages long.refrain | head -n 1
