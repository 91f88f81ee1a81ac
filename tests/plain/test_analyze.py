#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""laggard-analyze of a build without Qt: verdict, JSON, HTML and pictures of the examples; what it cannot do it says.

Usage: test_analyze.py --analyze FILE --examples FOLDER --layout yes|no
"""
import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import xml.dom.minidom

parser = argparse.ArgumentParser()
parser.add_argument("--analyze", required=True)
parser.add_argument("--examples", required=True)
parser.add_argument("--layout", choices=["yes", "no"], required=True)
options = parser.parse_args()


def analyze(*words):
    return subprocess.run([options.analyze, *words], capture_output=True, text=True, check=False)


def full():
    """No file may grow, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


recording = os.path.join(options.examples, "hung-stencil-recorded")
archive = os.path.join(options.examples, "hung-stencil", "traces.otf2")
with tempfile.TemporaryDirectory() as folder:
    def path(name):
        return os.path.join(folder, name)

    for trace in (recording, archive):
        result = analyze(trace, "--json", path("report.json"), "--report", path("report.html"), "--pdg", path("graph.dot"))
        check(result.returncode == 0 and "rank 3" in result.stdout.lower(), f"{trace}: {result.stdout}{result.stderr}")
        with open(path("report.json"), encoding="utf-8") as file:
            report = json.load(file)
        check(report["schema"] == "laggard.report/1" and report["verdict"]["findings"][0]["ranks"] == "3", "rank 3 is named")
        with open(path("report.html"), encoding="utf-8") as file:
            page = file.read()
        check("</html>" in page and ("<svg" in page) == (options.layout == "yes"), "the page is whole")
        with open(path("graph.dot"), encoding="utf-8") as file:
            dot = file.read()
        check(dot.startswith("digraph") and dot.count(" -> ") > 0 and "least progressed" in dot, dot)
        nodes = len(report["progress"]["nodes"])
        check(dot.count("peripheries=2") == 1 and dot.count("[label=") == nodes, f"{nodes} nodes: {dot}")
    result = analyze(recording, "--pdg", path("graph.svg"))
    if options.layout == "yes":
        picture = xml.dom.minidom.parse(path("graph.svg"))
        texts = [text.firstChild.data for text in picture.getElementsByTagName("text") if text.firstChild]
        check("least progressed" in texts and "rank 3" in texts, texts)
        check(len(picture.getElementsByTagName("path")) > 1, "there are edges")
        result = subprocess.run([options.analyze, recording, "--pdg", path("full.svg")], capture_output=True, text=True,
                                check=False, preexec_fn=full)
        check(result.returncode == 2 and "/input\": File too large" in result.stderr, f"a full disk: {result.stderr}")
    else:
        check(result.returncode == 2 and ".dot" in result.stderr, result.stderr)
    for words, says in ((["--pdg", path("graph.png")], ".dot or .svg"), (["--smm", path("model.svg")], "--smm"), (["--slice"], "--slice")):
        result = analyze(recording, *words)
        check(result.returncode == 2 and says in result.stderr, f"{words}: {result.returncode} {result.stderr}")
    result = analyze("--attach", "--pid", "999999999", "--")
    check(result.returncode != 0 and result.stderr, "an attempt to look at nothing is explained")
    result = analyze(path("nothing"))
    check(result.returncode == 1 and result.stderr, result.stderr)
print("passed")
