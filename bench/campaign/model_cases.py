# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs for semi-Markov models: faults as in AutomaDeD §5.1, and runs without any as their samples."""
import dataclasses
import random

import cases

# SLOW is the programs' own fault: from a step on, the main computation of a rank takes five times as long.
FAULTS = {
    "FIN_LOOP": "FIN_LOOP:seconds=1",
    "INF_LOOP": "INF_LOOP",
    "DROP_MESG": "DROP_MESG",
    "REP_MESG": "REP_MESG",
    "SLOW": None,
    "CPU_THR": "CPU_THR",
    "MEM_THR": "MEM_THR",
}
SAMPLES = 10
NO_FAULT = "none"

# Each step is a phase. Runs of two to four seconds with 8 ranks on two cores, in which computing outlasts the turns at the processor.
STEPS = {"stencil": 24, "cg": 24, "transform": 12, "wavefront": 20, "multigrid": 12, "adi": 16, "master-worker": 12, "buffered-io": 20}


@dataclasses.dataclass
class ModelCase(cases.Case):
    """A run of a program under the recorder; the family is "injected", "own" or "sample"."""

    @property
    def name(self):
        return f"models/{self.fault}/{self.program}/{self.ranks}/{self.number}"

    def program_arguments(self, attempt):
        steps = STEPS[self.program]
        arguments = ["--steps", str(steps), "--size", str(cases.LARGE[self.program])]
        if self.family == "own":
            draw = random.Random(f"{self.name}/{attempt}")
            # There is something before the shift, and something after it.
            rank, step = draw.randrange(self.ranks), draw.randint(steps // 4, steps - steps // 4)
            arguments += ["--fault", "slow", "--fault-rank", str(rank), "--fault-step", str(step)]
        return arguments

    def specification(self, census):
        if self.family != "injected":
            return None
        text = FAULTS[self.fault]
        return text + ("," if ":" in text else ":") + f"seed={self.seed},census={census}"

    def ends(self):
        return "hang" if self.fault in ("INF_LOOP", "DROP_MESG") else "finish"


def samples(program, ranks):
    return [ModelCase("sample", NO_FAULT, program, number, ranks) for number in range(1, SAMPLES + 1)]


def faulty(faults, programs, seeds, ranks):
    """In an order in which every cell grows at the same pace."""
    for number in seeds:
        for program in programs:
            for fault in faults:
                yield ModelCase("own" if FAULTS[fault] is None else "injected", fault, program, number, ranks)


def phase_of(run):
    """Index of the phase that the fault struck in; None before the first and after the last. Each step is one."""
    truth = run["truth"]
    if "step" in truth:
        return truth["step"] - 1
    return truth["phases"] - 1 if 0 < truth["phases"] <= STEPS[run["program"]] else None
