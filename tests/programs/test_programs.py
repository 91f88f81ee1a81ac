#!/usr/bin/env python3
"""Every example program computes what it should; every faulty variant shows its fault and tells the truth about it.

Usage: test_programs.py FOLDER [PROGRAM...]   (the folder of the built programs; default: all programs)
"""
import concurrent.futures
import json
import math
import os
import re
import subprocess
import sys
import tempfile

RANKS = 4
STILL_RUNNING = 124
# How mpiexec hands on a rank's segmentation fault: as the signal, or as a shell does.
SEGFAULT = (11, 128 + 11)
# A job that hangs is ended so long after its fault has struck.
PATIENCE = 1.5
# Jobs with these faults come to their end, however long that takes: a backtrace of Fortran's is slow on a machine that is loaded.
ENDING = {"abort", "crash", "slow"}

# Options that keep a run short, and its checksum with them and 4 ranks.
SHORT = ["--steps", "10"]
CHECKSUMS = {
    "stencil": 2.239618028e04,
    "cg": 3.414860700e06,
    "transform": 1.776585609e04,
    "wavefront": 2.209442171e04,
    "multigrid": 2.521478599e02,
    "adi": 7.424341996e04,
    "master-worker": -3.220106864e04,
    "buffered-io": 2.210846566e05,
    "head-to-head": 6.127491429e05,
    "any-source": 4.056176388e-01,
    "wait-any": 4.056176388e-01,
    "endless-test": 6.602988843e00,
    "mismatched-collectives": 1.702408503e02,
    "changing-tags": 3.821505328e01,
    "threads": 5.690657609e01,
    "levels": 5.210111314e00,
    "adaptive-steps": 6.309904439e01,
    "checkpoints": 5.304328089e00,
    "late-start": 5.565094339e00,
    "moving-load": 5.646067009e01,
    "warm-up": 5.644842406e01,
    "task-sizes": 4.997246094e00,
    "growing": 5.498593610e00,
    "stages": 1.313371718e00,
}
# The result of these does not depend on the number of ranks.
ANY_RANKS = {"stencil", "cg", "transform", "wavefront", "multigrid", "adi", "master-worker"}


class Run:
    """One job and how it ended."""

    def __init__(self, folder, program, ranks=RANKS, fault=None):
        self.name = f"{program} on {ranks} ranks" + (f" with fault {fault}" if fault else "")
        self.program, self.fault = program, fault
        self.truth = None
        with tempfile.TemporaryDirectory() as scratch:
            truth = os.path.join(scratch, "truth.json")
            command = [os.path.join(folder, "run-program"), "-n", str(ranks), "--limit", "60"]
            if fault not in ENDING:
                command += ["--after", truth, str(PATIENCE)]
            command += ["--", os.path.join(folder, program)] + SHORT
            if fault:
                command += ["--fault", fault, "--truth", truth]
            job = subprocess.run(command, cwd=scratch, capture_output=True, text=True, errors="replace", check=False)
            self.status = job.returncode
            self.output = job.stdout + job.stderr
            if os.path.exists(truth):
                with open(truth, encoding="utf-8") as file:
                    self.truth = file.read()

    def checksum(self):
        found = re.search(r"^checksum (\S+)$", self.output, re.MULTILINE)
        return float(found.group(1)) if found else math.nan


def same(a, b):
    return math.isclose(a, b, rel_tol=2e-9)


def complaints_about_correct(run):
    if run.status != 0:
        yield f"should end with 0, ended with {run.status}"
    elif run.program not in CHECKSUMS:
        yield f"has no checksum in the table (it printed {run.checksum()!r})"
    elif not same(run.checksum(), CHECKSUMS[run.program]):
        yield f"should print the checksum {CHECKSUMS[run.program]!r}, printed {run.checksum()!r}"


def complaints_about_truth(run):
    if not run.truth:
        yield "wrote no truth: the fault did not strike"
        return
    truth = json.loads(run.truth)
    for key, expected in (("program", run.program), ("fault", run.fault), ("ranks", RANKS)):
        if truth[key] != expected:
            yield f"the truth should say {key} {expected!r}, says {truth[key]!r}"
    if truth["rank"] not in truth["accept"] or not all(0 <= rank < RANKS for rank in truth["accept"]):
        yield f"accepted ranks {truth['accept']} do not fit"
    if not truth["function"] or truth["step"] != 6:
        yield f"the truth should name a function and step 6, names {truth['function']!r} and {truth['step']}"


def complaints_about_faulty(run):
    yield from complaints_about_truth(run)
    if not run.truth:
        return
    ends = json.loads(run.truth)["ends"]
    if ends == "hang" and run.status != STILL_RUNNING:
        yield f"should hang, ended with {run.status}"
    if ends == "crash" and run.status not in SEGFAULT:
        yield f"should end with a segmentation fault, ended with {run.status}"
    if ends == "abort" and run.status in (0, STILL_RUNNING, *SEGFAULT):
        yield f"should end by MPI_Abort, ended with {run.status}"
    if ends == "finish" and (run.status != 0 or not same(run.checksum(), CHECKSUMS.get(run.program, math.nan))):
        yield f"should end with 0 and the right checksum, ended with {run.status} and {run.checksum()!r}"


def faults_of(folder, program):
    """The kinds that the program says it has."""
    job = subprocess.run([os.path.join(folder, "run-program"), "-n", "1", "--", os.path.join(folder, program), "--help"],
                         capture_output=True, text=True, check=True)
    return re.search(r"^Faults: (.*)$", job.stdout, re.MULTILINE).group(1).split()


def check(folder, program, ranks, fault):
    run = Run(folder, program, ranks, fault)
    complaints = complaints_about_faulty(run) if fault else complaints_about_correct(run)
    return [f"{run.name}: {complaint}\n    {run.output.strip()[-400:]}" for complaint in complaints]


def main():
    folder, programs = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(CHECKSUMS)
    with concurrent.futures.ThreadPoolExecutor(max_workers=6) as pool:
        kinds = dict(zip(programs, pool.map(lambda program: faults_of(folder, program), programs)))
        jobs = [pool.submit(check, folder, program, RANKS, None) for program in programs]
        jobs += [pool.submit(check, folder, program, 2, None) for program in programs if program in ANY_RANKS]
        jobs += [pool.submit(check, folder, program, RANKS, kind) for program in programs for kind in kinds[program]]
        complaints = [complaint for job in jobs for complaint in job.result()]
    for complaint in complaints:
        print(complaint)
    print(f"{len(jobs)} jobs, {len(complaints)} complaints.")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
