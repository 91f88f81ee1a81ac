#!/usr/bin/env python3
"""Fails where two files define a type of the same name in the same namespace. In one program, the functions that templates make for
both (std::vector's, say) have one name: the linker keeps one, which takes the other type for its own. No compiler sees both.

Usage: check_types.py ROOT
"""
import collections
import pathlib
import re
import sys

FOLDERS = ("trace", "ingest", "analysis", "views", "app", "slice", "attach", "layout", "collect")
NOT_CODE = re.compile(r'R"(?P<mark>\w*)\(.*?\)(?P=mark)"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\''
                      r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.DOTALL | re.MULTILINE)
NAMESPACE = re.compile(r"(?:^|\s)namespace\s*([\w:]*)\s*$")
# What follows a colon are the bases; a name with template arguments is a specialisation, which has a name of its own.
TYPE = re.compile(r"(?:template\s*<.*>\s*)?(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+"
                  r"(?:\[\[.*?\]\]\s*|alignas\s*\(.*?\)\s*)*([\w:]+)\s*(?:final\s*)?(?::(?!:).*)?$", re.DOTALL)
UNNAMED = ""


def types_in(text):
    """The types that a source defines in namespaces, other than unnamed ones: what is in them is the file's own."""
    text = NOT_CODE.sub(" ", text)
    braces = []  # the namespace that each open brace began, None for anything else
    begin = 0
    for found in re.finditer(r"[{};]", text):
        before = text[begin:found.start()].strip()
        begin = found.end()
        if found.group() == "}" and braces:
            braces.pop()
        elif found.group() == "{":
            namespace = NAMESPACE.search(before)
            kind = TYPE.match(before)
            if kind and None not in braces and UNNAMED not in braces:
                yield "::".join([*braces, kind.group(1)])
            braces.append(namespace.group(1) if namespace else None)


def main():
    root = pathlib.Path(sys.argv[1])
    files = collections.defaultdict(set)
    for folder in FOLDERS:
        for path in (root / folder).rglob("*"):
            if path.suffix in (".h", ".cpp"):
                for name in types_in(path.read_text()):
                    files[name].add(str(path.relative_to(root)))
    problems = [f"{name}: {', '.join(sorted(paths))}" for name, paths in sorted(files.items()) if len(paths) > 1]
    print("\n".join(problems) or f"Each of {len(files)} types is defined in one file.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
