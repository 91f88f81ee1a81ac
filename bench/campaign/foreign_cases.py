# SPDX-License-Identifier: GPL-3.0-or-later
"""The faulty programs of tests/programs/cases/faults, in variants: each program tells its cases and the truth about each variant itself."""
import dataclasses
import hashlib
import json
import os
import random
import shutil
import subprocess
import threading

PROGRAMS = ["matching-cases", "matching-order-cases", "collective-cases", "collective-argument-cases", "onesided-cases", "ending-cases",
            "error-cases", "compute-cases", "loop-cases", "request-cases", "group-cases", "thread-cases", "sound-cases"]
# enum varies of faults.h
ON_ANY_COMM, ANY_SIZE, LONG, ANY_STYLE, WARM, ANY_END, ANY_ERRORS = 1, 2, 4, 8, 16, 32, 64
STILL_RUNNING = 124  # of run-program


@dataclasses.dataclass
class Variant:
    """One way to run a case, and what is true about it."""
    program: str
    name: str
    ranks: int
    options: dict
    truth: dict

    @property
    def key(self):
        return "_".join([self.name, f"n{self.ranks}"] + [str(value) for value in self.options.values()])

    def arguments(self):
        return ["--case", self.name, "--ranks", str(self.ranks)] + [word for name, value in self.options.items() for word in (f"--{name}", str(value))]


def folder_of(build, openmpi):
    return os.path.join(build, "tests", "programs", "faults" + ("-openmpi" if openmpi else ""))


def ask(program, arguments):
    """The JSON lines that a program prints about itself, without MPI."""
    done = subprocess.run([program] + arguments, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def options_of(case, number, ranks):
    """The first variant is the plain one; the others are drawn, always the same ones."""
    varies, draw = case["varies"], random.Random(f"{case['file']} {case['case']} {number}")
    comms = ["world", "dup"] + (["split"] if ranks // 2 >= case["least"] else [])
    choices = {
        "comm": comms if varies & ON_ANY_COMM else ["world"],
        "size": ["short", "long"] if varies & ANY_SIZE else ["long" if varies & LONG else "short"],
        "style": ["blocking", "nonblocking", "persistent"] if varies & ANY_STYLE else ["blocking"],
        "warm-up": [1, 0, 10] if varies & WARM else [0],
        "first": [1] + [first for first in range(ranks) if first != 1],
        "ending": ["barrier", "finalize", "test"] if varies & ANY_END else ["barrier"],
        "errors": ["fatal", "return"] if varies & ANY_ERRORS else ["fatal"],
    }
    if number == 1 and varies & ANY_ERRORS:  # each error both ways
        choices["errors"] = ["return"]
    return {name: values[0] if number == 0 else draw.choice(values) for name, values in choices.items()}


def variants(build, ranks, number, openmpi=False, wanted=""):
    """All variants whose key contains what is wanted."""
    for program in PROGRAMS:
        path = os.path.join(folder_of(build, openmpi), program)
        if not os.path.exists(path):
            continue
        for case in ask(path, ["--list", "--ranks", str(ranks)]):
            if ranks < case["least"]:
                continue
            seen = set()
            for i in range(number):
                variant = Variant(program, case["case"], ranks, options_of(case, i, ranks), {})
                if variant.key in seen or (wanted not in variant.key and wanted not in program):
                    continue
                seen.add(variant.key)
                variant.truth = ask(path, ["--truth"] + variant.arguments())[0]
                yield variant


def world_of(status):
    """What a job looked like from outside."""
    return {0: "finished", STILL_RUNNING: "hung"}.get(status, "crashed")


class Runner:
    """Runs variants, with the recorder or without."""

    def __init__(self, build, results, openmpi, patience, limit):
        self.build, self.results, self.openmpi, self.patience, self.limit = build, results, openmpi, patience, limit
        self.recorder = os.path.join(build, "collect", "launch", "laggard-record")

    def program(self, name):
        """A copy of the program that stays as it is: source lines of a recording are found only in the file that was recorded."""
        built = os.path.join(folder_of(self.build, self.openmpi), name)
        with open(built, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()[:12]
        copy = os.path.join(self.results, "programs", digest, name)
        if not os.path.exists(copy):
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copy2(built, f"{copy}.{os.getpid()}.{threading.get_ident()}")
            os.replace(f"{copy}.{os.getpid()}.{threading.get_ident()}", copy)
        return copy

    def folder(self, variant):
        return os.path.join(self.results, "runs", variant.program, variant.key)

    def command(self, variant, recording):
        line = [os.path.join(self.build, "tests", "programs", "run-program"), "-n", str(variant.ranks), "--limit", str(self.limit)]
        line += ["--openmpi"] if self.openmpi else []
        strike = os.path.join(self.folder(variant), "strike")
        if {"hung", "running"} & set(variant.truth["state"].split("|")):
            line += ["--after", strike, str(self.patience)]
        line.append("--")
        if recording:
            line += [self.recorder, "-o", recording, "--hang-timeout", str(self.patience / 4), "--mpi", "openmpi" if self.openmpi else "mpich", "--"]
        return line + [self.program(variant.program)] + variant.arguments() + ["--strike", strike]
