#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every program says its version, and needs neither Qt nor X. Usage: test_versions.py VERSION PROGRAM..."""
import os
import subprocess
import sys

version, programs = sys.argv[1], [program for program in sys.argv[2:] if program]
for program in programs:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    if not said.startswith(f"{os.path.basename(program)} {version}"):
        sys.exit(f"{program} says {said!r}")
    # Of what it was linked with itself: a library of Graphviz may bring more, for the layout program alone.
    needed = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    for word in ("libQt", "libX11", "libxcb", "libGL"):
        if word in needed:
            sys.exit(f"{program} needs {word}")
