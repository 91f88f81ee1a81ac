# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what the semi-Markov models say of a run with the truth about its fault."""
import json
import re
import subprocess

import judge
import model_cases

STATE = re.compile(r"^(after )?(\S+?)(?: of (?:\S+))?(?: in (.+?))?(?: \([^()]*:\d+\))?$")


def analyse(analyzer, recording, references, distribution, threads):
    line = [analyzer, recording, "--only", "phases,clusters,transitions", "--json", "-", "--distribution", distribution,
            "--threads", str(threads)]
    for reference in references:
        line += ["--reference", reference]
    done = subprocess.run(line, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        return None, f"laggard-analyze ended with {done.returncode}: {done.stderr.strip()[-300:]}"
    return json.loads(done.stdout), ""


def parts(state):
    """(is computation, operation, caller) of a state in words."""
    found = STATE.match(state)
    if not found:
        return False, state, ""
    return bool(found[1]), found[2], judge.short(found[3] or "")


def is_at(state, truth, after):
    """Whether the state is the call that the truth is about, or (after) the code behind it."""
    computation, operation, caller = parts(state)
    function = judge.short(truth.get("function") or "")
    return computation == after and operation == truth["operation"] and (not caller or not function or caller == function)


def is_right_transition(entry, truth):
    """Whether the fault lies in the transition; of messages, whether it leads into or out of the call that sent it."""
    place = truth.get("place")
    if truth.get("operation") is None or place == "function":
        return judge.short(entry.get("function", "")) == judge.short(truth["function"])
    if place == "before":
        return is_at(entry["to"], truth, False)
    if place == "inside":
        return is_at(entry["from"], truth, False)
    if place == "after":
        return is_at(entry["from"], truth, True)
    return any(is_at(entry[end], truth, after) for end in ("from", "to") for after in (False, True))


def first_right(entries, truth):
    """Place of the first right one among the first five, from 1; 0 if there is none."""
    return next((place for place, entry in enumerate(entries[:5], 1) if is_right_transition(entry, truth)), 0)


def ranks_of_cluster(report, identifier):
    clusters = report["clusters"]["all"]
    return next((judge.ranks_of(cluster["ranks"]) for cluster in clusters if cluster["id"] == identifier), [])


def ranks_with_verdict(report):
    """Those of the verdict's cluster that the verdict sets apart, or all of it where the cut does so by itself."""
    apart = report["clusters"]["set_apart"]
    return judge.ranks_of(apart["ranks"]) if apart else ranks_of_cluster(report, report["clusters"]["faulty"])


def is_right_set(ranks, accepted, everybody):
    """A set that is named helps if it has the rank and is not most of the job."""
    return len(ranks) <= everybody / 2 and any(rank in ranks for rank in accepted)


def is_alone(ranks, accepted):
    return len(ranks) == 1 and ranks[0] in accepted


def judged(run, mode, distribution, report, error):
    """A line for model-verdicts.jsonl."""
    line = {"case": run["case"], "fault": run["fault"], "program": run["program"], "mode": mode, "distribution": distribution}
    if report is None or "phases" not in report:
        return line | {"error": error or "the report has no phases"}
    phases = report["phases"]
    line |= {"kind": phases["kind"], "phase": phases["faulty"], "phases": len(phases["scores"]), "found_by": phases["found_by"],
             "confidence": phases["confidence"], "why": phases["why"]}
    if run["fault"] == model_cases.NO_FAULT:
        return line
    truth = run["truth"]
    phase, everybody = model_cases.phase_of(run), run["ranks"]
    accepted = judge.accepted_ranks(truth)  # of messages, both ends
    cut = ranks_of_cluster(report, report["clusters"]["faulty"])
    cluster = ranks_with_verdict(report)
    named = judge.ranks_of(phases["ranks"])
    transitions = report["transitions"]
    line |= {
        "true_phase": phase,
        "phase_right": phases["faulty"] == phase,
        "phase_near": phases["faulty"] is not None and phase is not None and abs(phases["faulty"] - phase) <= 1,
        "named": named,
        "rank_right": is_right_set(named, accepted, everybody),
        "cut": cut,  # the cluster that has the verdict's rank, as it was cut
        "cut_right": is_right_set(cut, accepted, everybody),
        "cut_alone": is_alone(cut, accepted),
        "cluster": cluster,  # with what the verdict sets apart: this says what the verdict says
        "cluster_right": is_right_set(cluster, accepted, everybody),
        "alone": is_alone(cluster, accepted),
        "place": first_right(transitions, truth),
        "phase_methods": {entry["method"]: entry["faulty"] == phase for entry in phases["methods"]},
        "cluster_methods": {},
        "cluster_methods_alone": {},
        "transition_methods": {},
    }
    for entry in report["clusters"]["methods"]:
        ranks = ranks_of_cluster(report, entry["faulty"])
        line["cluster_methods"][entry["method"]] = is_right_set(ranks, accepted, everybody)
        line["cluster_methods_alone"][entry["method"]] = is_alone(ranks, accepted)
    for entry in report["transition_methods"]:
        line["transition_methods"][entry["method"]] = first_right(entry["transitions"], truth)
    return line
