// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/Job.h"
#include "ingest/recording/RecordedCommand.h"

#include <stop_token>
#include <string>
#include <vector>

namespace laggard {

/// How a replay went.
struct ReplayEnd {
    bool isRecorded = false; ///< there is a new recording
    bool wasEnded = false;   ///< as somebody asked for
    int status = 0;          ///< of the launcher; negative: a signal ended it
    QString said;            ///< the last of what the job wrote to its standard error, or that a rank left the path
};

/// Runs a job again: a launcher in a process group of its own.
class ReplayJob : public Job {
    Q_OBJECT

  public:
    using Job::Job;

    /// Reads with what the recorded job was started; `prepared` tells.
    void prepare(const QString &recording);
    /// `words`: launcher, recorder, program; they record into `output`, which is new. `folder`: where they run; empty: here.
    void start(const std::vector<std::string> &words, const QString &output, const QString &folder);
    /// Ends the job that runs: politely, and what will not go after five seconds with SIGKILL. What was recorded stays, and
    /// `finished` tells.
    void end() { m_ending.request_stop(); }

  signals:
    void prepared(const laggard::recording::RecordedCommand &command);
    void finished(const laggard::ReplayEnd &end);

  private:
    std::stop_source m_ending;
};

} // namespace laggard
