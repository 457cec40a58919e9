# SPDX-License-Identifier: BSD-3-Clause
# Complete events with ranks, threads and times; names; arguments on demand; the order of a thread's
# calls.
"$REFRAIN" chrome --synthetic-time small.refrain | jq -c '.otherData, (.traceEvents | length)'
"$REFRAIN" chrome --synthetic-time --rank 0,2 small.refrain | jq -c '.traceEvents[] | select(.ph == "M") | [.pid, .tid, .name, .args]'
"$REFRAIN" chrome --synthetic-time --rank 0 small.refrain | jq -c '.traceEvents[] | select(.ph == "X") | [.pid, .tid, .name, .args]'
"$REFRAIN" chrome --synthetic-time hundred.refrain |
    jq -c '[.traceEvents[] | select(.ph == "X")] | group_by([.pid, .tid])[] | [length, ([.[].ts] | . == sort)]'
"$REFRAIN" chrome --synthetic-time --args --rank 1 small.refrain |
    jq -c '.traceEvents[] | select(.name == "MPI_Send") | .args | [.call, .parameters.dest, .parameters.tag, .result]'
