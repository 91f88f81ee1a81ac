#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs with mpi4py that hang in one way each (p…), and one that does not (pk1); the name by which it is called chooses (truth.jsonl)."""
import os
import sys
import time

from mpi4py import MPI

world = MPI.COMM_WORLD
me, ranks = world.Get_rank(), world.Get_size()


def about_to_hang():
    if name := os.environ.get("MOMENT_FILE"):
        open(name, "w").close()


def wait_for_result(is_there):
    while not is_there():
        time.sleep(0.05)


class Simulation:
    def step(self, number):
        value = sum(i * i for i in range(2000))
        if me == 11 and number == 5:
            about_to_hang()
            wait_for_result(lambda: os.path.exists("/nonexistent/result"))
        return world.allreduce(value)


def gather_rows(number):
    """Rank 0 asks for one row of each; one of them takes its own number for the root's."""
    root = 0
    if me == 0:
        return [world.recv(source=i, tag=number) for i in range(1, ranks)] + [world.bcast(number, root=0)]
    if me == 3 and number == 5:
        about_to_hang()
        root = 5
    world.send({"row": me}, dest=0, tag=number) if root == 0 else world.recv(source=root, tag=number)
    return [world.bcast(None, root=0)]


def main():
    name = os.path.basename(sys.argv[0])
    simulation = Simulation()
    for number in range(10**7 if name == "pk1" else 10):
        if name == "p2":
            gather_rows(number)
        elif name == "p1":
            simulation.step(number)
        else:
            total = sum(i * (i + me) for i in range(5000 + 4000 * ((number + me) % 3)))
            world.allreduce(total)


if __name__ == "__main__":
    main()
