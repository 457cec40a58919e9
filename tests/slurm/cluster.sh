# SPDX-License-Identifier: BSD-3-Clause
# A Slurm of one node for the duration of a test, as root. Its daemons, configuration and state are
# in one directory.
#
#   cluster_missing         prints what is missing; true if something is
#   cluster_start DIR       starts munged, slurmctld and slurmd; exports SLURM_CONF, with which srun
#                           etc. find them
#   cluster_stop
#
# It needs no systemd and no control groups: processes are found by their parents, and memory is
# that of /proc. of the node, whatever this machine has: more ranks than processors (MiB)
cluster_cpus=16 cluster_memory=8000

cluster_missing() {
    for command in munged slurmctld slurmd srun sbatch scancel; do
        PATH=$PATH:/usr/sbin:/sbin command -v $command >/dev/null || { echo "no $command"; return 0; }
    done
    [ "$(id -u)" -eq 0 ] || { echo "the daemons are started by root only"; return 0; }
    return 1
}

# Finds a port on which nobody listens, trying one after another.
cluster_port() {
    while grep -qi "$(printf ':%04X ' "$1")" /proc/net/tcp; do set -- $(($1 + 7)); done
    echo "$1"
}

cluster_configure() {
    controller=$(cluster_port 26817)
    cat >"$cluster/slurm.conf" <<EOF
ClusterName=refrain
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$controller
SlurmdPort=$(cluster_port $((controller + 1)))
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
MpiDefault=none
KillWait=5
InactiveLimit=0
ReturnToService=2
SchedulerParameters=sched_interval=5,batch_sched_delay=0
SlurmdParameters=config_overrides
PropagateResourceLimits=ALL
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$cluster_cpus RealMemory=$cluster_memory State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP DefMemPerCPU=400
EOF
}

cluster_start() {
    cluster=$1
    PATH=$PATH:/usr/sbin:/sbin
    export PATH SLURM_CONF="$cluster/slurm.conf"
    mkdir -p "$cluster/state" "$cluster/spool" && chmod 755 "$cluster" || return
    head -c 128 /dev/urandom >"$cluster/munge.key" && chmod 600 "$cluster/munge.key" || return
    cluster_configure || return
    munged --foreground --force --num-threads=2 --key-file="$cluster/munge.key" --socket="$cluster/munge.socket" \
        --pid-file="$cluster/munge.pid" --log-file="$cluster/munge.log" --seed-file="$cluster/munge.seed" >"$cluster/munged.said" 2>&1 &
    cluster_daemons=$!
    slurmctld -D -c -f "$SLURM_CONF" >"$cluster/slurmctld.said" 2>&1 &
    cluster_daemons="$! $cluster_daemons"
    slurmd -D -c -N "$(hostname -s)" -f "$SLURM_CONF" >"$cluster/slurmd.said" 2>&1 &
    cluster_daemons="$! $cluster_daemons"
    for second in $(seq 60); do
        [ "$(sinfo -h -o %t 2>/dev/null)" = idle ] && return
        sleep 1
    done
    tail -n 20 "$cluster"/*.log "$cluster"/*.said
    return 1
}

cluster_stop() {
    [ "${cluster_daemons-}" ] || return 0
    scancel --full --user=root --signal=KILL >/dev/null 2>&1
    for second in $(seq 20); do
        [ -z "$(squeue -h 2>/dev/null)" ] && break
        sleep 0.5
    done
    kill $cluster_daemons 2>/dev/null
    wait $cluster_daemons 2>/dev/null
}
