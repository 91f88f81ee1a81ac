# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions in all the ways in which Python has them, in threads and children too. Says what a program can find out of a profiler."""
import os
import sys
import threading


def numbers(count):
    for number in range(count):
        yield number


def fails():
    raise ValueError("as planned")


class Thing:
    def method(self, depth):
        if depth:
            return self.method(depth - 1)
        return os.getpid()


def in_thread(ends):
    os.write(ends[1], b"from a thread")


def main():
    print(sum(numbers(3)))
    try:
        fails()
    except ValueError as error:
        print(error)
    Thing().method(3)
    ends = os.pipe()
    thread = threading.Thread(target=in_thread, args=(ends,))
    thread.start()
    thread.join()
    print(os.read(ends[0], 100))
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.write(ends[1], b"from a child")
        os._exit(0)
    print(os.waitpid(child, 0)[1])
    print(os.read(ends[0], 100))
    print(sys.getprofile(), sys.gettrace())
    print(any("laggard" in folder for folder in sys.path), getattr(sys.modules.get("sitecustomize"), "MARK", None))


main()
