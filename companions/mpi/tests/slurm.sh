#!/usr/bin/env bash
# mpi/tests/slurm.sh - runs examples/char_transformer.sbatch under a Slurm of one host, as root: starts munged,
# slurmctld and slurmd in a separate folder, and ends them.
#
#     slurm.sh BUILD [MPI]      BUILD's char_transformer, by srun --mpi=MPI: pmix (Open MPI), or pmi2 (MPICH)
#
# Prints a line for every verified property. Needs Debian's slurm-wlm and slurm-wlm-basic-plugins.
#
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
set -euo pipefail

HEED_BUILD=$(realpath "${1:?where heed was built}")
export HEED_BUILD HEED_SRUN_MPI=${2:-pmix} SLURM_CONF
project=$(realpath "$(dirname -- "${BASH_SOURCE[0]}")/../../..")
job=$project/examples/char_transformer.sbatch
sizes=(--text "$project/examples/data/genesis.txt" --layers 1 --length 20 --epochs 1)
folder=$(mktemp -d /tmp/heed-slurm-XXXXXX)
SLURM_CONF=$folder/slurm.conf
cd "$folder"

end() {
    local daemon
    for daemon in slurmd slurmctld munged; do
        [[ ! -e $daemon.pid ]] || kill "$(<$daemon.pid)" || true
    done
    sleep 1
    cd / && rm -rf "$folder"
}
trap end EXIT

# The configuration of one host: no accounting, no cgroups, processes found by their parents.
configure() {
    cat >slurm.conf <<END
ClusterName=one
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.sock
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=$(hostname) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
END
    echo 'CgroupPlugin=cgroup/v1' >cgroup.conf # slurmd requires a name, but does not use it
}

begin() {
    chmod 755 . && mkdir state spool && configure
    (umask 077 && head -c 128 /dev/urandom >munge.key)
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.sock" --pid-file="$folder/munged.pid" \
        --log-file="$folder/munged.log" --seed-file="$folder/munged.seed"
    slurmctld -c
    slurmd -N "$(hostname)"
    for _ in {1..50}; do
        [[ $(sinfo -h -o %T 2>/dev/null) != idle ]] || return 0
        sleep 0.2
    done
    tail -n 5 slurmctld.log slurmd.log >&2
    return 1
}

wrong() {
    printf 'slurm: %s\n' "$*" >&2
    tail -n 20 ./*.log >&2
    exit 1
}

fresh() { rm -f char_transformer.heed; }

# submit STEPS [OPTION OF SBATCH]...: waits for the job's end.
submit() { sbatch --quiet --wait "${@:2}" "$job" "${sizes[@]}" --steps "$1"; }

begin
OMP_NUM_THREADS=1 "$HEED_BUILD/examples/char_transformer" "${sizes[@]}" --steps 60 --shards 8 --checkpoint alone.heed >alone.log

for processes in 1 2 3; do
    fresh
    submit 60 --ntasks=$processes --overcommit || wrong "$processes processes failed"
    cmp alone.heed char_transformer.heed || wrong "$processes processes have other bits"
done
printf 'slurm: sbatch, srun --mpi=%s, 1, 2 and 3 processes: the bits of one alone\n' "$HEED_SRUN_MPI"

fresh
submit 60 --ntasks=3 --overcommit &
until [[ -n $(squeue -h -t R -o %i) && -n $(pgrep -f "^$HEED_BUILD/examples/char_transformer") ]]; do sleep 0.1; done
sleep 1
scancel --signal=TERM "$(squeue -h -o %i)"
wait $! && wrong "SIGTERM was not the job's end"
grep -qs 'stopped by SIGTERM' char_transformer-*.log || wrong "SIGTERM did not save"
submit 60 --ntasks=2 || wrong "going on failed"
cmp alone.heed char_transformer.heed || wrong "other bits after SIGTERM"
printf 'slurm: stopped by SIGTERM, and submitted again with another number of processes: the same bits\n'

fresh
submit 60 --ntasks=3 --overcommit &
until [[ -n $(pgrep -f "^$HEED_BUILD/examples/char_transformer") ]]; do sleep 0.1; done
sleep 1
kill -9 "$(pgrep -f "^$HEED_BUILD/examples/char_transformer" | shuf -n 1)"
killed=$SECONDS
while [[ -n $(squeue -h) ]]; do sleep 0.5; done
took=$((SECONDS - killed)) # sbatch --wait polls twice a minute
wait $! && wrong "a process that was killed was not noticed"
submit 60 --ntasks=1 || wrong "going on failed"
cmp alone.heed char_transformer.heed || wrong "other bits after kill -9"
printf 'slurm: a process killed: the job ended within %d s; submitted again with another number: the same bits\n' "$took"

if srun -n 2 "$HEED_BUILD/examples/char_transformer" "${sizes[@]}" --steps 1 --shards 8 >none.log 2>&1; then
    wrong "srun without --mpi was taken for a team"
fi
printf 'slurm: srun without --mpi: refused\n'
