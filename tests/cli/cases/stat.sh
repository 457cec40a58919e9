# SPDX-License-Identifier: BSD-3-Clause
# Sums over all ranks, over some, by rank and by call site.
# A hundred iterations lie in columns: their sums agree with the text's.
"$REFRAIN" stat small.refrain
"$REFRAIN" stat --by rank small.refrain
"$REFRAIN" stat --by site small.refrain
"$REFRAIN" stat --by site --rank 1 small.refrain | tail -n 2
"$REFRAIN" stat --by site --json small.refrain |
    jq -c '.sites[] | select(.function == "MPI_Send") | [.site, .calls, .sent_bytes]'
"$REFRAIN" stat --rank 0 --json small.refrain | jq -c '.functions[] | [.function, .calls, .sent_bytes, .received_bytes]'
for ranks in 0-3 1; do
    "$REFRAIN" stat --json --rank $ranks hundred.refrain |
        jq -c '.functions[] | select(.function == "MPI_Send" or .function == "MPI_Waitall") | [.sent_bytes, .received_bytes]'
    "$REFRAIN" text --json --rank $ranks hundred.refrain |
        jq -cs '[(map(select(.function == "MPI_Send") | .parameters.count * 8) | add),
                 (map(select(.function == "MPI_Waitall") | .parameters.array_of_statuses[].bytes) | add)]'
done
# Some lines, in another order.
"$REFRAIN" stat --sort sent --top 3 small.refrain
"$REFRAIN" stat --function 'mpi_*send' --function MPI_Recv --by site small.refrain
"$REFRAIN" stat --by rank --sort received --top 2 small.refrain
"$REFRAIN" stat --json --top 1 small.refrain | jq -c '[.functions[].function]'
# The shares of all time except MPI_Init's, together with the time outside of MPI, add up to one.
for by in function site; do
    "$REFRAIN" stat --by $by --json small.refrain |
        jq '.outside_ns as $outside | [.[] | arrays[] | select(.function != "MPI_Init")] | ((map(.time_ns) | add) + $outside) as $all |
            all(.[]; (.share * $all - .time_ns | fabs) < 1) and ((map(.share) | add) + $outside / $all - 1 | fabs) < 1e-9'
done
for wrong in '--sort bytes' '--sort rank' '--sort m' '--top 0' '--top x' '--function MPI_Nothing' '--function Send' '--by rank --function MPI_Send' '--by region --top 1'; do
    "$REFRAIN" stat $wrong small.refrain || echo "ends $?"
done
