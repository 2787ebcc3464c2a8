# SPDX-License-Identifier: MIT
"""The tests of a build as ctest knows them, run one at a time with limits, and stopped with all that they started."""
import ctypes
import json
import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


@dataclass
class Test:
    name: str
    command: list
    folder: str
    environment: dict
    skip: int
    timeout: float


@dataclass
class Outcome:
    passed: bool
    timed_out: bool
    skipped: bool
    seconds: float
    cpu: float
    output: str


def tests_of(build):
    listed = json.loads(subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"],
                                       check=True, capture_output=True).stdout)
    tests = []
    for entry in listed["tests"]:
        if "command" not in entry:
            continue
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        environment = dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))
        folder = properties["WORKING_DIRECTORY"]
        tests.append(Test(entry["name"], entry["command"], folder, environment,
                          int(properties.get("SKIP_RETURN_CODE", -1)), float(properties.get("TIMEOUT", 600))))
    return tests


def adopt_orphans():
    """Processes that a test started and left become children of this one."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def end_children():
    """Tests start processes with sessions of their own: each that ends leaves us its children."""
    own = Path(f"/proc/self/task/{os.getpid()}/children")
    while children := [int(word) for word in own.read_text().split()]:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def run(test, cpu_limit, wall_limit, log):
    """cpu_limit: seconds of each process; no load of the host makes a test seem to hang. None: ctest's time-out alone."""

    def limits():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if cpu_limit is not None:
            seconds = int(cpu_limit) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    began = time.monotonic()
    with open(log, "wb") as output:
        process = subprocess.Popen(test.command, cwd=test.folder, env={**os.environ, "CRITERION_FAIL_FAST": "1", **test.environment}, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limits)
        timed_out, pid = False, 0
        while pid != process.pid:
            pid, status, used = os.wait4(-1, os.WNOHANG)  # orphans as well, as nobody else will
            if pid:
                continue
            if time.monotonic() - began > wall_limit and not timed_out:
                timed_out = True
                process.kill()
            time.sleep(0.01)
        process.returncode = os.waitstatus_to_exitcode(status)
    end_children()
    cpu = used.ru_utime + used.ru_stime
    with open(log, "rb") as output:
        text = output.read().decode(errors="replace")
    skipped = process.returncode == test.skip
    return Outcome(process.returncode == 0 and not timed_out, timed_out or (cpu_limit is not None and cpu > cpu_limit), skipped,
                   time.monotonic() - began, cpu, text)
