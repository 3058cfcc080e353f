#!/usr/bin/env python3
"""mpi/tests/two_hosts.py - a team on two hosts with different instruction sets, and a network that fails, under Open MPI.

mpis.py describes the command line. The hosts are two network namespaces of this machine, joined by a virtual cable, so
the test needs root. The processes talk by TCP only. It checks that

    - two processes with AVX2 and AVX-512, in both orders, have the hash of one process alone;
    - if the cable is cut in the middle of a step, both processes name the other one before TIMEOUT and 3 more seconds.

Prints a line per result.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mpis import SECONDS, all_mpis, alone, environment, need_one

TIMEOUT = 3
HOSTS = {"heedtest1": "192.0.2.1", "heedtest2": "192.0.2.2"}  # addresses for documentation, which no network uses
FIRST, SECOND = HOSTS

# Open MPI starts its daemon on an address by a command like ssh's: agent ADDRESS COMMAND...
AGENT = """#!/bin/sh
case $1 in {addresses} *) echo "agent: unknown host $1" >&2; exit 1 ;; esac
shift
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
"""


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def remove_hosts():
    for host in HOSTS:
        pids = subprocess.run(["ip", "netns", "pids", host], text=True, capture_output=True).stdout.split()
        for pid in pids:
            os.kill(int(pid), signal.SIGKILL)
        subprocess.run(["ip", "netns", "del", host], capture_output=True)


def make_hosts():
    for host in HOSTS:
        ip("netns", "add", host)
    ip("link", "add", "cable", "netns", FIRST, "type", "veth", "peer", "name", "cable", "netns", SECOND)
    for host, address in HOSTS.items():
        ip("-n", host, "addr", "add", f"{address}/24", "dev", "cable")
        ip("-n", host, "link", "set", "cable", "up")
        ip("-n", host, "link", "set", "lo", "up")


def write_agent(folder):
    agent = Path(folder) / "agent"
    cases = " ".join(f"{address}) host={host} ;;" for host, address in HOSTS.items())
    agent.write_text(AGENT.format(addresses=cases))
    agent.chmod(0o755)
    return agent


class Team:
    """Two processes, one per host, which write into the files 0 and 1 of a new folder."""

    def __init__(self, mpi, agent, isas, *options):
        self.folder = tempfile.TemporaryDirectory(prefix="heed-two-hosts-")
        command = f'exec "$0" "$@" >{self.folder.name}/$OMPI_COMM_WORLD_RANK 2>&1'
        contexts = []
        for address, isa in zip(HOSTS.values(), isas):
            contexts += [":", "-host", address, "-n", "1", "-x", f"HEED_ISA={isa}", "-x", "HEED_NUM_THREADS", "sh", "-c", command,
                         str(mpi.programs["team"]), *options]
        tcp = ["--mca", "plm_rsh_agent", str(agent), "--mca", "btl", "self,tcp", "--mca", "btl_tcp_if_include", "192.0.2.0/24",
               "--mca", "oob_tcp_if_include", "192.0.2.0/24", "--mca", "pml", "ob1"]
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", FIRST, "unshare", "--uts", "sh", "-c", f'hostname {FIRST}; exec "$0" "$@"', *mpi.mpirun, *tcp,
             *contexts[1:]], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def said(self):
        files = [Path(self.folder.name) / str(rank) for rank in range(2)]
        return [path.read_text() if path.exists() else "" for path in files]

    def wait(self):
        output, _ = self.process.communicate(timeout=SECONDS)
        if self.process.returncode:
            sys.exit(f"two_hosts: mpirun ended with {self.process.returncode}\n{output}{self.said()}")

    def end(self):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def check_one_hash(mpi, agent):
    expected = subprocess.run([alone], text=True, capture_output=True, check=True, timeout=SECONDS).stdout.strip()
    for isas in (("avx2", "avx512"), ("avx512", "avx2")):
        team = Team(mpi, agent, isas)
        team.wait()
        for rank, text in enumerate(team.said()):
            if not text.startswith(f"{rank} of 2: {expected}, "):
                sys.exit(f"two_hosts: {isas[rank]} printed {text!r} instead of the hash {expected}")
        team.end()
        print(f"two_hosts: {isas[0]} and {isas[1]} on two hosts: the hash of one process, {expected}", flush=True)


def wait_for(condition, seconds):
    since = time.monotonic()
    while not condition() and time.monotonic() < since + seconds:
        time.sleep(0.05)
    return time.monotonic() - since


def check_cut_cable(mpi, agent):
    team = Team(mpi, agent, ("avx2", "avx512"), "8", "10000000", "whole", str(TIMEOUT))
    time.sleep(4)  # many steps
    if team.process.poll() is not None:
        sys.exit(f"two_hosts: the team ended before the cable was cut\n{team.said()}")
    ip("-n", SECOND, "link", "set", "cable", "down")
    lost = [f"process {other} of 2 has not answered for {TIMEOUT} s" for other in (1, 0)]
    seconds = wait_for(lambda: all(name in text for name, text in zip(lost, team.said())), TIMEOUT + 30)
    said = team.said()
    team.end()
    if not all(name in text for name, text in zip(lost, said)) or seconds > TIMEOUT + 3:
        sys.exit(f"two_hosts: {seconds:.1f} s after the cable was cut, the processes had printed {said}")
    print(f"two_hosts: the cable was cut: both processes named the other one after {seconds:.1f} s", flush=True)


def main():
    need_one()
    if os.geteuid() != 0:
        sys.exit("two_hosts: network namespaces need root")
    with tempfile.TemporaryDirectory(prefix="heed-two-hosts-") as folder:
        agent = write_agent(folder)
        mpis = [mpi for mpi in all_mpis(folder, ("team",)) if mpi.is_open_mpi]
        if not mpis:
            sys.exit("two_hosts: Open MPI is not installed: scripts/setup --mpi")
        remove_hosts()
        make_hosts()
        try:
            check_one_hash(mpis[0], agent)
            check_cut_cable(mpis[0], agent)
        finally:
            remove_hosts()


if __name__ == "__main__":
    main()
