# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the analysis of a run with the truth about its fault."""
import json
import os
import re
import shutil
import subprocess


def analyse(analyzer, recording):
    """The report as JSON, or a sentence that says why there is none."""
    done = subprocess.run([analyzer, recording, "--json", "-"], capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        return None, f"laggard-analyze ended with {done.returncode}: {done.stderr.strip()[-300:]}"
    return json.loads(done.stdout), ""


def convert(analyzer, recording, folder):
    """Writes the recording as an OTF2 archive; a sentence if that fails."""
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run([analyzer, recording, "--to-otf2", folder], capture_output=True, text=True, errors="replace", check=False)
    return "" if done.returncode == 0 else f"--to-otf2 ended with {done.returncode}: {done.stderr.strip()[-300:]}"


def forget_own_attributes(folder):
    """Renames the attributes and properties in which an archive of ours says more than OTF2 has room for, so that it is as others write them."""
    for place, _, files in os.walk(folder):
        for name in files:
            if name.endswith((".def", ".otf2")):
                path = os.path.join(place, name)
                with open(path, "rb") as file:
                    content = file.read()
                with open(path, "wb") as file:
                    file.write(content.replace(b"LAGGARD_", b"FOREIGN_"))


def ranks_of(text):
    """"0-2,5" as a list."""
    ranks = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        ranks += range(int(first), int(last or first) + 1)
    return ranks


def short(function):
    """A function's name without template arguments, parameters and namespaces; Fortran's without its module."""
    function = function.replace("(anonymous namespace)::", "")
    name = re.sub(r"<.*>|\(.*\)|\[.*\]", "", function).strip().rstrip("_")
    name = re.sub(r"^__\w+_MOD_", "", name)
    return name.split("::")[-1].split(" ")[-1]


def stack_of(report, rank):
    """Functions of the node that the rank is in, innermost first."""
    for node in report.get("progress", {}).get("nodes", []):
        if rank in ranks_of(node["ranks"]):
            return [short(frame["function"]) for frame in node["state"]["stack"]]
    return []


def named_ranks(report):
    """Whom the report names: of a hung job those that made the least progress, else those of the first finding. Outliers are
    named together ("ranks 0 and 14 compute differently")."""
    if report["verdict"]["state"] == "hung":
        return report["progress"]["least_progressed"]
    findings = report["verdict"]["findings"]
    if findings and findings[0]["method"] == "outliers":
        return sorted({rank for one in findings if one["method"] == "outliers" for rank in ranks_of(one["ranks"])})
    return ranks_of(findings[0]["ranks"]) if findings else []


def named_pairs(report):
    """(from, to) of messages that the report says are missing."""
    progress = report.get("progress", {})
    missing = progress.get("missing_sends", []) + progress.get("lost_messages", [])
    return [(entry["from"], entry["to"]) for entry in missing]


def accepted_ranks(truth):
    if "accept" in truth:
        return truth["accept"]
    peer = (truth.get("message") or {}).get("peer")
    return [truth["rank"]] + ([peer] if peer is not None else [])


def expected_functions(truth):
    """Any of these is a right answer: the function with the fault, the operation that the rank is stuck in."""
    return {short(name) for name in (truth.get("function"), truth.get("operation")) if name}


def pair_is_right(report, truth, named):
    """Whether sender and receiver of the missing message are named; None if there is none."""
    peer = truth.get("peer") if "accept" in truth else (truth.get("message") or {}).get("peer")
    if peer is None:
        return None
    return (truth["rank"], peer) in named_pairs(report)[:1] or sorted(named) == sorted((truth["rank"], peer))


def judged(run, source, report, error):
    """A line for verdicts.jsonl."""
    line = {"case": run["case"], "source": source}
    if report is None:
        return line | {"error": error, "recall": False, "alone": False, "named": [], "function_right": False, "pair_right": None}
    truth, named = run["truth"], named_ranks(report)
    accepted = accepted_ranks(truth)
    findings = report["verdict"]["findings"]
    function = short(findings[0]["function"]) if findings else ""
    stack = stack_of(report, truth["rank"])
    expected = expected_functions(truth)
    mentioned = {short(word.strip(",.;:()")) for word in report["verdict"]["summary"].split()}
    function_right = None  # a fault that is everywhere (SLOW) has no function of its own
    in_user_code = run["fault"] in ("spin", "INF_LOOP in user code", "slow", "FIN_LOOP")
    if expected:
        function_right = function in expected or bool(expected & (mentioned if in_user_code else mentioned | set(stack)))
    return line | {
        "state": report["verdict"]["state"],
        "kind": report.get("progress", {}).get("kind", ""),
        "confidence": report["verdict"]["confidence"],
        "named": named,
        "recall": any(rank in accepted for rank in named),
        "alone": len(named) == 1 and named[0] in accepted,
        "function": function,
        "function_right": function_right,
        "pair_right": pair_is_right(report, truth, named),
        "summary": report["verdict"]["summary"],
        "events": report["trace"]["events"],
        "warnings": [warning["message"] for warning in report["trace"]["warnings"]],
    }


def report_of(analyzer, recording, folder, source):
    """The report on a "recording", on its conversion ("otf2"), or on one without what only Laggard writes ("foreign"); or what went wrong."""
    if source == "recording":
        return analyse(analyzer, recording)
    place = os.path.join(folder, source)
    error = convert(analyzer, recording, place)
    if error:
        return None, error
    if source == "foreign":
        forget_own_attributes(place)
    return analyse(analyzer, place)


def judge_run(analyzer, run, folder, sources):
    """Lines for verdicts.jsonl, one for each source ("recording", "otf2", "foreign")."""
    recording = os.path.join(folder, "recording")
    for source in sources:
        report, error = report_of(analyzer, recording, folder, source)
        yield judged(run, source, report, error)
