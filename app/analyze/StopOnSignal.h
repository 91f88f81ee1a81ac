// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <csignal>
#include <mutex>
#include <stop_token>
#include <thread>

namespace laggard {

/// Turns SIGINT and SIGTERM into a request to stop, so that no half-written file is left. Where that is not heard within five
/// seconds (a pipe that nobody reads), the process ends with the status given. A second signal kills as usual.
class StopOnSignal {
  public:
    explicit StopOnSignal(int status);
    ~StopOnSignal();
    StopOnSignal(const StopOnSignal &) = delete;
    StopOnSignal &operator=(const StopOnSignal &) = delete;

    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }

  private:
    void wait(int status);

    sigset_t m_signals{};
    sigset_t m_before{};
    std::stop_source m_stop;
    std::mutex m_mutex;
    std::condition_variable m_done;
    bool m_isDone = false;
    std::thread m_waiter;
};

} // namespace laggard
