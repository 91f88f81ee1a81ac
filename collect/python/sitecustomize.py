# SPDX-License-Identifier: GPL-3.0-or-later
"""What an interpreter under laggard-record --python imports when it starts: has its functions recorded, those of threads as well. It takes
itself off the path again, and whoever else has a module of this name gets it."""
import sys


def _next_of_this_name():
    import os
    own = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != own]
    this = sys.modules.pop(__name__)
    try:
        import sitecustomize  # noqa: F401: the other one
    except ImportError as error:
        sys.modules[__name__] = this
        return error if error.name == __name__ else None
    return None


def _begin():
    try:
        import ctypes
        begin = ctypes.PyDLL(None).laggard_python_begin
    except (ImportError, AttributeError, OSError):
        return  # an interpreter without ctypes, or without the recorder

    def in_thread(*_):
        sys.setprofile(None)
        begin()

    import threading
    threading.setprofile(in_thread)
    begin()


_missing = _next_of_this_name()
_begin()
if _missing is not None:
    raise _missing  # as without this one: the interpreter expects it
