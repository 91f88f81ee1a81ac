#!/usr/bin/env python3
"""Fails where a sentence puts a plural behind a number by hand: "1 events". trace/Quantity.h has plural().

Usage: check_counts.py ROOT
"""
import pathlib
import re
import sys

NOUNS = ("bytes calls chunks clusters collectives communicators dumps edges events files findings frames functions groups hosts "
         "iterations jobs lines locations members messages methods models nodes occurrences pairs parts phases places ranks "
         "receives recordings records regions representatives requests rounds rows samples sends stacks states steps threads times "
         "traces transitions warnings windows words").split()
CALL = r"(?:describeCount|to_string|QString::number)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
BY_HAND = re.compile(CALL + r'\s*(?:\+|<<)\s*"\s(?:[a-z]+\s)?(' + "|".join(NOUNS) + r")\b")
COMMENT = re.compile(r"//.*$", re.MULTILINE)


def main():
    root = pathlib.Path(sys.argv[1])
    problems = []
    for folder in ("app", "analysis", "ingest", "slice", "views"):
        for path in sorted((root / folder).rglob("*.cpp")):
            text = COMMENT.sub("", path.read_text())
            for found in BY_HAND.finditer(text):
                line = text.count("\n", 0, found.start()) + 1
                problems.append(f"{path.relative_to(root)}:{line}: {' '.join(found.group(0).split())}: use plural()")
    print("\n".join(problems) or "No number has its plural by hand.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
