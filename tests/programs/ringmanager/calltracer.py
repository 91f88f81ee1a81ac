# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the calls of a Python program as a call trace (docs/call-traces.md), with sys.setprofile: every Python function, with the
line that calls it, and the socket calls that go through the functions of this module, with descriptor and result.

    tracer = Tracer(folder, name)     # NAME.trace and NAME.nm in the folder
    tracer.start()
    tracer.stop()

Functions have made-up addresses, which the symbol file names."""
import errno
import os
import sys
import time


class Tracer:
    def __init__(self, folder, name):
        self.trace = open(os.path.join(folder, name + ".trace"), "w", buffering=1)
        self.symbols = open(os.path.join(folder, name + ".nm"), "w", buffering=1)
        self.trace.write(f"# host {name}\n# program ringmanager\n# ticks-per-second 1000000000\n")
        self.addresses = {}
        self.who = f"pid {os.getpid()} tid {os.getpid()} timestamp"
        self.own = os.path.abspath(__file__)

    def address(self, name, file="", line=0):
        key = (name, file, line)
        if key not in self.addresses:
            self.addresses[key] = 0x1000 + 0x10 * len(self.addresses)
            place = f"\t{file}:{line}" if file else ""
            self.symbols.write(f"{self.addresses[key]:016x} T {name}{place}\n")
        return self.addresses[key]

    def enter(self, address, fields=""):
        self.trace.write(f"ENTER 0x{address:x} {self.who} {time.monotonic_ns()}{fields}\n")

    def leave(self, address, fields=""):
        self.trace.write(f"LEAVE 0x{address:x} {self.who} {time.monotonic_ns()}{fields}\n")

    def profile(self, frame, event, _):
        code = frame.f_code
        if event not in ("call", "return") or code.co_filename == self.own or code.co_name.startswith("<"):
            return
        if os.path.dirname(code.co_filename) != os.path.dirname(self.own):
            return  # the interpreter's library is hidden
        address = self.address(code.co_name, code.co_filename, code.co_firstlineno)
        if event == "return":
            self.leave(address)
        else:
            back = frame.f_back
            self.enter(address, f" line {back.f_lineno}" if back and back.f_code.co_filename != self.own else "")

    def start(self):
        sys.setprofile(self.profile)

    def stop(self):
        sys.setprofile(None)
        self.trace.close()
        self.symbols.close()

    def system(self, name, descriptor, call, result_of):
        """Makes a call of the C library's name, on a descriptor (-1: none), and records what it returned."""
        address = self.address(name)
        line = sys._getframe(1).f_lineno
        self.enter(address, (f" fd {descriptor}" if descriptor >= 0 else "") + f" line {line}")
        try:
            value = call()
        except OSError as error:
            self.leave(address, f" result -1 errno {error.errno or errno.EIO}")
            raise
        self.leave(address, f" result {result_of(value)}")
        return value


class NoTracer:
    """In the place of a tracer where a recorder does its work."""

    def start(self):
        pass

    def stop(self):
        pass

    def system(self, _name, _descriptor, call, _result_of):
        return call()
