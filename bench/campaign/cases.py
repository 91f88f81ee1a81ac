# SPDX-License-Identifier: GPL-3.0-or-later
"""What the campaign runs: programs, faults, seeds. A case is drawn from its name alone, so it is the same every time."""
import dataclasses
import random
import subprocess
import zlib

PROGRAMS = ["stencil", "cg", "transform", "wavefront", "multigrid", "adi", "master-worker", "buffered-io"]

# Steps that let 16 ranks on two cores run for one to three seconds without a fault.
STEPS = {"stencil": 30, "cg": 30, "transform": 12, "wavefront": 24, "multigrid": 12, "adi": 20, "master-worker": 10, "buffered-io": 20}

# Problems in which a rank computes for some ten milliseconds at a time, so that slow computing outlasts its turns at the processor.
LARGE = {"stencil": 2048, "cg": 3072, "transform": 128, "wavefront": 512, "multigrid": 4096, "adi": 2560, "master-worker": 1000,
         "buffered-io": 200000}

# The recorder's faults: name in tables -> specification; what they hit is drawn from a census of the program.
INJECTED = {
    "INF_LOOP in user code": "INF_LOOP:at=function",
    "INF_LOOP inside MPI": "INF_LOOP:at=inside",
    "DROP_MESG": "DROP_MESG",
    "FIN_LOOP": "FIN_LOOP:seconds=1,at=function",
    "SLOW": "SLOW:factor=4",
}
# Faults that the programs have themselves, by what is expected at the end.
OWN = ["spin", "skipped-send", "early-exit", "deadlock", "mismatch", "interception", "lost-credits", "crash", "abort", "slow"]


@dataclasses.dataclass
class Case:
    family: str  # "injected" or "own"
    fault: str
    program: str
    number: int  # of the seed: 1, 2, …
    ranks: int
    variant: str = ""  # "-plain": functions are not announced

    @property
    def name(self):
        fault = self.fault.replace(" ", "-")
        return f"{self.family}/{fault}/{self.program}{self.variant}/{self.ranks}/{self.number}"

    @property
    def seed(self):
        return zlib.crc32(self.name.encode()) % 1_000_000

    def program_arguments(self, attempt):
        """Of the program; a rank that a program refuses is drawn anew by the next attempt."""
        steps = STEPS.get(self.program, 20)
        arguments = ["--steps", str(steps)]
        if self.fault in ("SLOW", "slow"):
            arguments += ["--size", str(LARGE[self.program])]
        if self.family == "own":
            draw = random.Random(f"{self.name}/{attempt}")
            rank, step = draw.randrange(self.ranks), draw.randint(steps // 4, steps - 1)
            arguments += ["--fault", self.fault, "--fault-rank", str(rank), "--fault-step", str(step)]
        return arguments

    def specification(self, census):
        """Of --inject, or nothing."""
        if self.family == "own":
            return None
        text = INJECTED[self.fault]
        draws = [f"seed={self.seed}"] + ([f"census={census}"] if not self.fault == "SLOW" else [])
        return text + ("," if ":" in text else ":") + ",".join(draws)

    def ends(self):
        """How a run of it ends if nothing goes wrong: "hang" runs are ended some time after the fault struck."""
        if self.fault in ("FIN_LOOP", "SLOW", "slow"):
            return "finish"
        return self.fault if self.fault in ("crash", "abort") else "hang"


def own_faults(folder, program):
    """The faults that the program's --help lists."""
    text = subprocess.run([f"{folder}/{program}", "--help"], capture_output=True, text=True, check=True).stdout
    line = next(line for line in text.splitlines() if line.startswith("Faults:"))
    return [fault for fault in line.split()[1:] if fault in OWN]


def cases(folder, families, faults, programs, seeds, ranks, variant):
    """All that the choice admits, in the order in which they are run."""
    if "injected" in families:
        for fault in INJECTED:
            for program in programs:
                for number in seeds:
                    if not faults or fault in faults:
                        yield Case("injected", fault, program, number, ranks, variant)
    if "own" in families:
        for fault in OWN:
            for program in programs:
                if (not faults or fault in faults) and fault in own_faults(folder, program):
                    for number in seeds:
                        yield Case("own", fault, program, number, ranks, variant)
