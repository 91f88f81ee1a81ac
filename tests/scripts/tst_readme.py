#!/usr/bin/env python3
"""The tour of the README must show what the program really prints: each command followed by an output block is run."""
import difflib
import os
import re
import subprocess
import sys

root, analyze = sys.argv[1:3]
with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
    readme = file.read()
shown = re.findall(r"^    build/release/app/laggard-analyze (.*)\n\n```\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
if not shown:
    sys.exit("README.md shows no output of laggard-analyze any more.")
wrong = False
for arguments, text in shown:
    # With one core or many, from any build: the answer is the same.
    run = subprocess.run([analyze] + arguments.split(), cwd=root, capture_output=True, text=True, check=False)
    difference = list(difflib.unified_diff(text.rstrip().splitlines(), run.stdout.rstrip().splitlines(), "README.md", "real", lineterm=""))
    if run.returncode != 0 or difference:
        wrong = True
        print(f"laggard-analyze {arguments} (exit status {run.returncode}) does not print what README.md shows:", *difference, sep="\n")
sys.exit(wrong)
