// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/watch/FolderLock.h"
#include "app/watch/HangAlarm.h"
#include "app/watch/JobErrors.h"
#include "app/watch/LiveAnalysis.h"
#include "app/watch/WatchedJob.h"

#include <cstdint>
#include <optional>
#include <random>
#include <string>

namespace laggard::watch {

/// The status with which `--on-hang stop` ends the processes of a job that hangs. Its low bits are all set, as launchers join it
/// with the signals by which they end the rest; above those of sysexits.h, and below those that shells make of signals.
inline constexpr std::uint32_t hangStatus = 79;

struct WatchRequest {
    std::string folder;
    std::string job;                   ///< as in the headers of its recordings
    std::string action;                ///< "analyze", "stop", or a command
    std::string analyzer;              ///< path of laggard-analyze
    std::optional<double> hangTimeout; ///< seconds, where the user has given them
    std::int32_t starter = 0;          ///< the process that was started under the recorder here
    FileIdentity errors;               ///< the job's standard error
};

/// Watches one job from outside of it, until it ends. There is one on each node, and one of these judges.
class Watcher {
  public:
    explicit Watcher(WatchRequest request);
    /// Returns when the job has ended, or others watch it.
    void run();

  private:
    [[nodiscard]] bool waitForTurn();
    [[nodiscard]] bool isJobThere() const;
    [[nodiscard]] bool sleepUntilNext();
    void lookOnce();
    void consider();
    void judge();
    void tell(LiveAnalysis &analysis);
    void act();
    void say(const std::string &text);
    [[nodiscard]] double stillSeconds() const;
    [[nodiscard]] Stillness stillness() const;
    [[nodiscard]] double share();

    WatchRequest m_request;
    ProcessHandle m_starter;
    FolderLock m_lock;
    WatchedJob m_job;
    HangAlarm m_alarm;
    std::mt19937_64 m_random;
    bool m_judges = false;
    bool m_isTold = false;
    bool m_hasSaidOn = false;
    int m_failures = 0;
    std::uint64_t m_awakeSince = 0; ///< ticks: the watcher, or the job, was stopped until then
    std::uint64_t m_notBefore = 0;  ///< ticks: the next analysis
    std::uint64_t m_toldOf = 0;     ///< ticks: the last transition when it was told
    double m_movesFor = 0;          ///< seconds of stillness at which a process was seen to read, write or wait for a device
};

} // namespace laggard::watch
