# SPDX-License-Identifier: GPL-3.0-or-later
"""A ring of daemons that pass on messages about jobs, as MPD's did (thesis §6.4.1), each of which traces its calls.

    ringmanager.py FOLDER [--daemons N] [--messages N] [--partial RANK]
    laggard-record --libc --python -o FOLDER -- python3 ringmanager.py - [...]     # recorded: no text is written

Each daemon listens, connects to its right neighbour and accepts its left one; then an event loop. A message is 8 digits of length, and
so many bytes; daemon 0 starts them, and each goes round once. Receiving the length has MPD's bug: it expects all 8 bytes at once, takes less
for an error and closes the connection. --partial RANK: that daemon sends the length of the last message in two pieces, so that its
neighbour's bug shows. Ends when all messages have come round, or nothing has come for a second."""
import argparse
import os
import select
import signal
import socket
import sys
import time

from calltracer import NoTracer, Tracer


class Daemon:
    def __init__(self, rank, options, listeners, tracer):
        self.rank = rank
        self.options = options
        self.tracer = tracer
        self.listener = listeners[rank]
        self.right_address = listeners[(rank + 1) % options.daemons].getsockname()
        self.left = None
        self.right = None
        self.sent = 0
        self.finished = False

    def setup(self):
        fd = self.listener.fileno()
        self.tracer.system("listen", fd, lambda: self.listener.listen(4) or 0, int)
        self.right = socket.socket()
        self.tracer.system("socket", -1, lambda: self.right.fileno(), int)
        self.tracer.system("connect", self.right.fileno(), lambda: self.right.connect(self.right_address) or 0, int)

    def run(self):
        self.setup()
        self.serve()
        self.finish()

    def serve(self):
        if self.rank == 0:
            self.start_message()
        quiet = 0
        while not self.finished and quiet < 5:
            sockets = [s for s in (self.listener, self.left) if s is not None]
            ready = self.tracer.system("select", -1, lambda: select.select(sockets, [], [], 0.2)[0], len)
            quiet = 0 if ready else quiet + 1
            for source in ready:
                if source is self.listener:
                    self.handle_new_left()
                elif source is self.left:
                    self.handle_left_input()

    def handle_new_left(self):
        self.left = self.tracer.system("accept", self.listener.fileno(), lambda: self.listener.accept()[0], lambda s: s.fileno())

    def handle_left_input(self):
        message = self.receive_message()
        if message is None:
            self.close_left()
        elif message == "end":
            self.handle_end()
        else:
            self.handle_job(message)

    def receive_message(self):
        fd = self.left.fileno()
        try:
            length = self.tracer.system("recv", fd, lambda: self.left.recv(8), len)
        except OSError:
            return None
        if len(length) != 8:  # the bug: the rest may be on its way
            return None
        wanted = int(length)
        body = b""
        while len(body) < wanted:
            body += self.tracer.system("recv", fd, lambda: self.left.recv(wanted - len(body)), len)
        return body.decode()

    def close_left(self):
        self.tracer.system("close", self.left.fileno(), lambda: self.left.close() or 0, int)
        self.left = None

    def handle_job(self, message):
        if self.rank != 0:
            self.forward(message)
        elif self.sent < self.options.messages:
            self.start_message()
        else:
            self.forward("end")

    def handle_end(self):
        if self.rank != 0:
            self.forward("end")
        self.finished = True

    def start_message(self):
        self.sent += 1
        self.forward("job %d of %s" % (self.sent, "x" * (self.sent % 7)))

    def forward(self, message):
        body = message.encode()
        length = b"%08d" % len(body)
        if self.rank == self.options.partial and message.startswith("job %d " % self.options.messages):
            self.write(length[:3])
            time.sleep(0.3)  # so that the neighbour finds three bytes
            self.write(length[3:] + body)
        else:
            self.write(length + body)

    def write(self, data):
        try:
            self.tracer.system("send", self.right.fileno(), lambda: self.right.sendall(data) or len(data), int)
        except OSError:
            self.handle_lost_right()

    def handle_lost_right(self):
        self.finished = True

    def finish(self):
        for end in (self.left, self.right, self.listener):
            if end is not None:
                self.tracer.system("close", end.fileno(), lambda: end.close() or 0, int)


def run_daemon(rank, options, listeners):
    tracer = NoTracer() if options.folder == "-" else Tracer(options.folder, "d%d" % rank)
    daemon = Daemon(rank, options, listeners, tracer)
    tracer.start()
    daemon.run()
    tracer.stop()
    os._exit(0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--daemons", type=int, default=4)
    parser.add_argument("--messages", type=int, default=20)
    parser.add_argument("--partial", type=int, default=-1)
    options = parser.parse_args()
    if options.folder != "-":
        os.makedirs(options.folder, exist_ok=True)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    listeners = []
    for _ in range(options.daemons):  # before they start, so that each knows its neighbour's port
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen(4)
        listeners.append(listener)
    children = []
    for rank in range(options.daemons):
        child = os.fork()
        if child == 0:
            for other, listener in enumerate(listeners):
                if other not in (rank, (rank + 1) % options.daemons):
                    listener.close()
            run_daemon(rank, options, listeners)
        children.append(child)
    failed = [child for child in children if os.waitpid(child, 0)[1] != 0]
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
