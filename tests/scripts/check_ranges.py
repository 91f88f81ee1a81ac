#!/usr/bin/env python3
"""Fails where the source calls what Clang 14 cannot compile with the library of GCC 12 (std::ranges::subrange, std::views): the search
for inputs that harm readers (scripts/fuzz) would not build, and clang-tidy would not read the file.

Usage: check_ranges.py ROOT
"""
import pathlib
import re
import sys

# The algorithms whose result is a std::ranges::subrange, and what makes views.
RETURNS_SUBRANGE = "unique remove remove_if partition stable_partition rotate search search_n equal_range find_end subrange views".split()
USE = re.compile(r"\bstd::(?:ranges::(" + "|".join(RETURNS_SUBRANGE) + r")|(views))\b(?!_)")
COMMENT = re.compile(r"//.*$", re.MULTILINE)


def main():
    root = pathlib.Path(sys.argv[1])
    problems = []
    for folder in ("trace", "ingest", "analysis", "views", "app", "layout", "slice", "attach", "collect", "tests", "bench"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h"):
                continue
            text = COMMENT.sub("", path.read_text(errors="replace"))
            for found in USE.finditer(text):
                line = text.count("\n", 0, found.start()) + 1
                problems.append(f"{path.relative_to(root)}:{line}: {found.group(0)}: Clang 14 cannot compile it; take the one of <algorithm> with iterators")
    print("\n".join(problems) or "Nothing that Clang 14 cannot compile.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
