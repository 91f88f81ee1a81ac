# SPDX-License-Identifier: GPL-3.0-or-later
"""How well the rule of progress dependence names a hung rank by itself: recall, isolation and imprecision of PDI §5.2."""
import collections
import json
import os
import subprocess

import judge

SOURCES = ["recording", "otf2", "models"]
USER_SHARE = 0.8  # PDI §5.2 injects into 20 calls of the program and 5 of MPI
USER, MPI = "INF_LOOP in user code", "INF_LOOP inside MPI"


def convert_to_models(analyzer, recording, file):
    """The recording's model dump without what tells of waits; a sentence if that fails."""
    done = subprocess.run([analyzer, recording, "--to-model", file, "--only", "progress"], capture_output=True, text=True,
                          errors="replace", check=False)
    if done.returncode != 0:
        return f"--to-model ended with {done.returncode}: {done.stderr.strip()[-300:]}"
    with open(file, encoding="utf-8") as text:
        dump = json.load(text)
    for section in ("waits", "pending", "semi_markov"):
        dump.pop(section, None)
    with open(file, "w", encoding="utf-8") as text:
        json.dump(dump, text)
    return ""


def analyse(analyzer, place):
    """The report as JSON, or a sentence that says why there is none."""
    done = subprocess.run([analyzer, place, "--only", "progress", "--json", "-"], capture_output=True, text=True, errors="replace",
                          check=False)
    if done.returncode != 0:
        return None, f"laggard-analyze ended with {done.returncode}: {done.stderr.strip()[-300:]}"
    return json.loads(done.stdout), ""


def place_of(analyzer, recording, source):
    """What is to be analysed, beside the recording, and a sentence if it cannot be made."""
    folder = os.path.dirname(recording)
    if source == "otf2":
        place = os.path.join(folder, "otf2")
        return place, judge.convert(analyzer, recording, place)
    if source == "models":
        place = os.path.join(folder, "models.json")
        return place, convert_to_models(analyzer, recording, place)
    return recording, ""


def judged(run, source, report, error):
    """A line for rule.jsonl."""
    line = {"case": run["case"], "fault": run["fault"], "program": run["program"], "source": source}
    if report is None:
        return line | {"error": error, "named": [], "recall": False, "isolated": False, "perfect": False, "imprecision": 0.0}
    accepted, rule = judge.accepted_ranks(run["truth"]), report["progress"]["rule"]
    named, alone = rule["least_progressed"], judge.ranks_of(rule["alone"])
    wrong = [rank for rank in named if rank not in accepted]
    recall = any(rank in accepted for rank in named)
    return line | {"accepted": accepted, "named": named, "confidence": rule["confidence"], "edges": rule["edges"],
                   "agreement": rule["agreement"], "recall": recall, "perfect": recall and not wrong,
                   "isolated": not recall and any(rank in alone for rank in accepted),
                   "imprecision": len(wrong) / len(named) if named else 0.0, "why": rule["why"]}


def share(lines, key):
    return sum(line[key] for line in lines) / len(lines)


def row(name, lines):
    silent = sum(1 for line in lines if not line["named"])
    cells = [name, str(len(lines))] + [f"{100 * share(lines, key):.0f} %" for key in ("recall", "perfect", "isolated", "imprecision")]
    return "| " + " | ".join(cells + [str(silent)]) + " |"


def mixed_row(name, lines):
    """As if four of five faults were in the program and one in MPI."""
    parts = [[line for line in lines if line["fault"] == fault] for fault in (USER, MPI)]
    if not all(parts):
        return None
    weights = (USER_SHARE, 1 - USER_SHARE)
    cells = [name, "4 : 1"] + [f"{100 * sum(w * share(part, key) for w, part in zip(weights, parts)):.0f} %"
                               for key in ("recall", "perfect", "isolated", "imprecision")]
    return "| " + " | ".join(cells + [""]) + " |"


def print_table(lines, source, by_program):
    groups = collections.OrderedDict()
    for line in lines:
        if line["source"] == source:
            groups.setdefault(f"{line['fault']}, {line['program']}" if by_program else line["fault"], []).append(line)
    print("| fault | runs | recall | perfect precision | isolation | imprecision | nobody named |\n|---|---|---|---|---|---|---|")
    for name, some in groups.items():
        print(row(name, some))
    mixed = mixed_row("as PDI's faults", [line for line in lines if line["source"] == source])
    if mixed and not by_program:
        print(mixed)
    print()


def print_calibration(lines):
    """Of what is said with some confidence, how much names the rank."""
    print("| confidence | answers | hold the rank | nobody else |\n|---|---|---|---|")
    for low, high in ((0.9, 1.01), (0.7, 0.9), (0.5, 0.7), (0.3, 0.5), (0.0, 0.3)):
        some = [line for line in lines if line["named"] and low <= line["confidence"] < high]
        if some:
            print(f"| {low:.1f} to {min(high, 1):.1f} | {len(some)} | {100 * share(some, 'recall'):.0f} % | {100 * share(some, 'perfect'):.0f} % |")
    print()
