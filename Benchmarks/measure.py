"""Runs a command and tells its wall time, CPU time and peak memory, as the kernel accounts them."""

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass


@dataclass
class Figures:
    wall: float  # seconds
    cpu: float  # seconds, user and system
    peak: float  # MB, the largest single process


def run_once(command, env=None, allowed=(0,)):
    """One run; a command that fails ends the benchmark, so that no failure is timed as a success."""
    begin = time.perf_counter()
    with open(os.devnull, "wb") as null:
        child = subprocess.Popen(command, stdout=null, stderr=subprocess.PIPE, env=env)
        errors = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begin
    if child.returncode not in allowed:
        sys.exit(f"{command}: exit {child.returncode}\n{errors.decode(errors='replace')}")
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Figures(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale)


def median(figures):
    """The median of each figure on its own."""
    return Figures(*(statistics.median(getattr(f, n) for f in figures) for n in ("wall", "cpu", "peak")))
