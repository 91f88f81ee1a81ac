#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs under laggard-record --on-hang: those that hang say so by themselves, once, and those that do not are left alone.

Usage: test_onhang.py --record FILE --programs FOLDER --program FILE --mpi mpich|openmpi [CASE...]
"""
import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

STILL_RUNNING = 124  # of run-program
HANG_STATUS = 79
SAYS = "laggard-record: the job hangs"


class Failure(Exception):
    pass


def check(condition, what):
    if not condition:
        raise Failure(what)


def processes_with(word):
    """Ids and commands of processes that have the word in their command line."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                command = file.read().split(b"\0")
        except OSError:
            continue
        if any(word.encode() in part for part in command):
            found[int(entry)] = command[0].decode(errors="replace")
    return found


def watchers(folder):
    return sorted(pid for pid, command in processes_with(folder).items() if command.endswith("laggard-watch"))


class Jobs:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.recording = os.path.join(folder, "recording")

    def line(self, how, seconds, recorder, ranks=4, limit=120):
        return [os.path.join(self.options.programs, "run-program"), "-n", str(ranks), "--limit", str(limit),
                *(["--openmpi"] if self.options.mpi == "openmpi" else []), "--", self.options.record, "-o", self.recording, *recorder, "--",
                self.options.program, how, str(seconds)]

    def run(self, *arguments, **named):
        start = time.monotonic()
        result = subprocess.run(self.line(*arguments, **named), capture_output=True, text=True, check=False)
        result.seconds = time.monotonic() - start
        result.said = result.stderr.count(SAYS)
        # Watchers end with the job; they look four times a second.
        until = time.monotonic() + 10
        while watchers(self.recording) and time.monotonic() < until:
            time.sleep(0.1)
        check(not watchers(self.recording), "a watcher outlives the job")
        left = [name for name in os.listdir(self.recording) if name.startswith(".on-hang")]
        check(not left, f"half a report is left: {left}")
        return result

    def verdict(self):
        for name in ("verdict.txt", "report.html"):
            check(os.path.getsize(os.path.join(self.recording, name)) > 0, f"{name} is empty")
        with open(os.path.join(self.recording, "report.json"), encoding="utf-8") as file:
            return json.load(file)["verdict"]

    def is_hang_status(self, status):
        """MPICH's launcher ends the others when the first has ended, and may give their status instead."""
        return status == HANG_STATUS or (self.options.mpi == "mpich" and status == 9)

    def has_verdict(self):
        return os.path.exists(os.path.join(self.recording, "verdict.txt"))


def stops(jobs):
    result = jobs.run("spin", 4, ["--on-hang", "stop", "--hang-timeout", "4"])
    check(jobs.is_hang_status(result.returncode), f"status {result.returncode}: {result.stderr}")
    check(result.said == 1, f"it was said {result.said} times: {result.stderr}")
    verdict = jobs.verdict()
    check(verdict["state"] == "hung" and verdict["findings"][0]["ranks"] == "1", verdict["summary"])
    check(verdict["headline"].rstrip(".") in " ".join(result.stderr.split()) or verdict["summary"][:40] in " ".join(result.stderr.split()),
          f"the verdict is said: {result.stderr}")


def tells_and_leaves(jobs):
    result = jobs.run("mismatch", 4, ["--on-hang", "analyze", "--hang-timeout", "3"], limit=25)
    check(result.returncode == STILL_RUNNING, f"the job is left alone, not ended with {result.returncode}: {result.stderr}")
    check(result.said == 1, f"it was said {result.said} times: {result.stderr}")
    check(jobs.verdict()["state"] == "hung", "it hangs")


def by_itself(jobs):
    """Without a time: from the samples of a job that has run for a while."""
    result = jobs.run("deadlock", 30, ["--on-hang", "stop"])
    check(jobs.is_hang_status(result.returncode), f"status {result.returncode}: {result.stderr}")
    check(result.said == 1 and jobs.verdict()["state"] == "hung", result.stderr)
    check(jobs.verdict()["facts"]["kind"] == "deadlock", jobs.verdict()["summary"])


def sound(jobs):
    for how in ("sound", "one-checkpoint"):
        result = jobs.run(how, 16, ["--on-hang", "stop"])
        check(result.returncode == 0 and result.stdout == "finished\n", f"{how}: {result.returncode} {result.stdout} {result.stderr}")
        check("laggard" not in result.stderr and not jobs.has_verdict(), f"{how}: nothing is said: {result.stderr}")


def command(jobs):
    told = os.path.join(jobs.folder, "told")
    jobs.run("spin", 4, ["--on-hang", f'cp "$LAGGARD_VERDICT" {told}; basename "$LAGGARD_RECORDING"', "--hang-timeout", "4"], limit=30)
    with open(told, encoding="utf-8") as copy, open(os.path.join(jobs.recording, "verdict.txt"), encoding="utf-8") as verdict:
        check(copy.read() == verdict.read(), "the command gets the verdict")
    with open(os.path.join(jobs.recording, "on-hang.log"), encoding="utf-8") as log:
        check(log.read() == "recording\n", "what it prints is kept")


def killed_watcher(jobs):
    """Who watches is killed: the other one takes its place."""
    with subprocess.Popen(jobs.line("spin", 8, ["--on-hang", "stop", "--hang-timeout", "4"]), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as job:
        until = time.monotonic() + 60
        while len(watchers(jobs.recording)) != 2 and time.monotonic() < until:
            time.sleep(0.05)
        two = watchers(jobs.recording)
        check(len(two) == 2, f"one watches and one stands by, of four ranks: {len(two)}")
        os.kill(two[0], signal.SIGKILL)
        _, errors = job.communicate()
    check(jobs.is_hang_status(job.returncode) and errors.count(SAYS) == 1, f"{job.returncode}: {errors}")


def harmless(jobs):
    """A program finds the same children, descriptors, session and processors; and who reads its output is not kept waiting."""
    # Without a pipe, which would be a descriptor of the shell for a moment.
    script = 'set -- /proc/$$/fd/*; echo $#; ps --no-headers --ppid $$ -o comm; ps -o sid= -p $$ | tr -d " "; nproc; kill -l >/dev/null'
    line = [jobs.options.record, "-o", jobs.recording, "--mpi", jobs.options.mpi]
    end = ["--", "/bin/sh", "-c", script]
    without = subprocess.run(line + end, capture_output=True, text=True, check=True).stdout
    start = time.monotonic()
    watched = subprocess.run(line + ["--on-hang", "stop"] + end, capture_output=True, text=True, check=True).stdout
    check(without == watched, f"without: {without}with: {watched}")
    check(time.monotonic() - start < 60, "its output ended with it")


def mistakes(jobs):
    for words in (["--on-hang", ""], ["--on-hang", "stop", "--hang-timeout", "0"]):
        result = subprocess.run([jobs.options.record, *words, "--", "true"], capture_output=True, text=True, check=False)
        check(result.returncode == 2 and result.stderr, f"{words}: {result.returncode} {result.stderr}")


CASES = [mistakes, harmless, stops, tells_and_leaves, by_itself, sound, command, killed_watcher]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--record", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--mpi", choices=["mpich", "openmpi"], default="mpich")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    failed = 0
    for case in CASES:
        if options.cases and case.__name__ not in options.cases:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                case(Jobs(options, folder))
                print(f"passed: {case.__name__}", flush=True)
            except Failure as failure:
                failed += 1
                print(f"FAILED: {case.__name__}: {failure}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
