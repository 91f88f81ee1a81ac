#!/usr/bin/env python3
"""Fails when a document of the project links to a file that is not there."""
import os
import re
import sys

root = sys.argv[1]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
documents = [name for name in os.listdir(root) if name.endswith(".md")]
for folder in ("docs", "resources", "bench", "tests", "layout"):
    for where, _, names in os.walk(os.path.join(root, folder)):
        documents += [os.path.relpath(os.path.join(where, name), root) for name in names if name.endswith(".md")]

broken = 0
for document in sorted(documents):
    with open(os.path.join(root, document), encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            for target in LINK.findall(line):
                if "://" in target or target.startswith("mailto:"):
                    continue
                if not os.path.exists(os.path.join(root, os.path.dirname(document), target)):
                    print(f"{document}:{number}: {target} does not exist", file=sys.stderr)
                    broken += 1
if broken:
    sys.exit(1)
print(f"The links of {len(documents)} documents lead somewhere.")
