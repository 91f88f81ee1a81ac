# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs one job of a case under the recorder and brings back what happened and the truth about the fault."""
import json
import os
import shlex
import shutil
import subprocess
import threading
import time

STILL_RUNNING = 124  # of run-program
REFUSED = 2          # of a program that cannot have this fault on this rank


class Jobs:
    """Where programs and recorder are, and how jobs are run."""

    def __init__(self, build, results, patience, limit, buffer, bind=False):
        self.programs = os.path.join(build, "tests", "programs")
        self.recorder = os.path.join(build, "collect", "launch", "laggard-record")
        self.results, self.patience, self.limit, self.buffer = results, patience, limit, buffer
        self.binding = ["--bind"] if bind else []

    def folder(self, case):
        return os.path.join(self.results, "runs", case.name)

    def command(self, case, recording, own_truth, specification, attempt, ended_by=None):
        line = [os.path.join(self.programs, "run-program"), "-n", str(case.ranks), "--limit", str(self.limit)] + self.binding
        if ended_by:
            line += ["--after", ended_by, str(self.patience)]
        line += ["--", self.recorder, "-o", recording, "--buffer", self.buffer, "--hang-timeout", str(self.patience / 4)]
        if specification:
            line += ["--inject", specification]
        line += ["--", os.path.join(self.programs, case.program + case.variant)] + case.program_arguments(attempt)
        return line + (["--truth", own_truth] if case.family == "own" else [])

    def census(self, case):
        """Folder of the program's census: what each rank executes; run once for all seeds."""
        folder = os.path.join(self.results, "census", f"{case.program}{case.variant}-{case.ranks}")
        if not os.path.exists(os.path.join(folder, "complete")):
            shutil.rmtree(folder, ignore_errors=True)
            line = self.command(case, folder, "", "CENSUS", 0)
            done = subprocess.run(line, capture_output=True, text=True, errors="replace", check=False)
            if done.returncode != 0:
                raise RuntimeError(f"the census of {case.program} failed: {done.stderr.strip()[-500:]}")
            with open(os.path.join(folder, "complete"), "w", encoding="utf-8"):
                pass
        return folder

    def run(self, case):
        """The job of a case as a dictionary for runs.jsonl."""
        for attempt in range(10):
            result = self.attempt(case, attempt)
            if result["status"] != REFUSED:
                return result
        return result

    def attempt(self, case, attempt):
        folder = self.folder(case)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        recording, own_truth = os.path.join(folder, "recording"), os.path.join(folder, "truth.json")
        truth_file = own_truth if case.family == "own" else os.path.join(recording, "truth.json")
        specification = case.specification(self.census(case)) if case.family == "injected" else None
        struck_file = os.path.join(folder, "struck")
        line = self.command(case, recording, own_truth, specification, attempt, struck_file if case.ends() == "hang" else None)
        start = time.monotonic()
        stopped = threading.Event()
        watcher = threading.Thread(target=announce_strike, args=(truth_file, struck_file, stopped))
        watcher.start()
        try:
            with open(os.path.join(folder, "output"), "w", encoding="utf-8") as output:
                status = subprocess.run(line, stdout=output, stderr=subprocess.STDOUT, check=False).returncode
        finally:
            stopped.set()
            watcher.join()
        truth = read_truth(truth_file)
        return {"case": case.name, "family": case.family, "fault": case.fault, "program": case.program, "number": case.number,
                "ranks": case.ranks, "variant": case.variant, "status": status, "seconds": round(time.monotonic() - start, 1),
                "struck": has_struck(truth), "truth": truth, "command": shlex.join(line)}


def read_truth(file):
    try:
        with open(file, encoding="utf-8") as text:
            return json.load(text)
    except (OSError, ValueError):  # not there yet, or just being written
        return None


def has_struck(truth):
    return bool(truth) and truth.get("struck", True)


def announce_strike(truth_file, struck_file, stopped):
    """Makes struck_file when the truth says that the fault has struck: an injector writes its truth before that, too."""
    while not stopped.wait(0.1):
        if has_struck(read_truth(truth_file)):
            with open(struck_file, "w", encoding="utf-8"):
                return
