// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <ucontext.h>

namespace laggard::collect {

/// A fatal signal while a handler of the program deals with it. It counts as the end of the process until the handler has proved
/// to have dealt with it: by returning to where it struck, or by leaving for elsewhere (longjmp(), an exception, pthread_exit()),
/// which shows when the thread comes into the recorder again or exits. One at a time: the first counts. Async-signal-safe.
class HandledCrash {
  public:
    /// In the recorder's handler, before the program's is called.
    HandledCrash(int signal, const siginfo_t &info, const ucontext_t &context);
    HandledCrash(const HandledCrash &) = delete;
    HandledCrash &operator=(const HandledCrash &) = delete;
    /// The program's handler has returned. Not `isDealtWith`: what struck may end the process all the same.
    void returned(bool isDealtWith) const;

    /// A signal that nobody handles. If it strikes in a handler of such a signal, that one is what the process ends of.
    static void strikesUnhandled(int signal, const siginfo_t &info, const ucontext_t &context);
    /// The calling thread ends the process; in a handler of such a signal, that is the end by the signal.
    static void processEnds();
    /// The calling thread is in the recorder: if it has left such a handler, the process goes on. Costs nothing where there is
    /// none.
    static void settle() {
        if (t_open.frame != nullptr)
            settleOpen();
    }

  private:
    struct Open {
        const void *frame; ///< in the recorder's handler; nullptr: none is open
        int signal;
        bool isRecorded;
        siginfo_t info;
        const ucontext_t *context;
    };
    static void settleOpen();
    static void record();
    static void withdraw();

    static constinit thread_local Open t_open __attribute__((tls_model("initial-exec")));
};

} // namespace laggard::collect
