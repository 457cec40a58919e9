# SPDX-License-Identifier: BSD-3-Clause
# The variables: none set, some set, one with an invalid value, one that does not exist.
command=$REFRAIN
for name in $(env | sed -n 's/^\(REFRAIN[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done
"$command" config 2>&1
REFRAIN_TIMING=off REFRAIN_OUTPUT='a b' "$command" config --json | jq -c '.variables[] | select(.state != "default")'
for setting in FUNCTIONS=MPI_I*,,x FUNCTIONS=! FUNCTIONS=!MPI_Wtime START=-1 START=SIGTERM START=SIGUSR2 \
    CHECKPOINT=1e10 CHECKPOINT=0.25 CALLPATH=some PROCESS=0; do
    env "REFRAIN_$setting" "$command" config 2>&1 >table | cat
    grep "^REFRAIN_${setting%%=*} " table | cut -c 1-47
done
REFRAIN_TIMING=sometimes "$command" config >table 2>&1
echo "exit $?"
REFRAIN_TIMNG=off "$command" config 2>&1 >table
echo "exit $?"
