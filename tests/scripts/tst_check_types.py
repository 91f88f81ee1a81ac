#!/usr/bin/env python3
"""check_types.py finds what is defined twice, and nothing else."""
import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("check_types.py")
FIRST = "namespace laggard {\nstruct Posted {\n    int rank = 0;\n};\n} // namespace laggard\n"
# What the second file holds, and whether the two go together.
CASES = {
    "the same name": ("namespace laggard {\nclass Posted final : public Base {};\n}\n", False),
    "an enumeration of this name": ("namespace laggard {\nenum class Posted : int { yes };\n}\n", False),
    "a template of this name": ("namespace laggard {\ntemplate <typename T>\nstruct Posted {};\n}\n", False),
    "behind text with a brace": ("namespace laggard {\nconst char *open = \"{\"; // {\nstruct Posted {};\n}\n", False),
    "another name": ("namespace laggard {\nstruct Offered {};\n}\n", True),
    "another namespace": ("namespace laggard::bench {\nstruct Posted {};\n}\n", True),
    "unnamed": ("namespace laggard {\nnamespace {\nstruct Posted {};\n}\n}\n", True),
    "within another type": ("namespace laggard {\nstruct Mail {\n    struct Posted {};\n};\n}\n", True),
    "within a function": ("namespace laggard {\nvoid f() {\n    struct Posted {};\n}\n}\n", True),
    "only said to exist": ("namespace laggard {\nstruct Posted;\n}\n", True),
    "a comment": ("namespace laggard {\n// struct Posted {\n}\n", True),
}


def main():
    failed = 0
    for name, (text, goes) in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder, "trace")
            trace.mkdir()
            (trace / "First.h").write_text(FIRST)
            (trace / "Second.h").write_text(text)
            done = subprocess.run([sys.executable, "-B", CHECK, folder], capture_output=True, text=True, check=False)
            if (done.returncode == 0) != goes or (not goes and "laggard::Posted: trace/First.h, trace/Second.h" not in done.stdout):
                print(f"{name}: status {done.returncode}: {done.stdout}{done.stderr}")
                failed += 1
    print(f"{len(CASES) - failed} of {len(CASES)} cases are as they should be.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
