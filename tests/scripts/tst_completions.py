#!/usr/bin/env python3
"""Completions know every option that a program's help tells, and what its argument may be."""
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

MAKE = sys.argv.pop(1)
PROGRAMS = sys.argv[1:]
del sys.argv[1:]

HELP = """Does nothing.
Usage: nothing [OPTIONS] trace

Options:
  -h,--help                   Print this help message and exit
  --kind KIND:{one,two} ...   What kind; may be
                              repeated
  --colours on|off            Whether there are colours
  --json FILE                 Write JSON: "-" is standard output
  --depth N:INT in [1 - 9] Needs: --kind
                              How deep
  --thin Needs: --kind        Thin: it's little
"""


def complete(folder, name, words):
    """What bash offers for the last word."""
    script = (f"source '{folder}/bash/{name}'; COMP_WORDS=({' '.join(repr(word) for word in words)}); "
              f"COMP_CWORD={len(words) - 1}; _{name.replace('-', '_')}; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd=folder)
    return sorted(filter(None, result.stdout.split("\n")))


class Completions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def make(self, *programs):
        return subprocess.run([sys.executable, "-B", MAKE, self.folder, *programs], capture_output=True, text=True, check=False)

    def program(self, text):
        path = os.path.join(self.folder, "nothing")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\ncat <<'END'\n" + text + "END\n")
        os.chmod(path, stat.S_IRWXU)
        return path

    def test_a_made_up_help(self):
        self.assertEqual(self.make(self.program(HELP)).returncode, 0)
        self.assertEqual(complete(self.folder, "nothing", ["nothing", "--"]),
                         ["--colours", "--depth", "--help", "--json", "--kind", "--thin"])
        self.assertEqual(complete(self.folder, "nothing", ["nothing", "--kind", "t"]), ["two"])
        self.assertEqual(complete(self.folder, "nothing", ["nothing", "--colours", ""]), ["off", "on"])
        self.assertEqual(complete(self.folder, "nothing", ["nothing", "--json", "noth"]), ["nothing"])
        self.assertEqual(complete(self.folder, "nothing", ["nothing", "--depth", "noth"]), [], "a number is no file")
        with open(os.path.join(self.folder, "fish", "nothing.fish"), encoding="utf-8") as file:
            fish = file.read()
        self.assertIn("-l kind -r -f -a 'one two' -d 'What kind; may be repeated'", fish)
        self.assertIn("-l thin -d 'Thin: it\\'s little'", fish)
        self.assertIn("-l depth -r -f -d 'How deep'", fish)

    def test_no_options_are_an_error(self):
        result = self.make(self.program("nothing to tell\n"))
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("tells no options", result.stderr)

    def test_the_programs(self):
        result = self.make(*PROGRAMS)
        self.assertEqual(result.returncode, 0, result.stderr)
        for program in PROGRAMS:
            name = os.path.basename(program)
            text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True,
                                  env=dict(os.environ, QT_QPA_PLATFORM="offscreen")).stdout
            expected = set(re.findall(r"^ {1,4}(?:-\w, ?)?(--[\w-]+)", text, re.MULTILINE))
            with self.subTest(name):
                self.assertGreater(len(expected), 3, "the help lists options")
                self.assertEqual(set(complete(self.folder, name, [name, "--"])), expected)
            for shell, file in [("bash", f"bash/{name}"), ("zsh", f"zsh/_{name}"), ("fish", f"fish/{name}.fish")]:
                if shutil.which(shell):
                    with self.subTest(f"{name} in {shell}"):
                        check = subprocess.run([shell, "-n", file], capture_output=True, text=True, cwd=self.folder, check=False)
                        self.assertEqual((check.returncode, check.stderr), (0, ""), "the shell reads the file")


if __name__ == "__main__":
    unittest.main()
