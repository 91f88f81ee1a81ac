#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program does under the recorder is what it does without: its output, its error text and its exit status.

test_unchanged.py --record LAUNCHER --run RUN-PROGRAM [--openmpi] [--invalid PROGRAM] [--programs FOLDER NAME...] [--only TEXT]
                  [--every N]

Runs each case natively and recorded, and compares. Addresses, process ids, times and the like are different in each run and left
out. What is printed when ranks race for the end of a job, of which even native runs differ, is compared with several of them.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

STILL_RUNNING = 124
TRIES = 4  # runs of either kind, before what differs each time counts

CHANGING = [
    (r"^laggard-record: .*\n", ""),  # what the recorder says itself
    (r"^\S+\([\w.]*\+0x[0-9a-f]+\) \[0x[0-9a-f]+\]\n", ""),  # frames of a stack, which leads through the recorder
    (r"\bAbort\(\d+\)", "Abort(CODE)"),  # with the number of the error among those kept
    (r"0x[0-9a-f]+|\(nil\)|@\w+", "ADDRESS"),
    (r"\b(?:MPI_Request|MPI_Comm|MPI_Datatype)?=?[0-9a-f]{8}\b", "HANDLE"),
    (r"^.*ORTE_ERROR_LOG: .*\n", ""),  # Open MPI's launcher, of itself
    (r"process \[\d+,", "process [JOB,"),
    (r"\[\[\d+,", "[[JOB,"),
    (r"^\[\d+\.\d+\].*\n", ""),  # UCX complains where a container has no /sys, with the time
    (r"^=.*\n", ""),  # MPICH's launcher, of the rank whose end it has noticed first
    (r"^#\d+ +ADDRESS.*\n|^\tat .*\n", ""),  # frames of a stack as gfortran prints them, the recorder's handler among them
    (r"PIDs?:? \d+|process \d+|\bpid[ =]\d+|PID \d+", "PID"),
    (r"^\[[\w.-]+[:\]].*\[ ?\d+\] .*\n", ""),  # frames of a stack, which leads through the recorder
    (r"\[[\w.-]+:\d+(?::\d+:\d+)?\]", "[HOST]"),
    (r"==== backtrace.*?={5,}\n", "", re.S),
    (r"\btook \d+\.\d+|\d+\.\d{3,} ?s\b", "TIME"),
]


def normalised(text, command):
    text = text.replace(command, "PROGRAM")
    for pattern, by, *flags in CHANGING:
        text = re.sub(pattern, by, text, flags=re.M | (flags[0] if flags else 0))
    # Ranks write in any order.
    return sorted(line.rstrip() for line in text.splitlines() if line.strip())


class Job:
    def __init__(self, options, command, ranks, limit=40):
        self.options, self.command, self.ranks, self.limit = options, command, ranks, limit

    def run(self, is_recorded):
        with tempfile.TemporaryDirectory() as folder:
            recorder = [self.options.record, "-o", os.path.join(folder, "recording"), "--"] if is_recorded else []
            command = [self.options.run, "-n", str(self.ranks), "--limit", str(self.limit)]
            command += (["--openmpi"] if self.options.openmpi else []) + ["--"] + recorder + self.command
            environment = dict(os.environ, UCX_LOG_LEVEL="fatal", UCX_HANDLE_ERRORS="none", LC_ALL="C")
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, cwd=folder, check=False)
            name = self.command[0]
            return done.returncode, normalised(done.stdout, name), normalised(done.stderr, name)


def describe(result):
    status, output, errors = result
    return f"    status {status}\n" + "".join(f"    out: {line}\n" for line in output) + "".join(f"    err: {line}\n" for line in errors)


def is_unchanged(job):
    """Compares with more runs where they differ: jobs that are ended by one of their ranks do not print the same each time."""
    native, recorded = [job.run(False)], [job.run(True)]
    for _ in range(TRIES - 1):
        if any(result in native for result in recorded):
            break
        native.append(job.run(False))
        recorded.append(job.run(True))
    else:
        if not any(result in native for result in recorded):
            print(f"{' '.join(job.command)}\n  natively:\n{describe(native[-1])}  recorded:\n{describe(recorded[-1])}")
            return False
    return True


def faults_of(program):
    """The faults of an example program that end by themselves."""
    shown = subprocess.run([program, "--help"], capture_output=True, text=True, check=False)
    found = re.search(r"--fault KIND[^\n]*\n?(.*)", shown.stdout + shown.stderr, re.S)
    words = set(re.findall(r"[a-z][a-z-]+", found.group(1) if found else ""))
    return [fault for fault in ("crash", "abort", "slow") if fault in words]


def jobs(options):
    if options.invalid:
        listed = subprocess.run([options.run, "-n", "1"] + (["--openmpi"] if options.openmpi else []) + ["--", options.invalid],
                                capture_output=True, text=True, check=True).stdout.split()
        for case in listed:
            yield Job(options, [options.invalid, case], 1)
            if not case.startswith(("exit_", "finalize_", "rank_", "crash_")):
                yield Job(options, [options.invalid, case, "return"], 1)
    folder, *names = options.programs or [None]
    for name in names:
        program = os.path.join(folder, name)
        yield Job(options, [program, "--steps", "6"], 4)
        for fault in faults_of(program):
            yield Job(options, [program, "--steps", "6", "--fault", fault], 4)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", required=True)
    parser.add_argument("--run", required=True)
    parser.add_argument("--openmpi", action="store_true")
    parser.add_argument("--invalid")
    parser.add_argument("--programs", nargs="+")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1, help="leave out all cases but every so many")
    options = parser.parse_args()
    chosen = [job for job in jobs(options) if options.only in " ".join(job.command)][:: options.every]
    # Jobs that fail spend half of their time on being cleared away: another one has the processors meanwhile.
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        unchanged = list(pool.map(is_unchanged, chosen))
    total, failed = len(chosen), unchanged.count(False)
    print(f"{total} cases, of which {failed} are changed by the recorder")
    sys.exit(1 if failed or not total else 0)


if __name__ == "__main__":
    main()
