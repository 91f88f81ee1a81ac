# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what laggard-analyze says of a faulty program of tests/programs/cases/faults with the truth about it."""
import os
import re
import shutil

import judge

# Words of a verdict by which a class of fault is recognised: the progress graph's kind, or the summary's sentences.
KINDS = {
    "deadlock": ["deadlock"], "missing-send": ["missing_send", "left_early"], "missing-receive": ["missing_receive"], "not-started": ["missing_send"],
    "left-early": ["left_early", "missing_send"], "missing-call": ["left_early", "mismatch", "missing_call"], "mismatch": ["mismatch"],
    "spin": ["computing"], "lock": ["lock"], "epoch": ["epoch"], "stopped": ["stopped"],
}
WORDS = {
    "deadlock": r"circle|deadlock|each other",
    "missing-send": r"never sent|(has|have) (sent nothing|not sent)|did not send|(was|were|is) not sent|nothing was sent|no message|not (been )?made",
    "missing-receive": r"nobody|not taken|unreceived|not received|no receive|never received|does not receive|not called",
    "misfit": r"\bfit|unreceived|another tag|other tag|another communicator|on communicator|lies|not taken|does not ask",
    "taken": r"\btook\b|unreceived|\btaken\b|was got",
    "not-started": r"not started|never started|not (marked )?(as many partitions )?ready|Pready|never sent|not sent|no receive|not taken|nobody",
    "self": r"itself",
    "left-early": r"\bleft\b|Finalize|finished|never sent|early",
    "missing-call": r"Finalize|\bleft\b|not (entered|called|made)|does not call|did not call|skipped|mismatch|disagree|other collective|another collective",
    "mismatch": r"disagree|mismatch|does not match|do not match|another (collective|root)|differ",
    "lock": r"\block",
    "epoch": r"\bepoch|\bpost|\bcomplete|\bfence|\bstarted|\bwindow",
    "crash": r"signal|segmentation|SIG|fault|aborted",
    "killed": r"SIGKILL|killed", "overflow": r"overflow",
    "abort": r"abort",
    "exit": r"\bexit|return|without MPI_Finalize|ended",
    "error": r"error|invalid|MPI_ERR|wrong",
    "truncation": r"too large|truncat|larger",
    "spin": r"comput|own code|spin|between",
    "stopped": r"stopped|SIGSTOP",
    "thread": r"thread",
    "unreceived": r"unreceived|not received|nobody|never received|left over",
    "missing-wait": r"not (been )?(waited|completed)|never (waited|completed)|without (a )?wait",
    "datatype": r"datatype", "exchange": r"without end|again and again",
    "slow": r"wait most|slow|longer", "any": r"", "returned-error": r"", "none": r"",
}
NOBODY = {"none", "returned-error"}  # classes of which nothing is to be said


# Names of the program's own functions and files, which often say what the fault is.
NAMES = re.compile(r"[\w.]+ \([\w.-]+:\d+\)|\([\w.-]+:\d+\)|\b(?!P?MPI_)\w*_\w+|\b[\w-]+\.c\b")


def class_is_right(report, truth):
    if truth["class"] in NOBODY:
        return True
    said = NAMES.sub("", report["verdict"]["summary"])
    return report.get("progress", {}).get("kind", "") in KINDS.get(truth["class"], []) or bool(re.search(WORDS[truth["class"]], said, re.I))


# Classes that nobody can tell apart who sees only who waits for whom: a lesser demand than the class itself.
FAMILIES = [{"deadlock", "missing-send", "missing-receive", "misfit", "taken", "not-started", "self", "left-early"}, {"missing-call", "mismatch", "left-early"},
            {"lock", "epoch"}, {"crash", "abort", "exit", "error", "truncation"}]


def family_is_right(report, truth):
    """Whether the verdict is of the class, or of one that is much like it."""
    alike = {truth["class"]}.union(*(family for family in FAMILIES if truth["class"] in family))
    return any(class_is_right(report, truth | {"class": one}) for one in alike)


def line_is_named(report, truth):
    """Whether the summary names a line of the fault; None if the fault has no line."""
    if not truth["lines"] or not truth["accept"] or truth["class"] in NOBODY:
        return None
    said = report["verdict"]["summary"]
    return any(re.search(rf"({re.escape(truth['file'])}:|\blines? ){line}\b", said) for line in truth["lines"])


def judged(variant, source, report, error):
    """A line for verdicts.jsonl."""
    truth = variant.truth
    line = {"case": f"{variant.program}/{variant.key}", "source": source, "program": variant.program, "name": variant.name, "truth": truth}
    if report is None:
        return line | {"error": error, "state": "", "state_right": False, "ranks_right": False, "class_right": False, "family_right": False,
                       "line_right": False,
                       "false": [], "confidence": 0.0, "named": [], "summary": error}
    verdict = report["verdict"]
    named = sorted(set(judge.named_ranks(report)))
    accepted, tolerated = set(truth["accept"]), set(truth["tolerate"])
    says_nobody = "finished" in truth["state"] or not accepted
    if says_nobody:  # silence about a job that did its work is no mistake of ranks; classes are counted apart
        ranks_right = set(named) <= accepted | tolerated
    else:
        ranks_right = bool(named) and set(named) <= accepted | tolerated and bool(accepted & set(named))
    return line | {
        "state": verdict["state"], "state_right": verdict["state"] in truth["state"].split("|"), "ranks_right": ranks_right,
        "class_right": class_is_right(report, truth), "family_right": family_is_right(report, truth), "line_right": line_is_named(report, truth),
        "named": named, "false": sorted(set(named) - accepted - tolerated), "confidence": verdict["confidence"],
        "kind": report.get("progress", {}).get("kind", ""), "summary": verdict["summary"]}


def judge_variant(analyzer, variant, folder, sources):
    """Lines for verdicts.jsonl, one for each source (judge.report_of). OTF2 alone does not tell how processes ended."""
    for source in sources:
        if source == "foreign" and variant.truth["state"] == "crashed":
            continue
        try:
            report, error = judge.report_of(analyzer, os.path.join(folder, "recording"), folder, source)
        except ValueError as problem:  # no JSON
            report, error = None, str(problem)
        yield judged(variant, source, report, error)
        if source != "recording":
            shutil.rmtree(os.path.join(folder, source), ignore_errors=True)
