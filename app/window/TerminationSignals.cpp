// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/TerminationSignals.h"

#include <QApplication>
#include <QSocketNotifier>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace laggard {
namespace {

constexpr std::array signalsOfEnd{SIGTERM, SIGHUP, SIGINT};

volatile std::sig_atomic_t writeEnd = -1; // a signal handler is given nothing else

void pass(int signal) {
    const int error = errno;
    const char byte = static_cast<char>(signal);
    [[maybe_unused]] const ssize_t written = write(writeEnd, &byte, 1);
    errno = error;
}

} // namespace

TerminationSignals::TerminationSignals(QObject *parent) : QObject(parent) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    m_readEnd = ends[0];
    writeEnd = ends[1];
    auto *notifier = new QSocketNotifier(m_readEnd, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &TerminationSignals::take);
    struct sigaction action {};
    action.sa_handler = pass;
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    for (const int signal : signalsOfEnd) {
        struct sigaction before {};
        sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_IGN) // as nohup has it
            sigaction(signal, &action, nullptr);
    }
}

TerminationSignals::~TerminationSignals() {
    if (m_readEnd < 0)
        return;
    for (const int signal : signalsOfEnd) {
        struct sigaction now {};
        sigaction(signal, nullptr, &now);
        if (now.sa_handler == pass)
            std::signal(signal, SIG_DFL);
    }
    close(writeEnd);
    writeEnd = -1;
    close(m_readEnd);
}

void TerminationSignals::take() {
    char byte = 0;
    if (read(m_readEnd, &byte, 1) != 1)
        return;
    m_received = byte;
    QApplication::closeAllWindows();
    QApplication::exit();
}

} // namespace laggard
