# SPDX-License-Identifier: MIT
# To be read by sh scripts: a Slurm of this machine alone, in a folder, as the user that runs it; nothing of it is left.
#
#   slurm_is_there            is what it needs installed and mounted? Says what is missing
#   slurm_start FOLDER        munged, slurmctld and slurmd on 127.0.0.1; sets SLURM_CONF. Fails with their logs. The machine
#                             says that it has SLURM_CPUS processors, 16 unless set
#   slurm_stop                ends them, and all their jobs
#   slurmctld_stop, slurmctld_start   the controller alone

slurm_is_there() {
    for program in munged slurmctld slurmd sbatch squeue scontrol; do
        if ! PATH=$PATH:/usr/sbin command -v "$program" >/dev/null; then
            echo "Slurm is not installed (no $program); Debian packages: slurm-wlm munge" >&2
            return 1
        fi
    done
    if [ -z "$(ls -A /sys/fs/cgroup 2>/dev/null)" ]; then
        echo "slurmd does not start here: no cgroup file system is mounted in /sys/fs/cgroup" >&2
        return 1
    fi
}

slurm_config() {
    name=$(uname -n | sed 's/\..*//')
    user=$(id -un)
    cat <<END
ClusterName=heddle
SlurmctldHost=$name(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/socket
SlurmctldPort=$((20000 + $$ % 20000 * 2))
SlurmdPort=$((20001 + $$ % 20000 * 2))
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1
MessageTimeout=5
SlurmdParameters=config_overrides
NodeName=$name NodeAddr=127.0.0.1 CPUs=${SLURM_CPUS:-16} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
}

slurm_failed() {
    echo "the loopback Slurm does not start: $*" >&2
    tail -n 20 "$slurm"/*.log "$slurm"/munge/log >&2
    return 1
}

# until_true SECONDS COMMAND...
until_true() {
    tries=$(($1 * 10))
    shift
    while ! "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.1
    done
}

node_is_idle() {
    sinfo --noheader --format=%t | grep -q -E 'idle|mix|alloc'
}

slurmctld_start() {
    slurmctld >>"$slurm/start.log" 2>&1 && until_true 20 node_is_idle || slurm_failed slurmctld
}

is_gone() {
    ! kill -0 "$1" 2>/dev/null
}

# stop_process PID_FILE
stop_process() {
    pid=$(cat "$1" 2>/dev/null) || return 0 # it has taken its file away
    [ -n "$pid" ] || return 0
    kill "$pid" 2>/dev/null || :
    until_true 20 is_gone "$pid" || kill -9 "$pid" 2>/dev/null || :
    rm -f "$1"
}

slurmctld_stop() {
    stop_process "$slurm/slurmctld.pid"
}

slurm_start() {
    mkdir -p "$1/spool" "$1/state" "$1/munge"
    slurm=$(cd "$1" && pwd)
    PATH=$PATH:/usr/sbin
    chmod 700 "$slurm/munge"
    head -c 128 /dev/urandom >"$slurm/munge/key"
    chmod 400 "$slurm/munge/key"
    munged --force --num-threads=1 --key-file="$slurm/munge/key" --socket="$slurm/munge/socket" \
        --pid-file="$slurm/munge/pid" --log-file="$slurm/munge/log" --seed-file="$slurm/munge/seed" \
        >"$slurm/start.log" 2>&1 || slurm_failed munged || return 1
    slurm_config >"$slurm/slurm.conf"
    SLURM_CONF=$slurm/slurm.conf
    export SLURM_CONF
    slurmd -N "$name" >>"$slurm/start.log" 2>&1 || slurm_failed slurmd || return 1
    slurmctld_start
}

slurm_stop() {
    [ -n "${slurm:-}" ] || return 0
    scancel --user="$(id -un)" 2>/dev/null || :
    cat "$slurm"/*.pid "$slurm/munge/pid" 2>/dev/null | xargs -r kill 2>/dev/null || :
    stop_process "$slurm/slurmd.pid"
    stop_process "$slurm/slurmctld.pid"
    stop_process "$slurm/munge/pid"
    slurm=
}
